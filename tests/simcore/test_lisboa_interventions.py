"""Lisboa's interventions: what is banned is never taken, a blank does nothing for its owner, and others have both."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simcore import cardset, game
from simcore.cardset import CardSet
from simcore.game import KINDS, Intervention
from simcore.games.lisboa.rules.events import (
    BLOCK_CODE,
    CARD_CODE,
    CLERGY_CODE,
    PLAN_CODE,
    SHIP_CODE,
    SHIP_COPIES,
    Event,
)
from simcore.games.lisboa.state import (
    DECREE_KINDS,
    GROUPS,
    MARQUIS,
    NOBLE_ACTION,
    PLAY_COURT,
    PLAY_PORTFOLIO,
    SHIP,
    TREASURY,
    Decision,
)
from simcore.play import Step, Table
from tests.simcore.imagining import imagined, noise_of, play_on
from tests.simcore.lisboa_sets import edited, inputs

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("lisboa")
STANDARD = cardset.load(GAME.schema, "standard")
SEATS = 3
ENOUGH = 50  # positions in which a blank is there


def table(one: Intervention | None = None, card_set: CardSet = STANDARD, bot: str = "uniform") -> Table:
    made = Table("lisboa", card_set, SEATS, (bot,) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def denials(kind: str, first: int, last: int) -> list[Intervention]:
    """Those of a kind whose code in the log is first..last - 1."""
    return [one for one in GAME.interventions(STANDARD, SEATS) if one.kind == kind and first <= code_of(one) < last]


def code_of(one: Intervention) -> int:
    return dict(one.fields)["banned" if one.kind == "ban" else "blanked"]


def denial_of(id_: str) -> Intervention:
    """The blank of a card, a tile or a ship."""
    return next(one for one in GAME.interventions(STANDARD, SEATS) if (one.kind, one.type) == ("blank", id_))


def steps(one: Intervention, deals: int, bot: str = "uniform") -> Iterator[tuple[Table, int, Step]]:
    """Some games decision by decision: the table as it is after it, the seat that is denied the card, the step."""
    made = table(one, bot=bot)
    for deal in range(deals):
        for rotation in range(SEATS):
            for step in made.steps(deal, rotation):
                yield made, -rotation % SEATS, step


def counted(one: Intervention, kind: Event, codes: range, deals: int, bot: str = "uniform") -> NDArray[np.int64]:
    """How many events of a kind about these codes befell place 0, and all others."""
    found = np.zeros(2, np.int64)
    for _, seat, step in steps(one, deals, bot):
        for event, _, who, code in step.events:
            if event == kind and code in codes:
                found[int(who != seat)] += 1
    return found


# --- Bans ------------------------------------------------------------------------------------------------------------


def test_a_banned_player_never_takes_the_kind_of_decree_and_the_others_do() -> None:
    one = denials("ban", 0, DECREE_KINDS)[0]
    own, others = counted(one, Event.KIND_TAKEN, range(code_of(one), code_of(one) + 1), deals=6)
    assert own == 0
    assert others > 0


def test_a_display_of_banned_decrees_is_empty() -> None:
    """The banned player neither visits the Marquis nor follows for a decree nor is asked for a marker."""
    first = inputs(STANDARD)["decrees"][0]
    rows = [first | {"decree_id": row["decree_id"]} for row in inputs(STANDARD)["decrees"]]
    alike = edited(tables={"decrees": rows})
    (one,) = (one for one in GAME.interventions(alike, SEATS) if one.kind == "ban" and one.group == "decree")
    taken = 0
    for rotation in range(SEATS):
        seat = -rotation % SEATS
        for step in table(one, alike).steps(0, rotation):
            taken += step.decision == Decision.DECREE_PICK
            if step.seat != seat:
                continue
            assert step.decision not in (Decision.DECREE_PICK, Decision.DECREE_MARKER)
            assert all(kind != Event.VISITS + MARQUIS for kind, _, _, _ in step.events)
            if step.decision == Decision.FOLLOW and step.public.visited == MARQUIS:
                assert 64 * Decision.FOLLOW + NOBLE_ACTION not in step.options
    assert taken > 0


@pytest.mark.parametrize("bot", ["uniform", "expert"])
def test_a_banned_player_never_builds_on_the_block_and_the_others_do(bot: str) -> None:
    built = np.zeros(2, np.int64)
    for one in denials("ban", BLOCK_CODE, PLAN_CODE)[:10]:
        built += counted(one, Event.TAKEN, range(code_of(one), code_of(one) + 1), deals=2, bot=bot)
    assert built[0] == 0
    assert built[1] > 0


def test_what_a_player_imagines_keeps_a_ban() -> None:
    """Playouts from imagined states never break it, whoever imagines them."""
    one = denials("ban", BLOCK_CODE, PLAN_CODE)[7]
    playout, owners = table(), []
    for number, (made, seat, step) in enumerate(steps(one, deals=3)):
        public = made.state.public
        if step.decision == Decision.DRAW and public.actor >= 0:
            playout.state = imagined(made, int(public.actor), noise_of(number))
            play_on(playout)
            owners.append(int(playout.state.public.block_owner[code_of(one) - BLOCK_CODE]) - seat)
    assert 0 not in owners
    assert {1, 2} <= {owner % SEATS for owner in owners if owner + SEATS > 0}


# --- Blanks ----------------------------------------------------------------------------------------------------------


def lasting(cards: Any, public: Any, seat: int, blank: int) -> NDArray[np.int64]:
    """What lasting effects add up to, those of the blank left out."""
    power = np.zeros(public.power.shape[1], np.int64)
    effects = [cards.lasting[card] for card in public.bottom[seat] if card >= 0 and CARD_CODE + card != blank]
    effects += [
        cards.clergy_power[tile]
        for tile in public.clergy[seat, : public.tiles_held[seat]]
        if CLERGY_CODE + cards.clergy_kind[tile] != blank
    ]
    effects += [
        cards.house_power[group, level] for group in range(GROUPS) for level in range(public.group[seat, group])
    ]
    for effect in effects:
        power[effect.first : effect.last] += effect.amount
    return power


def icons(cards: Any, public: Any, seat: int, blank: int) -> int:
    """Influence numbers of the top slots, that of the blank left out."""
    total = 0
    for card in public.top[seat]:
        if card >= SHIP and SHIP_CODE + SHIP_COPIES * (card - SHIP) != blank:
            total += cards.ship_influence[card - SHIP]
        elif 0 <= card < SHIP and CARD_CODE + card != blank:
            total += cards.influence[card]
    return total


@pytest.mark.parametrize(
    "id_",
    ["blue_builder_1", "blue_king_2", "blue_treasury_6", "ship_blue", "ship_purple", "clergy_ck01", "clergy_ck10"],
)
def test_a_blank_shows_nothing_and_the_others_have_all(id_: str) -> None:
    """Influence numbers and lasting effects add up to those of everything but the blank of its player."""
    one = denial_of(id_)
    held = 0
    for made, seat, step in steps(one, deals=15):
        public, cards = made.state.public, made.cards
        for other in range(SEATS):
            blank = code_of(one) if other == seat else -1
            assert np.array_equal(public.power[other], lasting(cards, public, other, blank)), step
            assert public.icons[other] == icons(cards, public, other, blank), step
        held += public.icons[seat] != icons(cards, public, seat, -1)
        held += bool((public.power[seat] != lasting(cards, public, seat, -1)).any())
        if held > ENOUGH:
            break
    assert held > 0


def test_a_blank_noble_card_has_no_reward() -> None:
    """A card into the portfolio leaves all as it was, and the next question is none of a reward or a penalty."""
    then, plays = (Decision.PORTFOLIO_DISCARD, Decision.PORTFOLIO_ACTION, Decision.DRAW), 0
    nobles = [one for one in denials("blank", CARD_CODE, BLOCK_CODE) if one.group != "treasury"]
    for one in nobles[::3]:
        for made, seat, step in steps(one, deals=2):
            for kind, _, who, code in step.events:
                if kind == Event.PORTFOLIO and who == seat and code == code_of(one):
                    plays += 1
                    assert made.state.public.decision in then
                    for name in ("goods", "reais", "influence", "standing", "cubes", "price"):
                        assert np.array_equal(step.public[name], made.state.public[name]), name
    assert plays > 2


def test_a_blank_treasury_card_is_no_event_and_pays_its_subsidy() -> None:
    one, held, tucked = denial_of("blue_treasury_6"), 0, 0
    card = code_of(one) - CARD_CODE
    for made, seat, step in steps(one, deals=12):
        if step.decision == Decision.MAIN and step.seat == seat:
            cards, hand = made.cards, played(step, seat, made)
            assert cards.kind[card] == TREASURY
            if hand == (card, PLAY_COURT):
                pytest.fail("the event of a blank")
            if hand == (card, PLAY_PORTFOLIO):
                tucked += 1
                value = cards.treasury_value[step.public.treasury]
                gained = made.state.public.reais[seat] - step.public.reais[seat]
                assert gained >= value
            held += hand[0] == card
    assert held > 0
    assert tucked > 0


def played(step: Step, seat: int, made: Table) -> tuple[int, int]:
    """The card of a MAIN, from what was told of it, and its mode."""
    fates = (Event.GOLD, Event.PORTFOLIO, Event.COURT)
    (card,) = (code - CARD_CODE for kind, _, who, code in step.events if kind in fates and who == seat)
    return card, step.action % 64 % 3


def test_a_blank_tile_is_surrendered_for_influence_alone() -> None:
    """The wigs on the back of each tile that is surrendered, and none for a blank."""
    given = {True: 0, False: 0}
    for one in denials("blank", CLERGY_CODE, CARD_CODE)[:6]:
        for made, seat, step in steps(one, deals=3):
            for kind, _, who, code in step.events:
                if kind != Event.KIND_SCORED or step.decision != Decision.SURRENDER or code < CLERGY_CODE:
                    continue
                wigs = sum(value for part, _, _, value in step.events if part == Event.SURRENDERED)
                is_blank = who == seat and code == code_of(one)
                tile = step.public.clergy[who, step.action % 64]
                assert wigs == (0 if is_blank else made.cards.back_wigs[tile])
                given[is_blank] += 1
    assert all(given.values())


@pytest.mark.parametrize("id_", ["ship_blue", "ship_red"])
def test_a_blank_ship_sails_for_no_wigs_and_counts_no_hull(id_: str) -> None:
    one = denial_of(id_)
    kind = (code_of(one) - SHIP_CODE) // SHIP_COPIES
    sailed = {True: 0, False: 0}
    for made, seat, step in steps(one, deals=10):
        public = made.state.public
        for event, _, who, value in step.events:
            if event == Event.SAILING:
                assert value > 0
                sailed[who == seat] += 1
            if event == Event.FINAL_SHIPS:
                hulls = [made.cards.hull[card - SHIP] for card in public.top[who] if card >= SHIP]
                if who == seat:
                    hulls = [hull for hull in hulls if hull != made.cards.hull[kind]]
                assert value == made.cards.wigs_per_hull * sum(hulls)
        if step.decision == Decision.SELL and public.at_sea[seat].sum() > step.public.at_sea[seat].sum():
            (slot,) = np.flatnonzero(public.at_sea[seat] > step.public.at_sea[seat])
            is_blank = public.top[seat, slot] == SHIP + kind
            told = [value for event, _, who, value in step.events if event == Event.SAILING and who == seat]
            assert len(told) == (0 if is_blank else 1)
            sailed[True] += is_blank
    assert all(sailed.values())


def test_a_blank_decree_scores_nothing() -> None:
    """The part of the final score, kind by kind, is what it is without the blank."""
    scored = np.zeros(2, np.int64)
    for one in denials("blank", 0, DECREE_KINDS)[:8]:
        kinds = range(code_of(one), code_of(one) + 1)
        scored += counted(one, Event.KIND_SCORED, kinds, deals=3, bot="expert")
    assert scored[0] == 0
    assert scored[1] > 0


# --- All of them, and none -------------------------------------------------------------------------------------------


def test_what_can_be_denied() -> None:
    for seats in GAME.seats:
        logged = {card.type: card for card in GAME.log_cards(STANDARD, seats)}
        kinds = {kind: {one.type for one in GAME.interventions(STANDARD, seats) if one.kind == kind} for kind in KINDS}
        for type_, card in logged.items():
            is_decree, is_block = card.group == "decree", card.group.startswith("block")
            assert (type_ in kinds["ban"]) == (is_decree or is_block)
            assert (type_ in kinds["blank"]) == (not is_block and card.group not in ("plans", "public buildings"))


@pytest.mark.parametrize("bot", ["uniform", "greedy", "expert"])
def test_with_each_denial_games_come_to_their_end(bot: str) -> None:
    made = table(bot=bot)
    for one in GAME.interventions(STANDARD, SEATS):
        made.intervene(one.fields)
        (done,) = made.play(0, 2, "games")
        assert (done.rows["status"] == 0).all()
        assert len(done.rows) == 2 * SEATS


@pytest.mark.parametrize(("bot", "less"), [("expert", 0.7), ("greedy", 0.9)])
def test_bots_know_of_a_blank(bot: str, less: float) -> None:
    """They take blank decrees, and tuck blank cards with high influence numbers, less often than others do."""
    blanked = np.zeros(2, np.int64)
    for one in denials("blank", 0, DECREE_KINDS)[:12]:
        blanked += counted(one, Event.KIND_TAKEN, range(code_of(one), code_of(one) + 1), deals=8, bot=bot)
    own, others = blanked
    assert own < less * others / (SEATS - 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_where_nobody_is_denied_the_game_is_as_it_was(seats: int) -> None:
    names = ("uniform",) * seats
    plain, cleared = (Table("lisboa", STANDARD, seats, names, seed=5) for _ in range(2))
    for one in GAME.interventions(STANDARD, seats)[::40]:
        cleared.intervene(one.fields)
    cleared.intervene()
    (before,), (after,) = plain.play(0, 3, "games"), cleared.play(0, 3, "games")
    assert np.array_equal(before.rows, after.rows)
