"""The worked examples of the rules page of Vaalbara, and its rules one by one, on positions that are set up.

Every step here is taken by the kernels and by the plain Python reference, and compared (see vaalbara_positions.py).
"""

from collections.abc import Sequence

import pytest

from simcore.errors import JobError
from simcore.play import Table
from tests.reference.vaalbara import CLANS, FIRST, SECOND, SHOW_FIGHTER, TAKE, Land, reward
from tests.reference.vaalbara_agreement import GAME, Witness, rules_of
from tests.simcore.games.vaalbara_positions import RESTING, Luck, Position
from tests.simcore.vaalbara_sets import edited, inputs, shipped

pytestmark = pytest.mark.engine

BLUE, PURPLE, YELLOW, RED = "blue", "purple", "yellow", "red"
FILLER = "forest3"


def taken(luck: Luck, key: str, kind: str = "") -> Position:
    """Seat 0 plays this character, the others rest; seat 0's turn is over."""
    position = Position(luck)
    position.choose(*position.rest(0, key))
    while position.actor != 0:
        position.take("forest")
    position.take(kind)
    return position


# -------------------------------------------------------------------------------------------------- worked examples


def test_a_full_round() -> None:
    """VB-E1; VB-3.2, VB-4.1, VB-4.2, VB-4.5, VB-5.1, VB-5.2, VB-5.6, VB-6.3, VB-6.10, VB-6.12."""
    position = Position(
        Luck(
            seats=4,
            clans=[BLUE, PURPLE, YELLOW, RED],
            realms=[[], ["field"], ["river"], ["meadow"]],
            hands=[["hunter"], ["hunter"], ["artisan"], ["farmer"]],
            first=["meadow", "field", "river", "field"],
            top=["village@gbypr"],
        )
    )
    position.choose("hunter", "hunter", "artisan", "farmer")
    order = []
    for kind in ("meadow", "field", "river", "field"):
        order.append(position.actor)
        position.take(kind)
    assert order == [0, 1, 2, 3]
    assert [position.gains(seat) for seat in range(4)] == [
        {"hunter": 3, "meadow": 2},
        {"field": 4},
        {"river": 12},
        {"field": 4},
    ]
    assert position.standing == [2 + 5, 2 + 4, 2 + 12, 2 + 4]


@pytest.mark.parametrize(
    ("realms", "points"),
    [
        pytest.param([2, 1, 2, 1, 1], 5, id="VB-E2"),
        pytest.param([1, 2], 4, id="VB-E3"),
        pytest.param([0, 0, 0], 1, id="the least"),
        pytest.param([0, 4, 4], 9, id="three seats: all are neighbours"),
    ],
)
def test_meadows(realms: list[int], points: int) -> None:
    """VB-5.1, VB-2.7: the neighbours' Meadows count, each neighbour once."""
    held = [["meadow"] * number for number in realms]
    position = taken(Luck(len(realms), hands=[["fighter"]], realms=held, first=["meadow"]), "fighter", "meadow")
    assert position.gains(0) == {"meadow": points}


@pytest.mark.parametrize(("key", "factor"), [("fighter", 1), ("farmer", 2)])
@pytest.mark.parametrize(("before", "points"), [*enumerate([0, 10, 0, 20, 0, 0])])
def test_mountains(before: int, points: int, key: str, factor: int) -> None:
    """VB-E4; VB-5.5, VB-5.5a, VB-6.12: the fourth pays 20, not 30."""
    first = ["mountain", FILLER]
    position = taken(Luck(2, hands=[[key]], realms=[["mountain"] * before], first=first), key, "mountain")
    assert position.gains(0).get("mountain", 0) == factor * points


@pytest.mark.parametrize(
    ("key", "rivers", "points"), [("hunter", 2, 9), ("farmer", 1, 24), ("fighter", 3, 4), ("midwife", 0, 6)]
)
def test_rivers(key: str, rivers: int, points: int) -> None:
    """VB-E5; VB-5.6, VB-5.7: the character counts although it lies on the discard pile."""
    position = taken(Luck(2, hands=[[key]], realms=[["river"] * rivers], first=["river"]), key, "river")
    assert position.gains(0)["river"] == points
    assert position.table.discards[0][-1].key == key


def test_village() -> None:
    """VB-E6; VB-5.4."""
    realm = ["village", "field", "river", "field", "mountain"]
    position = taken(Luck(2, hands=[["fighter"]], realms=[realm], first=["village"]), "fighter", "village")
    assert position.gains(0) == {"village": 8}


