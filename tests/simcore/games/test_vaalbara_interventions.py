"""Vaalbara's interventions: a blank character does nothing for its player, a banned one is not played, and lands of a
banned type are taken only where there is no other, and pay nothing. Bots know.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from simcore import cardset, game, records
from simcore.cardset import CardSet
from simcore.game import Intervention
from simcore.games.vaalbara.rules import Event
from simcore.games.vaalbara.state import FIRST, MIND, STATE, TYPES, Decision
from simcore.play import Step, Table
from tests.reference.vaalbara_agreement import Witness
from tests.reference.vaalbara_features import Looker
from tests.simcore.imagining import imagined, noise_of, play_on, positions
from tests.simcore.vaalbara_sets import edited, inputs

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("vaalbara")
STANDARD = cardset.load(GAME.schema, "default")
SEATS = 3
CHARACTERS = [row["key"] for row in STANDARD.tables["characters"]]
REWARDS = range(Event.REWARD, Event.REWARD + TYPES)
LANDS = range(Event.LANDS, Event.LANDS + TYPES)
NOTED = {
    "hunter": Event.HUNTERS,
    "oracle": Event.ORACLES,
    "carpenter": Event.CARPENTERS,
    "falconer": Event.FALCONERS,
    "artisan": Event.ARTISANS,
    "pioneer": Event.PIONEERS,
    "farmer": Event.FARMER,
}
"""What is noted of a seat when the effect comes into force."""
ASKED = {
    "fighter": Decision.SHOW_FIGHTER,
    "bard": Decision.BARD,
    "tracker": Decision.TRACKER,
    "midwife": Decision.MIDWIFE,
    "rider": Decision.RIDER,
    "pioneer": Decision.PIONEER,
}
"""What is asked in the turn of the seat."""


def table(one: Intervention | None = None, bot: str = "uniform", card_set: CardSet = STANDARD) -> Table:
    made = Table("vaalbara", card_set, SEATS, (bot,) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def denials(kind: str, seats: int = SEATS) -> dict[str, Intervention]:
    return {one.label: one for one in GAME.interventions(STANDARD, seats) if one.kind == kind}


def every(field: str, kind: str) -> Intervention:
    """All denials of a field together."""
    denied = sum(dict(one.fields).get(field, 0) for one in denials(kind).values())
    return Intervention(kind, "", "", "", "", (("ban_place", 0), (field, denied)))


def games(one: Intervention | None, deals: int, bot: str = "uniform") -> Iterator[tuple[int, Table, Step]]:
    """The steps of the games of some deals, with the seat of place 0."""
    made = table(one, bot)
    for deal in range(deals):
        for rotation in range(SEATS):
            for step in made.steps(deal, rotation):
                yield -rotation % SEATS, made, step


# --- Blank characters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_blank_character_does_nothing(character: str) -> None:
    """Its effect neither comes into force nor asks anything; the player plays it, and the others' goes on working."""
    code, played, own, others = CHARACTERS.index(character), 0, 0, 0
    for seat, _, step in games(denials("blank")[character], deals=3):
        used = [who for kind, _, who, _ in step.events if kind == NOTED.get(character)]
        used += [step.public.active for asked in (ASKED.get(character),) if step.seat >= 0 and step.decision == asked]
        own += used.count(seat)
        others += len(used) - used.count(seat)
        played += any(kind == Event.PLAYED and (who, value) == (seat, code) for kind, _, who, value in step.events)
    assert own == 0
    assert others > 1
    assert played > 2


def test_a_blank_character_leaves_the_standing_to_lands() -> None:
    """With all characters blank a player gains by its lands, the bonus, and what others' Fighters and Bards bring."""
    one = every("blanked", "blank")
    parts = {*REWARDS, Event.START, Event.BARD, Event.ROBBED, Event.BONUS}
    for seat, _, step in games(one, deals=4):
        for kind, _, who, value in step.events:
            if who == seat and kind in range(Event.REWARD, Event.LANDS) and value:
                assert kind in parts
            assert who != seat or kind != Event.FARMER


def test_a_blank_fighter_is_never_shown() -> None:
    """In hand it is worth nothing either; the others go on showing theirs."""
    asked = 0
    for seat, _, step in games(denials("blank")["fighter"], deals=6):
        assert step.decision != Decision.SHOW_FIGHTER or step.seat != seat
        asked += step.decision == Decision.SHOW_FIGHTER
    assert asked > 5


