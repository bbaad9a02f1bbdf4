"""Lost Cities' interventions: a banned player never plays the card, in no round, and a blank one adds nothing; for the
other player all is as ever. Bots know.
"""

import numpy as np
import pytest

from simcore import cardset, game, records
from simcore.game import Intervention
from simcore.games.lost_cities.rules import Event, discard_action, play_action
from simcore.games.lost_cities.state import MIND, Decision
from simcore.play import Table

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("lost-cities")
SEATS = 2


def table(name: str, one: Intervention | None = None, bot: str = "uniform") -> Table:
    made = Table("lost-cities", cardset.load(GAME.schema, name), SEATS, (bot,) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def denials(name: str, kind: str = "ban") -> dict[str, Intervention]:
    declared = GAME.interventions(cardset.load(GAME.schema, name), SEATS)
    return {one.label: one for one in declared if one.kind == kind}


def fates(name: str, one: Intervention, kind: Event, deals: int, bot: str = "uniform") -> list[int]:
    """How many copies of the card place 0 and place 1 have played or discarded."""
    found, code = [0, 0], dict(one.fields)[f"{one.kind}_code"]
    for deal in range(deals):
        for rotation in range(SEATS):
            made = table(name, one, bot)
            copies = made.cards.type == made.cards.type[code]
            for step in made.steps(deal, rotation):
                for event, _, seat, card in step.events:
                    if event == kind and copies[card]:
                        found[(seat + rotation) % SEATS] += 1
    return found


@pytest.mark.parametrize(("name", "label"), [("base", "yellow 5"), ("base", "red wager"), ("long", "purple 10")])
def test_a_banned_player_never_plays_the_card_and_the_other_does(name: str, label: str) -> None:
    one = denials(name)[label]
    own, other = fates(name, one, Event.PLAYED, deals=6)
    assert own == 0
    assert other > 0
    assert fates(name, one, Event.DISCARDED, deals=2)[0] > 0


@pytest.mark.parametrize("deal", [0, 3, 5])  # in which place 0 holds the card late
def test_a_ban_on_a_card_that_is_not_held_changes_nothing(deal: int) -> None:
    """The same deal with and without a ban is one game until the player holds the card."""
    one = denials("single_round")["yellow 5"]
    code, alike = dict(one.fields)["ban_code"], 0
    for step, same in zip(
        table("single_round").steps(deal, 0), table("single_round", one).steps(deal, 0), strict=False
    ):
        assert (step.action, step.options) == (same.action, same.options)
        if any(seat == 0 and card == code for _, _, seat, card in step.events):
            break
        alike += 1
    assert alike > 30


def test_every_kind_of_card_can_be_banned_and_blanked() -> None:
    standard = cardset.load(GAME.schema, "base")
    types = {card.type for card in GAME.log_cards(standard, SEATS)}
    for kind in ("ban", "blank"):
        assert {one.type for one in denials("base", kind).values()} == types
    assert len(types) == 50  # of each of five colours nine numbers, and the wagers as one


@pytest.mark.parametrize("bot", ["heuristic", "expert", "linear", "trained"])
@pytest.mark.parametrize("label", ["yellow 5", "red wager"])
def test_bots_know_what_they_may_not_play(label: str, bot: str) -> None:
    """Else a choice would be refused."""
    own, other = fates("base", denials("base")[label], Event.PLAYED, deals=4, bot=bot)
    assert own == 0
    assert other > 0


# --- Blank cards -----------------------------------------------------------------------------------------------------


def points_of(column: list[int], cards: np.void) -> int:
    """LC-6.2, LC-6.3: the score of a column of these codes."""
    if not column:
        return 0
    wagers = sum(int(cards.is_wager[code]) for code in column)
    points = (sum(int(cards.value[code]) for code in column) - int(cards.cost)) * (wagers + 1)
    return points + int(cards.bonus) * (len(column) >= cards.bonus_min)


@pytest.mark.parametrize(("name", "label"), [("base", "yellow 5"), ("base", "red wager"), ("long", "purple 10")])
def test_a_blank_card_adds_nothing_to_its_players_columns(name: str, label: str) -> None:
    """After every action the standing is what the columns score, blank cards of place 0 left out."""
    one = denials(name, "blank")[label]
    code, blanks = dict(one.fields)["blank_code"], [0, 0]
    for deal in range(4):
        for rotation in range(SEATS):
            made = table(name, one)
            cards, columns, rounds = made.cards, {}, 0
            for step in made.steps(deal, rotation):
                public = made.state.public
                for kind, _, seat, card in step.events:
                    if kind == Event.PLAYED:
                        is_copy = cards.type[card] == cards.type[code]
                        place = (seat + rotation) % SEATS
                        blanks[place] += is_copy
                        if not (is_copy and place == 0):
                            columns.setdefault((seat, int(cards.colour[card])), []).append(card)
                if public.rounds > rounds:
                    columns, rounds = {}, int(public.rounds)
                    continue
                for seat in range(SEATS):
                    scored = sum(points_of(column, cards) for (whose, _), column in columns.items() if whose == seat)
                    assert public.standing[seat] - public.total[seat] == scored
    assert min(blanks) > 0


def test_the_heuristic_does_not_play_blank_cards() -> None:
    own, other = fates("base", denials("base", "blank")["yellow 10"], Event.PLAYED, deals=8, bot="heuristic")
    assert own == 0
    assert other > 5


def gains(one: Intervention | None, code: int, deals: int) -> list[float]:
    """What the expert of place 0 thinks that it gains by playing a card that it may play."""
    found, action, made = [], play_action(code), table("base", one, "expert")
    for deal in range(deals):
        for rotation in range(SEATS):
            found += [
                float(made.minds[0]["estimates"][action])
                for step in made.steps(deal, rotation)
                if step.seat == -rotation % SEATS and step.decision == Decision.CARD and action in step.options
            ]
    return found


def test_the_expert_knows_that_a_blank_card_brings_nothing() -> None:
    """It plays one only to be rid of it; a free one may bring it points."""
    one = denials("base", "blank")["yellow 10"]
    code = dict(one.fields)["blank_code"]
    assert max(gains(None, code, 6)) > 5
    assert max(gains(one, code, 6)) < 1


def test_features_take_a_blank_card_for_a_dead_one() -> None:
    """What linear and trained bots are told of playing, discarding and taking it."""
    one, seen = denials("base", "blank")["yellow 5"], 0
    code, made, mind = dict(one.fields)["blank_code"], table("base", one), records.zero(MIND)
    names = GAME.features
    for step in made.steps(1, 0):
        public = made.state.public
        if public.actor != 0 or public.decision != Decision.CARD or not int(made.state.private[0].hand[0]) >> code & 1:
            continue
        told = []
        for action in (play_action(code), discard_action(code)):
            game.features(public, made.state.private[0], made.cards, action, mind)
            told.append({name: value for name, value in zip(names, mind.features, strict=False) if value})
        assert set(told[0]) <= {"play", "skipped_held", "skipped_unseen", "skipped_wagers"}
        assert told[1]["dead"] == 1
        assert not {"lost", "lost_new", "lost_wager"} & set(told[1])
        seen += step.seat >= 0
    assert seen > 5


@pytest.mark.parametrize("label", ["yellow 5", "red wager"])
def test_a_blank_leaves_the_luck_and_the_choices(label: str) -> None:
    """Players who choose at random play the same game with it; only the standings differ."""
    free, blank, differ = table("single_round"), table("single_round", denials("single_round", "blank")[label]), 0
    for deal in range(30):
        for step, same in zip(free.steps(deal, 0), blank.steps(deal, 0), strict=True):
            assert (step.action, step.options, step.events[:1]) == (same.action, same.options, same.events[:1])
        assert free.state.public.standing[1] == blank.state.public.standing[1]
        differ += free.state.public.standing[0] != blank.state.public.standing[0]
    assert differ > 0


def test_where_nobody_is_denied_the_game_is_as_it_was() -> None:
    plain, cleared = table("base"), table("base")
    for one in (*denials("base").values(), *denials("base", "blank").values()):
        cleared.intervene(one.fields)
    cleared.intervene()
    (before,), (after,) = plain.play(0, 20, "games"), cleared.play(0, 20, "games")
    assert np.array_equal(before.rows, after.rows)
