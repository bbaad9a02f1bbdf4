import pickle
from dataclasses import replace

import pytest

from simcore.errors import InputError
from simcore.plan import GAMES_PER_SHARD, blocks_per_shard, make_plan
from tests.simcore.toy import CARD_SET, a_plan


def a_made_plan(games, **changes):
    entries = {
        "game": "toy",
        "card_set": CARD_SET,
        "seats": 3,
        "bots": ("ann",),
        "line_ups": ((0, 0, 0),),
        "games": games,
    }
    return make_plan(**{**entries, **changes})


def test_the_shards_hold_every_game_once_and_in_order():
    plan = a_plan()
    games = [game for shard in plan.shards() for game in range(shard.first_game, shard.first_game + shard.games)]
    assert games == list(range(plan.games))
    assert [shard.number for shard in plan.shards()] == list(range(plan.cut.shards))


def test_a_shard_never_spans_two_line_ups():
    shards = a_plan().shards()
    assert [(shard.line_up, shard.first, shard.last) for shard in shards[:5]] == [
        (0, 0, 6),
        (0, 6, 12),
        (0, 12, 18),
        (0, 18, 20),
        (1, 0, 6),
    ]
    assert shards[4].names == ("ann", "bob")


@pytest.mark.parametrize("game", [0, 1, 39, 40, 79, 119])
def test_a_game_is_located_by_its_number(game):
    plan = a_plan()
    line_up, deal, rotation = plan.locate(game)
    assert line_up * plan.games_per_line_up + deal * plan.seats + rotation == game


def test_a_game_beyond_the_run_is_an_input_error():
    with pytest.raises(InputError, match="no game 120: its games are numbered from 0 to 119"):
        a_plan().locate(120)


def test_the_number_of_games_is_rounded_up_to_whole_blocks():
    assert a_made_plan(100).games_per_line_up == 102
    assert a_made_plan(102).games_per_line_up == 102


def test_equal_plans_have_equal_hashes_and_any_change_gives_another():
    plan = a_plan()
    changes = [
        {"game": "other"},
        {"card_set": replace(CARD_SET, hash="decaf")},
        {"bots": ("ann", "eve")},
        {"line_ups": ((0, 0), (0, 1))},
        {"games_per_line_up": 42},
        {"blocks_per_shard": 5},
        {"seed": 8},
        {"log": "cards"},
    ]
    hashes = {a_plan(**change).hash for change in changes}
    assert a_plan().hash == plan.hash
    assert plan.hash not in hashes
    assert len(hashes) == len(changes)


def test_a_shard_travels_to_a_worker():
    shard = a_plan().shard(3)
    assert pickle.loads(pickle.dumps(shard)) == shard


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seats": 0}, "seats must be from 1 to 16, not 0"),
        ({"seats": 17}, "seats must be from 1 to 16, not 17"),
        ({"bots": ()}, "from 1 to 256 bots, not 0"),
        ({"bots": ("ann", "ann")}, "a bot is named twice"),
        ({"line_ups": ()}, "from 1 to 65536 line-ups, not 0"),
        ({"line_ups": ((0, 1), (0, 1))}, "a line-up is listed twice"),
        ({"line_ups": ((0, 1, 0),)}, "each line-up needs 2 places"),
        ({"line_ups": ((0, 2),)}, "a bot that is not in the list"),
        ({"games_per_line_up": 41}, "a multiple of the 2 seats, not 41"),
        ({"games_per_line_up": 0}, "a multiple of the 2 seats, not 0"),
        ({"games_per_line_up": 2**31}, "at most 4,294,967,296 games"),
        ({"blocks_per_shard": 0}, "at least one block, not 0"),
        ({"seed": -1}, "the seed must be from 0"),
        ({"seed": 2**64}, "the seed must be from 0"),
        ({"log": "all"}, "one of games, cards, moves, not all"),
    ],
)
def test_a_plan_that_cannot_be_says_why(changes, message):
    with pytest.raises(InputError, match=message):
        a_plan(**changes)


def test_a_plan_reports_all_that_is_wrong_at_once():
    with pytest.raises(InputError, match=r"named twice.*seed"):
        a_plan(bots=("ann", "ann"), seed=-1)


def test_no_games_are_an_input_error():
    with pytest.raises(InputError, match="at least 1, not 0"):
        a_made_plan(0)


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
@pytest.mark.parametrize("cost", ["cheap", "dear"])
def test_a_large_run_has_shards_of_the_usual_size(seats, cost):
    assert blocks_per_shard(seats, 10**7, cost) == GAMES_PER_SHARD[cost] // seats


def test_a_small_run_has_at_least_eight_shards():
    assert a_made_plan(30_000).cut.shards == 8
    assert a_made_plan(2_000, cost="dear").cut.shards > 8


def test_a_tiny_run_is_not_cut_into_crumbs():
    assert a_made_plan(60).cut.shards == 1


def test_the_first_blocks_of_each_line_up_are_in_its_first_shards():
    cut = a_plan().cut
    assert cut.first_shards(1) == (0, 4, 8)
    assert cut.first_shards(6) == (0, 4, 8)
    assert cut.first_shards(7) == (0, 1, 4, 5, 8, 9)
    assert cut.first_shards(20) == cut.first_shards(1000) == tuple(range(12))