def test_carpenter() -> None:
    """VB-E7; VB-6.5, VB-5.3: a Forest taken in the same turn does not count."""
    luck = Luck(2, hands=[["carpenter"]], realms=[["forest3", "forest6"]], first=[FILLER, "forest5"])
    position = Position(luck)
    position.choose("carpenter", RESTING)
    position.take("forest")  # seat 1, who rests
    position.take("forest")
    assert position.gains(0) == {"carpenter": 6, "forest": 5}


@pytest.mark.parametrize(("falconer_first", "stolen"), [(False, 1), (True, 0)])
def test_falconer(falconer_first: bool, stolen: int) -> None:
    """VB-E8; VB-6.6, VB-6.6a: from the previous actor, no more than it has; nothing for the first actor."""
    edits = {"falconer": {"initiative": 1}} if falconer_first else {}
    luck = Luck(
        3,
        vp=[50, 1, 0],
        hands=[["fighter"], ["hunter"], ["falconer"]],
        first=["mountain"] * 3,
        characters=edits | ({"fighter": {"initiative": 2}} if falconer_first else {}),
    )
    position = Position(luck)
    position.choose("fighter", "hunter", "falconer")
    order = []
    while position.table.rounds == 1:
        order.append(position.actor)
        position.take("mountain")
    assert order == ([2, 0, 1] if falconer_first else [0, 1, 2])
    assert position.standing == [50, 1 - stolen, stolen]


def test_falconer_takes_from_who_is_no_neighbour() -> None:
    """VB-6.6b: seats 0 and 2 of four."""
    position = Position(
        Luck(4, vp=[9, 9, 9, 9], hands=[["bard"], ["artisan"], ["falconer"], ["artisan"]], first=["mountain"] * 4)
    )
    position.choose("bard", "artisan", "falconer", "artisan")
    position.do("seat1")
    position.take()
    position.take()
    assert position.standing[:3] == [7, 11, 11]


def test_oracle() -> None:
    """VB-E9; VB-6.4, VB-4.6: also of who has not acted yet."""
    keys = ["tracker", "oracle", "farmer", "carpenter"]
    position = Position(Luck(4, hands=[[key] for key in keys]))
    position.choose(*keys)
    assert position.actor == 1
    assert position.gains(1) == {"oracle": 2}


def test_hunter_in_five_players() -> None:
    """VB-E10; VB-6.3: seat 2 is no neighbour of seat 0."""
    keys = ["hunter", "falconer", "fighter", "artisan", "rider"]
    position = Position(Luck(5, hands=[[key] for key in keys]))
    position.choose(*keys)
    assert position.actor == 2
    position.take()
    assert position.actor == 0
    assert position.gains(0) == {"hunter": 3}


def test_artisan_tie() -> None:
    """VB-E11; VB-6.10, VB-4.2."""
    position = Position(
        Luck(3, clans=[PURPLE, RED, BLUE], hands=[["artisan"], ["artisan"], [RESTING]], top=["field@gprby"])
    )
    position.choose("artisan", "artisan", RESTING)
    order = []
    while position.table.rounds == 1:
        order.append(position.actor)
        position.take()
    assert order == [2, 0, 1]
    assert ("artisan" in position.gains(0), position.gains(1)["artisan"]) == (False, 5)


@pytest.mark.parametrize(("switch", "order"), [("yes", [0, 2, 1]), ("no", [0, 1, 2])])
def test_tracker_turns_a_tie(switch: str, order: list[int]) -> None:
    """VB-E12; VB-4.3, VB-4.4, VB-6.7, VB-6.7a; and without VB-4.3 (section 13, no. 6)."""
    luck = Luck(
        3,
        clans=[RED, BLUE, PURPLE],
        hands=[["tracker"], ["rider"], ["rider"]],
        first=["meadow@gpbry"],
        top=["village@gbpry"],
        scalars={"tracker_reorders": switch},
    )
    position = Position(luck)
    position.choose("tracker", "rider", "rider")
    meadow = position.land(FIRST, "meadow")
    assert sorted(position.options) == sorted(
        [f"{row}:{land.id}" for row in (FIRST, SECOND) for land in position.table.rows[row]]
    )
    position.do(f"{FIRST}:{meadow}")
    assert position.table.omens == ("green", "purple", "blue", "red", "yellow")
    assert position.table.rows[FIRST][0].type == "village"
    position.take("village")  # VB-6.7b
    seen = [0]
    while position.table.rounds == 1:
        if position.actor != seen[-1]:
            seen.append(position.actor)
        position.do(position.options[0])
    assert seen == order


