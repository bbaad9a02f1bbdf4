import json

import polars as pl
import pytest

from analysis.balance import analyse
from simcore.errors import InputError
from tests.analysis.fake_run import FakeBot, FakeRun, write

BOTS = (FakeBot("weak", "random"), FakeBot("other", "random", 3.0), FakeBot("strong", "expert", 8.0))


@pytest.fixture(scope="module")
def balance(tmp_path_factory):
    fake = FakeRun(blocks=600, bots=BOTS, line_ups=((0, 0), (1, 1), (0, 1), (1, 2), (2, 2)), first_points=3.0)
    return analyse(write(tmp_path_factory.mktemp("run"), fake))


def test_every_line_up_is_there_and_the_strongest_tier_is_the_headline(balance):
    assert [r.title for r in balance.line_ups] == [
        "weak against itself",
        "other against itself",
        "weak against other",
        "other against strong",
        "strong against itself",
    ]
    assert balance.main.title == "strong against itself"
    assert [r.tier for r in balance.line_ups] == ["random", "random", "random", None, "expert"]


def test_a_tier_is_spoken_for_by_its_strongest_bot_against_itself(balance):
    first = balance.by_tier[0]
    assert [(tier, title) for tier, title, _ in first.tiers] == [
        ("random", "other against itself"),
        ("expert", "strong against itself"),
    ]
    strength = {bot.name: bot.strength for bot in balance.facts.bots}
    assert strength["weak"] < strength["other"] < 0.5 < strength["strong"]


def test_cards_are_compared_over_the_tiers(balance):
    table = balance.card_tiers
    assert len(table) == 2 * 2 * 50
    assert table.group_by("type", "outcome").agg(pl.col("label").n_unique())["label"].max() == 1


def test_the_whole_is_plain_json(balance):
    text = json.dumps(balance.to_dict(), allow_nan=False)
    again = json.loads(text)
    assert again == balance.to_dict()
    assert again["format"] == "fairdeal-balance/1"
    first = again["line_ups"][0]["turn_order"]["advantage"]
    assert set(first) == {"value", "low", "high", "n", "games", "unit"}
    assert first["n"] == 600
    assert again["verdicts"][0]["text"] == balance.verdicts[0].text
    assert {"value", "low", "high", "n"} <= set(again["line_ups"][0]["cards"]["association"][0])


def numbers_without_intervals(value, path=""):
    """Paths of records that have a value but no interval and n."""
    if isinstance(value, dict):
        if "value" in value and not {"low", "high", "n"} <= set(value):
            yield path
        for key, item in value.items():
            yield from numbers_without_intervals(item, f"{path}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from numbers_without_intervals(item, path)


def test_every_number_has_its_interval_and_n(balance):
    # The running estimate counts its blocks itself.
    assert set(numbers_without_intervals(balance.to_dict())) == {".line_ups.convergence"}


def test_threads_change_nothing(tmp_path):
    run = write(tmp_path, FakeRun(blocks=300, bots=BOTS, line_ups=((0, 2),), blocks_per_shard=64))
    assert analyse(run, threads=1).to_dict() == analyse(run, threads=3).to_dict()


def test_an_unfinished_run_is_analysed_as_far_as_it_goes(tmp_path):
    run = write(tmp_path, FakeRun(blocks=300, bots=BOTS, line_ups=((0, 0), (2, 2)), blocks_per_shard=100), shards=2)
    balance = analyse(run)
    assert not balance.facts.complete
    assert [(r.title, r.deals) for r in balance.line_ups] == [("weak against itself", 200)]


def test_a_run_without_finished_games_is_refused(tmp_path):
    run = write(tmp_path, FakeRun(blocks=10, bots=BOTS), shards=0)
    with pytest.raises(InputError, match=r"no finished games.*--resume"):
        analyse(run)


@pytest.mark.parametrize("margins", [(0.0, 0.01), (1.0, -1.0), (float("nan"), 0.01), (float("inf"), 0.01)])
def test_a_margin_must_be_above_zero(tmp_path, margins):
    run = write(tmp_path, FakeRun(blocks=10, bots=BOTS), shards=1)
    with pytest.raises(InputError, match="margin must be above 0"):
        analyse(run, *margins)


@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_a_handful_of_deals_is_enough_to_answer(tmp_path, blocks):
    run = write(tmp_path, FakeRun(blocks=blocks, bots=BOTS, line_ups=((0, 0), (0, 2))))
    json.dumps(analyse(run).to_dict(), allow_nan=False)