@pytest.mark.parametrize("bot", ["uniform", "greedy_land", "expert", "linear", "trained"])
@pytest.mark.parametrize("character", CHARACTERS)
def test_blank_to_all_is_the_game_without_the_effect(character: str, bot: str) -> None:
    """Rules and bots take a character that is blank to every seat for one that has no effect in the card set."""
    rows = [
        {**row, "effect_code": "NONE", "vp_amount": 0} if row["key"] == character else row
        for row in inputs(STANDARD)["characters"]
    ]
    without = table(bot=bot, card_set=edited(tables={"characters": rows})).steps(1, 0)
    blank = table(bot=bot)
    steps = blank.steps(1, 0)
    assert next(steps).events == next(without).events
    blank.state.public.blanked[:SEATS] = 1 << CHARACTERS.index(character)
    for ours, theirs in zip(steps, without, strict=True):
        assert (ours.seat, ours.options, ours.action) == (theirs.seat, theirs.options, theirs.action)
        assert ours.events == theirs.events


# --- Banned characters -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["uniform", "expert"])
@pytest.mark.parametrize("character", ["fighter", "midwife", "pioneer"])
def test_a_banned_character_is_not_played_and_the_others_play_it(character: str, bot: str) -> None:
    code, own, others = CHARACTERS.index(character), 0, 0
    for seat, _, step in games(denials("ban")[character], deals=3, bot=bot):
        for kind, _, who, value in step.events:
            if kind == Event.PLAYED and value == code:
                own += who == seat
                others += who != seat
    assert own == 0
    assert others > 0


def test_who_has_only_banned_characters_plays_them() -> None:
    """A ban on all is none (VB-3.1: choosing is compulsory)."""
    for (_, _, step), (_, _, free) in zip(games(every("banned", "ban"), 2), games(None, 2), strict=True):
        assert (step.action, step.options) == (free.action, free.options)


# --- Banned lands ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["uniform", "greedy_land", "expert", "linear", "trained"])
@pytest.mark.parametrize("number", range(TYPES))
def test_a_banned_land_is_taken_only_where_there_is_no_other(number: int, bot: str) -> None:
    one = denials("ban")[tuple(denials("ban"))[number]]
    assert dict(one.fields)["banned_types"] == 1 << number
    others = 0
    for seat, made, step in games(one, deals=2, bot=bot):
        if step.decision != Decision.TAKE:
            continue
        before = step.public
        kinds = [int(made.cards.type[code]) for code in before.row[FIRST][: before["count"][FIRST]]]
        allowed = [place for place, kind in enumerate(kinds) if kind != number]
        if step.seat != seat or not allowed:
            allowed = list(range(len(kinds)))
        assert list(step.options) == [64 * Decision.TAKE + place for place in allowed]
        others += step.seat != seat and kinds[step.action % 64] == number
    assert others > 0


@pytest.mark.parametrize("number", range(TYPES))
def test_a_banned_land_pays_nothing_and_lies_in_the_realm(number: int) -> None:
    """Not even one that a Pioneer brings; the other types and the other seats are paid as ever."""
    one = denials("ban")[tuple(denials("ban"))[number]]
    taken = paid = others = 0
    for seat, made, step in games(one, deals=8):
        brought = [value for kind, _, who, value in step.events if kind == Event.DRAWN and who == seat and value >= 16]
        for kind, _, who, value in step.events:
            if kind == Event.REWARD + number:
                assert who != seat or value == 0
                others += who != seat and value > 0
            if kind == Event.PIONEER and who == seat and brought:
                assert made.cards.type[brought[0]] != number or value == 0
            taken += who == seat and kind == Event.LANDS + number
            paid += who == seat and kind in REWARDS and value > 0
        if step.seat >= 0 and made.state.public.actor < 0:
            realm = made.state.public.realm[seat][: made.state.public.lands[seat]]
            counts = np.bincount(made.cards.type[realm], minlength=TYPES)
            assert counts.tolist() == made.state.public.have[seat].tolist()
    assert taken > 0
    assert paid > 50
    assert others > 10


def test_all_types_banned_leave_the_choice_and_no_reward() -> None:
    for seat, _, step in games(every("banned_types", "ban"), deals=2):
        assert step.seat != seat or step.decision != Decision.TAKE or len(step.options) == step.public["count"][FIRST]
        assert all(who != seat or not value for kind, _, who, value in step.events if kind in REWARDS)