def test_pioneer() -> None:
    """VB-E13; VB-6.11, VB-6.11a, VB-6.11b: it pays with the outgoing land removed; the face below stays known."""
    luck = Luck(
        2,
        hands=[["pioneer"]],
        realms=[["mountain", "field", "river"]],
        first=["river", FILLER],
        bottom=["mountain"],
    )
    position = Position(luck)
    position.choose("pioneer", RESTING)
    position.take("forest")  # seat 1, who rests
    realm = [land.id for land in position.table.realms[0]]
    assert position.options == realm
    position.do(realm[1])
    assert position.gains(0) == {"pioneer:mountain": 10}
    position.take("river")
    assert position.gains(0) == {"pioneer:mountain": 10, "river": 12}
    assert [land.type for land in position.table.realms[0]] == ["mountain", "mountain", "river", "river"]
    bottom = position.table.deck[-1]
    assert bottom is not None
    assert bottom.id == realm[1]


def test_midwife_and_the_size_of_the_hand() -> None:
    """VB-E14; VB-3.9, VB-3.11, VB-6.8, VB-6.8b, VB-I6: in round 9 five cards, the others have four."""
    luck = Luck(
        2,
        rounds=2,
        realms=[[FILLER] * 2] * 2,
        hands=[["midwife", "farmer", "artisan", "falconer", "carpenter"], ["fighter", "farmer", "artisan", "rider"]],
        discards=[["hunter", "bard"], ["midwife", "bard"]],
    )
    position = Position(luck)
    public = position.kernels.state.public
    position.choose("midwife", RESTING)
    position.take()
    assert sorted(position.options) == ["bard", "hunter"]
    assert public.hand[0] == 4
    position.do("hunter")
    assert public.hand[0] == 5
    decks = public.clan_deck[:2].tolist()
    position.take()
    assert public.clan_deck[:2].tolist() == [decks[0], decks[1] - 1]
    while position.table.rounds < 8:
        position.finish_round()
    assert public.hand[:2].tolist() == [5, 4]
    assert public.clan_deck[:2].tolist() == [0, 0]
    assert len(position.options) == 5
    position.do(position.options[0])
    assert len(position.options) == 4


@pytest.mark.parametrize(("kind", "points"), [("field", 62), ("mountain", 67)])
def test_final_bonus(kind: str, points: int) -> None:
    """VB-E15; VB-7.1, VB-7.2, VB-7.6."""
    realm = ["field", "field", kind, "meadow", "meadow", "forest3", "village", "river"]
    luck = Luck(2, rounds=8, vp=[57 - 3, 0], realms=[realm, [FILLER] * 8], hands=[[RESTING]] * 2)
    position = Position(luck)
    position.choose(RESTING, RESTING)
    position.take("forest")
    position.take("forest")
    assert position.actor == -1
    assert position.standing[0] == 57
    assert position.scores == [points, 3]


def test_final_tie() -> None:
    """VB-E16; VB-7.3, VB-7.4, VB-7.5, VB-3.10: the omens at the end decide, the bonus counts before."""
    six = ["meadow", "field", "village", "mountain", "river", "meadow", "meadow", "meadow"]
    five = ["meadow", "field", "village", "mountain", "meadow", "meadow", "meadow", "meadow"]
    four = ["meadow", "field", "village", "meadow", "meadow", "meadow", "meadow", "meadow"]
    luck = Luck(
        3,
        clans=[YELLOW, RED, BLUE],
        rounds=8,
        vp=[61 - 3, 66 - 3, 70 - 3],
        realms=[six, five, four],
        top=["village@gbrpy"],
    )
    position = Position(luck)
    position.choose(RESTING, RESTING, RESTING)
    for _ in range(3):
        position.take()
    assert position.scores == [71, 71, 70]
    assert position.table.places() == [1, 0, 2]
    assert position.table.result()["winners"] == [1]


