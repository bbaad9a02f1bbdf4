"""Lisboa's interventions: a banned player never takes the kind of decree; a display of banned ones is empty for it."""

import numpy as np
import pytest

from simcore import cardset, game
from simcore.game import Intervention
from simcore.games.lisboa.rules.events import CLERGY_CODE, Event
from simcore.games.lisboa.state import MARQUIS, NOBLE_ACTION, Decision
from simcore.play import Table

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python

GAME = game.get("lisboa")
STANDARD = cardset.load(GAME.schema, "standard")
SEATS = 3


def table(one: Intervention | None = None) -> Table:
    made = Table("lisboa", STANDARD, SEATS, ("uniform",) * SEATS, seed=3)
    if one is not None:
        made.intervene(one.fields)
    return made


def taken(one: Intervention, deals: int) -> tuple[int, int]:
    """How many decrees of the banned kinds place 0 and all others have taken."""
    banned = dict(one.fields)["banned"]
    own = others = 0
    for deal in range(deals):
        for rotation in range(SEATS):
            seat = -rotation % SEATS
            for step in table(one).steps(deal, rotation):
                for kind, _, who, code in step.events:
                    if kind == Event.KIND_TAKEN and code < CLERGY_CODE and banned >> code & 1:
                        own += who == seat
                        others += who != seat
    return own, others


def test_each_kind_of_decree_can_be_banned() -> None:
    kinds = {row["decree_kind"] for row in STANDARD.tables["decrees"]}
    for seats in GAME.seats:
        removed = {row["decree_kind"] for row in STANDARD.tables["decrees"] if seats == 2 and row["remove_in_2p"]}
        assert len(GAME.interventions(STANDARD, seats)) == len(kinds - removed)


def test_a_banned_player_never_takes_the_kind_and_the_others_do() -> None:
    one = GAME.interventions(STANDARD, SEATS)[0]
    own, others = taken(one, deals=6)
    assert own == 0
    assert others > 0


def test_a_display_of_banned_decrees_is_empty() -> None:
    """The banned player neither visits the Marquis nor follows for a decree nor is asked for a marker."""
    everything = sum(dict(one.fields)["banned"] for one in GAME.interventions(STANDARD, SEATS))
    one = Intervention("ban", "", "", "", "", (("ban_place", 0), ("banned", everything)))
    for rotation in range(SEATS):
        made, seat = table(one), -rotation % SEATS
        for step in made.steps(0, rotation):
            if step.seat != seat:
                continue
            assert step.decision not in (Decision.DECREE_PICK, Decision.DECREE_MARKER)
            assert all(kind != Event.VISITS + MARQUIS for kind, _, _, _ in step.events)
            if step.decision == Decision.FOLLOW and step.public.visited == MARQUIS:
                assert 64 * Decision.FOLLOW + NOBLE_ACTION not in step.options


@pytest.mark.parametrize("seats", GAME.seats)
def test_where_nobody_is_denied_the_game_is_as_it_was(seats: int) -> None:
    names = ("uniform",) * seats
    plain, cleared = (Table("lisboa", STANDARD, seats, names, seed=5) for _ in range(2))
    cleared.intervene(GAME.interventions(STANDARD, seats)[0].fields)
    cleared.intervene()
    (before,), (after,) = plain.play(0, 3, "games"), cleared.play(0, 3, "games")
    assert np.array_equal(before.rows, after.rows)