def test_a_banned_land_promises_nothing() -> None:
    """What a bot is told that a row is worth to it is what its other lands are worth."""
    kernels, mind = Table("vaalbara", STANDARD, SEATS, ("uniform",) * SEATS, 11), records.zero(MIND)
    witness, places = Witness(kernels), 0
    spot = GAME.features.index("land")
    for _ in witness.follow(2):
        match, table_seen = witness.match, witness.match.table
        if match.actor < 0 or table_seen.expects != "CHARACTER":
            continue
        seat = match.actor
        looker, (character, *_) = Looker(table_seen, seat, match.hands[seat]), match.options()
        initiative = looker.rules.character[character].initiative
        row = [land for land in table_seen.rows["first"] if land.type != "mountain"]
        best = max((looker.promise(seat, land, initiative) for land in row), default=0.0)
        public = kernels.state.public.copy()
        public.banned_types[seat] = 1 << 4
        action = witness.coding.action(table_seen, "CHARACTER", character)
        game.features(public, kernels.state.private[seat], kernels.cards, action, mind)
        assert mind.features[spot] == pytest.approx(best)
        places += len(row) < SEATS
    assert places > 0


# --- All of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_can_be_denied(seats: int) -> None:
    types = [row["key"] for row in STANDARD.tables["land_types"]]
    assert list(denials("blank", seats)) == CHARACTERS
    assert list(denials("ban", seats)) == [*types, *CHARACTERS]
    forests = {card.type for card in GAME.log_cards(STANDARD, seats) if card.type.startswith("forest")}
    assert set(denials("ban", seats)["forest"].types) == forests


def test_each_denial_leaves_the_luck_of_the_deal_and_comes_to_an_end() -> None:
    free = table()
    for one in GAME.interventions(STANDARD, SEATS):
        denied = table(one)
        assert next(free.steps(4, 1)).events == next(denied.steps(4, 1)).events
        assert free.state.secret.tobytes() == denied.state.secret.tobytes()
        assert free.state.private.tobytes() == denied.state.private.tobytes()
        (done,) = denied.play(0, 1, "games")
        assert (done.rows["status"] == 0).all()


@pytest.mark.parametrize("character", ["hunter", "pioneer"])
def test_until_the_card_is_played_the_game_is_the_same(character: str) -> None:
    """A blank changes nothing before its player's turn with it."""
    code, alike = CHARACTERS.index(character), 0
    blank = games(denials("blank")[character], deals=1)
    for (seat, _, step), (_, _, free) in zip(blank, games(None, deals=1), strict=False):
        if free.public.revealed[seat] == code:
            break
        assert (step.action, step.options) == (free.action, free.options)
        alike += 1
    assert alike > 10


@pytest.mark.parametrize("seats", GAME.seats)
def test_where_nobody_is_denied_the_game_is_as_it_was(seats: int) -> None:
    names = ("uniform",) * seats
    plain, cleared = (Table("vaalbara", STANDARD, seats, names, seed=5) for _ in range(2))
    for one in GAME.interventions(STANDARD, seats):
        cleared.intervene(one.fields)
    cleared.intervene()
    (before,), (after,) = plain.play(0, 3, "games"), cleared.play(0, 3, "games")
    assert np.array_equal(before.rows, after.rows)


def test_imagined_games_keep_the_denial() -> None:
    """Also where place 0 has chosen in secret: what it may not play, nobody imagines that it has played."""
    code, chosen = CHARACTERS.index("oracle"), 0
    denied, state = table(denials("ban")["oracle"]), records.zero(STATE)
    for deal in range(4):
        for number in positions(denied, deal):
            if denied.state.public.decision == Decision.CHARACTER and denied.state.public.actor == 2:
                imagined(denied, 2, noise_of(number), state)
                assert state.public.tobytes() == denied.state.public.tobytes()
                assert state.private[0].chosen != code
                chosen += 1
    assert chosen > 20
    playout = table(denials("ban")["oracle"])
    playout.state = imagined(denied, 1, noise_of(1))
    play_on(playout)
    assert not int(playout.state.public.discard[0]) >> code & 1


def test_a_blank_fighter_is_imagined_in_a_hand_that_is_not_asked() -> None:
    """Who is asked to show a Fighter holds one that can be shown."""
    denied, state = table(denials("blank")["fighter"]), records.zero(STATE)
    for deal in range(4):
        for number in positions(denied, deal):
            for seat in range(SEATS):
                imagined(denied, seat, noise_of(number), state)
                hands = [int(state.private[other].hand).bit_count() for other in range(SEATS)]
                chosen = [int(state.private[other].chosen >= 0) for other in range(SEATS)]
                assert [a + b for a, b in zip(hands, chosen, strict=True)] == state.public.hand[:SEATS].tolist()


@pytest.mark.parametrize("bot", ["search:4", "search-tree:4"])
def test_searches_play_by_the_denial(bot: str) -> None:
    for label in ("mountain", "hunter"):
        made = Table("vaalbara", STANDARD, 2, (bot, "uniform"), seed=3)
        made.intervene(denials("ban", 2)[label].fields)
        (done,) = made.play(0, 1, "games")
        assert (done.rows["status"] == 0).all()