def test_fighter() -> None:
    """VB-E17; VB-D2, VB-6.1, VB-6.1a, VB-6.1b, VB-6.1c, VB-6.1d: A and C play it, B holds it, D has discarded it."""
    luck = Luck(
        4,
        clans=[YELLOW, RED, BLUE, PURPLE],
        hands=[["fighter"], ["fighter", RESTING], ["fighter"], [RESTING]],
        discards=[[], [], [], ["fighter"]],
        top=["meadow@yrbpg"],
    )
    position = Position(luck)
    position.choose("fighter", RESTING, "fighter", RESTING)
    for player in (0, 2):
        assert (position.decision, position.actor, position.options) == (SHOW_FIGHTER, 1, ["yes", "no"])
        assert position.table.actor == player
        position.do("yes")
        assert (position.decision, position.actor) == (TAKE, player)
        position.take()
    assert [position.gains(seat).get("fighter", 0) for seat in range(4)] == [0, 2, 0, 0]
    fighter = position.rules.character["fighter"]
    assert position.table.known[1] == {fighter}
    assert fighter in position.match.hands[1]


def test_deck_arithmetic() -> None:
    """VB-E18; VB-2.1, VB-2.5, VB-3.6, VB-3.7, VB-I3, VB-I4."""
    table = Table(GAME, shipped("default"), 5, ("uniform",) * 5, 3)
    witness, sizes = Witness(table), {}
    for _ in witness.follow(0):
        public = table.state.public
        sizes.setdefault(int(public.played_rounds), int(public.deck))
        lying = [len(row) for row in witness.kernel.public_fields()["row"]]
        assert lying == [5 - int(public.acted).bit_count(), 5]
    assert sizes == {0: 41, 1: 36, 2: 31, 3: 26, 4: 21, 5: 16, 6: 11, 7: 6, 8: 1, 9: 1}
    assert len(witness.rules.lands) == 51


# ------------------------------------------------------------------------------------------------ set-up and rounds


@pytest.mark.parametrize(("name", "kept"), [("default", [21, 31, 41, 51]), ("alt_no_5plus", [21, 31, 51, 51])])
def test_lands_kept(name: str, kept: list[int]) -> None:
    """VB-1.1, VB-2.1, and the other reading of section 13, no. 2."""
    assert [len(rules_of(shipped(name), seats).lands) for seats in (2, 3, 4, 5)] == kept


def test_what_is_in_the_box() -> None:
    """VB-1.1 to VB-1.5, VB-1.7, VB-1.8."""
    rules = rules_of(shipped("default"), 5)
    assert len({land.type for land in rules.lands}) == 6
    assert len({land.omens for land in rules.lands}) == 51
    assert all(sorted(land.omens) == sorted(CLANS) for land in rules.lands)
    assert sorted(character.initiative for character in rules.characters) == list(range(1, 13))
    assert {land.value for land in rules.lands if land.type == "forest"} == {3, 4, 5, 6}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_set_up(seats: int) -> None:
    """VB-2.2 to VB-2.6, VB-2.8, VB-2.9: over a few deals every clan comes to every seat."""
    table = Table(GAME, shipped("default"), seats, ("uniform",) * seats, 1)
    seen = set()
    for deal in range(60):
        witness = Witness(table)
        next(witness.follow(deal))
        public = table.state.public
        seen |= set(enumerate(public.clan[:seats].tolist()))
        assert len(set(public.clan[:seats].tolist())) == seats
        assert public.standing[:seats].tolist() == [2] * seats
        assert public.hand[:seats].tolist() == [5] * seats
        assert public.clan_deck[:seats].tolist() == [7] * seats
        assert public["count"].tolist() == [seats, seats]
        assert public.deck == len(witness.rules.lands) - 2 * seats
        assert (public.top, public.bottom) == (-1, -1)  # VB-9.2
    assert len(seen) == seats * len(CLANS)


def test_a_short_second_row() -> None:
    """VB-3.8: one land stays in the deck."""
    position = Position(Luck(3, top=["river", "field"], middle=False, scalars={"rounds": 3}))
    position.choose(RESTING, RESTING, RESTING)
    position.finish_round()
    assert [len(position.table.rows[row]) for row in (FIRST, SECOND)] == [3, 1]
    assert len(position.table.deck) == 1


def test_a_rider_without_a_second_row() -> None:
    """VB-3.4, VB-6.9."""
    position = Position(Luck(2, hands=[["rider"]], second=[], rounds=8, top=["river"], middle=False))
    position.choose("rider", RESTING)
    position.take()
    assert (position.actor, position.decision) == (0, TAKE)


