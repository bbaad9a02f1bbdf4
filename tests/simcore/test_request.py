"""Words to plans: line-ups from names, defaults, and what is refused."""

import re
from pathlib import Path

import pytest

from simcore import bots, request
from simcore import game as games
from simcore.bots import Bot
from simcore.cardset import build
from simcore.errors import InputError

GAME = "lost-cities"


@pytest.mark.parametrize(
    ("names", "line_ups"),
    [
        ("uniform,heuristic", [("uniform", "heuristic")]),
        ("uniform,uniform", [("uniform", "uniform")]),
        ("uniform", [("uniform", "uniform")]),
        (
            ["heuristic", "uniform", "play_first_then_deck"],
            [
                ("heuristic", "uniform"),
                ("heuristic", "play_first_then_deck"),
                ("uniform", "play_first_then_deck"),
            ],
        ),
        (" uniform , heuristic,uniform", [("uniform", "heuristic")]),
    ],
)
def test_a_simulation_plays_every_pair_or_one_bot_against_itself(
    names: str | list[str], line_ups: list[tuple[str, ...]]
) -> None:
    plan = request.simulation_plan(GAME, names, games=10)
    assert [tuple(plan.bots[i] for i in line_up) for line_up in plan.line_ups] == line_ups


def test_a_balance_plays_each_bot_against_itself_and_every_pair() -> None:
    plan = request.balance_plan(GAME, "uniform,heuristic,uniform", games=10)
    assert plan.bots == ("uniform", "heuristic")
    assert plan.line_ups == ((0, 0), (1, 1), (0, 1))
    assert plan.log == "cards"


def test_with_more_seats_each_of_a_pair_is_once_alone_in_a_field_of_the_other() -> None:
    assert request.pairings(("a", "b"), 2) == [("a", "b")]
    assert request.pairings(("a", "b"), 3) == [("a", "b", "b"), ("b", "a", "a")]
    assert len(request.pairings(("a", "b", "c"), 4)) == 6


def test_by_default_one_bot_of_each_tier_plays_two_hundred_thousand_games_with_the_default_cards() -> None:
    plan = request.balance_plan(GAME)
    tiers = [bots.get(GAME, name).tier for name in plan.bots]
    assert tiers == [tier for tier in request.TIERS_OF_BALANCE if tier in tiers]
    assert plan.bots[:2] == ("uniform", "heuristic")
    assert plan.games_per_line_up == 200_000
    assert plan.card_set.name == games.get(GAME).default_card_set


def test_where_a_search_bot_plays_a_hundredth_of_the_games_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    uniform = bots.get(GAME, "uniform")
    slow = Bot("slow", None, "search", "As uniform, but dear.", uniform.policy, cost="dear")
    monkeypatch.setitem(bots._bots, (None, "slow"), slow)
    assert request.simulation_plan(GAME, "slow,uniform").games_per_line_up == 2_000
    assert "slow" not in request.default_bots(GAME)


def test_games_are_rounded_up_to_whole_blocks() -> None:
    assert request.simulation_plan(GAME, "uniform", games=7).games_per_line_up == 8


def test_a_game_with_several_numbers_of_seats_asks_for_one() -> None:
    class Several:
        title = "Vaalbara"
        seats = (2, 3)

    with pytest.raises(InputError, match="2 or 3"):
        request.seats_of(Several(), None)  # type: ignore[arg-type]
    assert request.seats_of(Several(), 3) == 3  # type: ignore[arg-type]


def test_cards_are_a_name_a_folder_or_a_loaded_set(tmp_path: Path) -> None:
    from simcore.cardset import export

    base = request.load_cards(GAME)
    export(base, tmp_path / "mine", name="mine")
    assert request.load_cards(GAME, tmp_path / "mine").hash == base.hash
    cheap = build(base.schema, "cheap", {**base.scalars, "expedition_cost": 15}, base.tables)
    assert request.simulation_plan(GAME, "uniform", games=2, cards=cheap).card_set is cheap


@pytest.mark.parametrize("names", ["", ",", "uniform,", [], ["uniform", ""]])
def test_missing_names_are_refused(names: str | list[str]) -> None:
    with pytest.raises(InputError, match="commas"):
        request.simulation_plan(GAME, names)


def test_a_new_run_folder_never_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folders = []
    for _ in range(3):
        folder = request.new_run_folder(GAME)
        assert not folder.exists()
        assert re.fullmatch(r"lost-cities-\d{4}-\d\d-\d\d-\d{6}(-\d)?", folder.name)
        folder.mkdir(parents=True)
        folders.append(folder)
    assert len(set(folders)) == 3


def test_what_can_be_played_is_described_in_plain_data() -> None:
    game, *others = request.describe_games()
    assert [game["name"], *(other["name"] for other in others)] == [GAME, "vaalbara", "valletta", "lisboa"]
    assert {"name", "title", "seats", "card_sets", "bots"} == set(game)