def test_rider() -> None:
    """VB-6.9, VB-D6: any pair; they change places."""
    position = Position(Luck(2, hands=[["rider"]], first=["meadow", "field"], second=["river", "village"]))
    position.choose("rider", RESTING)
    position.take("meadow")
    field, village = position.land(FIRST, "field"), position.land(SECOND, "village")
    assert position.options == [f"{field}:{land.id}" for land in position.table.rows[SECOND]]
    position.do(f"{field}:{village}")
    rows = position.table.rows
    assert [land.type for land in rows[FIRST] + rows[SECOND]] == ["village", "river", "field"]


def test_tracker_in_the_second_row() -> None:
    """VB-6.7, VB-9.2: the same slot; the face on top is known now, and comes into the row at the end of the round."""
    luck = Luck(2, hands=[["tracker"]], second=["meadow", "village"], top=["river", "field"])
    position = Position(luck)
    position.choose("tracker", RESTING)
    position.take()
    village = position.land(SECOND, "village")
    position.do(f"second:{village}")
    assert [land.type for land in position.table.rows[SECOND]] == ["meadow", "river"]
    public = position.kernels.state.public
    assert public.top == position.witness.coding.face(position.rules.land[village])
    position.take()
    assert [land.type for land in position.table.rows[SECOND]] == ["village", "field"]
    assert public.top == -1


def test_a_second_tracker_brings_back_the_first_ones_land() -> None:
    """VB-6.7: what lies on top is known to all by then."""
    luck = Luck(2, hands=[["tracker"], ["tracker"]], first=["meadow", "village"], top=["river"])
    position = Position(luck)
    position.choose("tracker", "tracker")
    meadow = position.land(FIRST, "meadow")
    position.do(f"first:{meadow}")
    position.take("river")
    village = position.land(FIRST, "village")
    position.do(f"first:{village}")
    assert [land.id for land in position.table.rows[FIRST]] == [meadow]


def test_a_pioneer_with_one_card_left_changes_the_omens() -> None:
    """VB-4.4, VB-6.11: bottom and top are the same card."""
    luck = Luck(
        3,
        clans=[RED, BLUE, PURPLE],
        rounds=8,
        hands=[["pioneer"], ["farmer"], ["farmer"]],
        realms=[["meadow@gpbry"]],
        second=[],
        top=["field@gbpry"],
        middle=False,
    )
    position = Position(luck)
    position.choose("pioneer", "farmer", "farmer")
    position.do(position.options[0])
    assert position.gains(0) == {"pioneer:field": 2}
    assert position.table.omens[1] == "purple"
    position.take()
    assert position.actor == 2
    public = position.kernels.state.public
    assert public.top == public.bottom >= 0


def test_a_pioneer_of_the_first_round() -> None:
    """VB-6.11c, VB-3.4: no land, no question."""
    position = Position(Luck(2, rounds=0, hands=[["pioneer"]]))
    position.choose("pioneer", RESTING)
    position.take()
    assert (position.actor, position.decision) == (0, TAKE)


def test_a_pioneer_scores_a_second_mountain_again() -> None:
    """VB-6.11d: counts are taken at the moment of entry; VB-6.11b: nothing is paid back."""
    luck = Luck(2, hands=[["pioneer"]], realms=[["mountain"] * 2], bottom=["mountain"])
    position = Position(luck)
    position.choose("pioneer", RESTING)
    position.take()
    position.do(position.options[0])
    assert position.gains(0) == {"pioneer:mountain": 10}


def test_a_midwife_of_the_first_round() -> None:
    """VB-6.8, VB-6.8a: the pile is empty, the card just played is not on it."""
    position = Position(Luck(2, rounds=0, hands=[["midwife"]]))
    position.choose("midwife", RESTING)
    position.take()
    assert (position.actor, position.decision) == (0, TAKE)


def test_a_midwife_does_not_recover_a_midwife() -> None:
    """VB-6.8, VB-6.8c: with two in an edited set."""
    edits = {"hunter": {"effect_code": "RECOVER_CHARACTER", "vp_amount": 0}}
    position = Position(Luck(2, hands=[["midwife"]], discards=[["hunter"]], characters=edits))
    position.choose("midwife", RESTING)
    position.take()
    assert (position.actor, position.decision) == (0, TAKE)


def test_bard() -> None:
    """VB-6.2, VB-D3: any other player, compulsory."""
    position = Position(Luck(4, hands=[["bard"]]))
    position.choose(*position.rest(0, "bard"))
    assert position.options == ["seat1", "seat2", "seat3"]
    position.do("seat2")
    assert position.standing == [2, 2, 4, 2]


@pytest.mark.parametrize(("switch", "own"), [("no", 0), ("yes", 1)])
def test_the_fighters_own_player(switch: str, own: int) -> None:
    """VB-6.1a, and the other reading (section 13, no. 6)."""
    luck = Luck(3, hands=[["fighter"], ["fighter", RESTING]], scalars={"fighter_pays_owner": switch})
    position = Position(luck)
    position.choose("fighter", RESTING, RESTING)
    while position.decision == SHOW_FIGHTER:
        position.do("yes" if position.actor == 1 else "no")
    assert [position.gains(seat).get("fighter", 0) for seat in range(3)] == [own, 1, 0]


def test_holders_are_asked_clockwise() -> None:
    """VB-6.1d: from the active player's left, and showing is optional; who declines stays unknown (VB-9.1)."""
    fighters = [["fighter", RESTING]] * 4
    position = Position(Luck(4, hands=fighters, characters={"fighter": {"vp_amount": 7}}))
    position.choose(RESTING, RESTING, "fighter", RESTING)
    asked = []
    while position.decision == SHOW_FIGHTER:
        asked.append(position.actor)
        position.do("no" if position.actor == 0 else "yes")
    assert asked == [3, 0, 1]
    assert [position.gains(seat).get("fighter", 0) for seat in range(4)] == [0, 7, 0, 7]
    public = position.kernels.state.public
    assert [bool(known) for known in public.known[:4]] == [False, True, False, True]


def test_only_the_land_action_is_doubled() -> None:
    """VB-6.12, VB-6.12a; with another factor, of an edited set."""
    luck = Luck(2, hands=[["farmer"]], realms=[["river"]], first=["river", FILLER], scalars={"farmer_factor": 5})
    position = Position(luck)
    position.choose("farmer", RESTING)
    position.take("forest")
    position.take("river")
    assert position.gains(0) == {"river": 5 * 12}


def test_rewards_see_what_neighbours_took_in_the_same_round() -> None:
    """VB-5.8, VB-3.5."""
    position = Position(Luck(2, first=["meadow", "meadow"]))
    position.choose(RESTING, RESTING)
    first = position.actor
    position.take()
    position.take()
    assert (position.gains(first), position.gains(1 - first)) == ({"meadow": 1}, {"meadow": 2})


def test_choices_are_secret_and_compulsory() -> None:
    """VB-3.1, VB-D1, VB-3.3: nothing lies open before all have chosen; then the characters leave the hands."""
    position = Position(Luck(3, hands=[["fighter"], ["bard"], ["farmer"]]))
    state = position.kernels.state
    before = state.public.copy()
    position.do("fighter", "bard")
    for name in state.public.dtype.names:
        if name != "actor":
            assert (state.public[name] == before[name]).all(), name
    assert [int(state.private[seat].chosen) for seat in range(3)] == [0, 1, -1]
    assert len(position.options) == 5
    position.do("farmer")
    assert state.public.revealed[:3].tolist() == [0, 1, 11]
    with pytest.raises(JobError, match="not legal"):
        position.do_action(64 * 7 + 7)


@pytest.mark.parametrize(
    ("code", "unit", "points"),
    [
        ("PER_MEADOW_SELF_AND_NEIGHBOURS", 3, 3 * (2 + 1)),
        ("PER_FIELD", 4, 8),
        ("PER_DISTINCT_TYPE", 5, 15),
        ("MILESTONE_2_4", 0, 33),
        ("INITIATIVE_TIMES_RIVERS", 2, 2 * 9 * 2),
        ("PRINTED", 0, 6),
    ],
)
def test_any_type_may_have_any_reward(code: str, unit: int, points: int) -> None:
    """VB-5.1 to VB-5.6 as data: here for a second Village, beside one of the neighbour's."""
    base = shipped("default")
    types = [
        row | ({"reward_code": code, "vp_per_unit": unit} if row["key"] == "village" else {})
        for row in inputs(base)["land_types"]
    ]
    lands = [
        row | ({"forest_value": 6} if row["type"] == "village" and code == "PRINTED" else {})
        for row in inputs(base)["lands"]
    ]
    card_set = edited(tables={"land_types": types, "lands": lands}, mountain_second=33, river_cap=9)
    rules = rules_of(card_set, 2)
    villages = [land for land in rules.lands if land.type == "village"]
    others: Sequence[Land] = [next(land for land in rules.lands if land.type == kind) for kind in ("field", "river")]
    assert reward(rules, villages[0], [*others, *villages[:2]], [villages[2]], initiative=11) == points
