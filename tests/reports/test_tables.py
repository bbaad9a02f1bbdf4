"""Every table of every report is one function that returns a data frame, with the numbers that the page shows."""

import dataclasses
import inspect
import math
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from analysis import answer, balance, exploit, ladder, planning, strategy, sweep
from analysis.balance import Balance
from analysis.comparison import compare
from analysis.stats import Estimate
from analysis.studies.trend import study as trend
from analysis.tune import Finalist, Range, Trial, Tuning
from reports import tables
from reports.page import Cell, Column, Table
from simcore.errors import InputError
from tests.analysis import fake_ladder, fake_market, fake_run, fake_sweep, fake_trend
from tests.analysis.fake_run import FakeRun
from tests.analysis.test_feel import TWO, with_moves
from tests.analysis.test_groups import city
from tests.analysis.test_market_comparison import BASE, VARIANT
from tests.analysis.test_planning import WISH
from tests.reports import test_access, test_comparison, test_market, test_strategy, test_sweep
from tests.reports.conftest import BOTS, ODD


@pytest.fixture(scope="module")
def results(typical: Balance, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tables.Result]:
    """A result of every kind; of those whose tables differ, several."""

    def new() -> Path:
        return tmp_path_factory.mktemp("made")

    moves = {(deal, rotation): [(0, 3, rotation), (1, 2, 0)] for deal in range(3) for rotation in range(2)}
    exploited = FakeRun(blocks=60, bots=BOTS[1:], line_ups=((1, 0), (0, 0)))
    pilots = [fake_run.write(new(), FakeRun(blocks=300, first_points=points)) for points in (0.0, 5.0)]
    built = [fake_market.write(new(), fake) for fake in (BASE, VARIANT)]
    compared = test_comparison.answered(new(), test_comparison.BASE, test_comparison.EDITED)
    even = test_sweep.one_axis([0, 10], [test_sweep.at(1.0, skill, blocks=300) for skill in (3.0, 9.0)])
    versions = [run.path for run in fake_trend.write(new())]
    trended = trend(versions, fake_trend.write_targets(new()))
    return {
        "balance": typical,
        "balance without a first player": balance.analyse(fake_market.write(new(), test_market.FAKE)),
        "balance of cards to be chosen": balance.analyse(city(new(), eager=0.6, blocks=100)),
        "balance of four seats": balance.analyse(fake_run.write(new(), ODD["four seats and a match of two rounds"])),
        "balance of one deal": balance.analyse(fake_run.write(new(), ODD["one deal"])),
        "strategy of one deal": strategy.analyse(fake_run.write(new(), ODD["one deal"])),
        "strategy": strategy.analyse(fake_run.write(new(), test_strategy.TYPICAL)),
        "strategy of three seats": strategy.analyse(fake_run.write(new(), test_strategy.THREE)),
        "strategy with moves": strategy.analyse(with_moves(new(), TWO, moves)),
        "comparison": dataclasses.replace(compared, stopped="turn order: it moved; scores: they did not"),
        "comparison of cards on the table": answer.answer(compare(*built), ("cards: more",), *built),
        "sweep": sweep.analyse(fake_sweep.write(new(), *test_sweep.TYPICAL)),
        "sweep of one deal": sweep.analyse(fake_sweep.write(new(), *test_sweep.ODD["one deal"])),
        "sweep without changes": sweep.analyse(fake_sweep.write(new(), *test_sweep.ODD["nothing changes"])),
        "sweep of two values": sweep.analyse(fake_sweep.write(new(), *test_sweep.PAIRS)),
        "sweep in which two bots become even": sweep.analyse(fake_sweep.write(new(), *even)),
        "ladder": ladder.analyse(fake_ladder.write(new(), fake_ladder.FakeLadder())),
        "exploit": exploit.analyse(fake_run.write(new(), exploited)),
        "access": test_access.TYPICAL.made(),
        "trend": trended,
        "check": trended.versions[-1].check,
        "plan": planning.planning(pilots, 1000.0, 2, WISH),
        "tuning": Tuning(
            "toy", "mine", "0" * 64, (Range("rules.x", (1, 2, 3), 2), Range("rules.y", (0, 9), 9)), 7, 400, 2000, 5, 1,
            0, False, ("a", "b"), (), Trial((2, 9), 0.0, 1.5, 1.0),
            (Finalist((3, 9), ("x 2 -> 3",), 0.04, 0.1, 0.2, ("a", "b"), "finalist-1", True),),
            Estimate(0.1, -0.1, 0.3, 100, 200, "margins"), trended.versions[-1].check,
        ),
    }  # fmt: skip


KINDS = (
    "balance of one deal", "strategy of one deal", "sweep of one deal", "sweep without changes", "balance",
    "balance without a first player", "balance of cards to be chosen", "balance of four seats", "strategy",
    "strategy of three seats", "strategy with moves", "comparison", "comparison of cards on the table", "sweep",
    "sweep of two values", "sweep in which two bots become even", "ladder", "exploit", "access", "trend", "check",
    "plan", "tuning",
)  # fmt: skip


def functions() -> dict[str, tables.Function]:
    """The functions of which each gives one table."""
    general = {"every", "legend", "tables_of", "name_of", "frame"}
    return {
        name: function
        for name, function in inspect.getmembers(tables, inspect.isfunction)
        if function.__module__ == tables.__name__ and not name.startswith("_") and name not in general
    }


def of(function: str, result: tables.Result) -> pl.DataFrame:
    """A table of a result by its name in `every`, from the function that gives it."""
    if function.startswith("does_"):
        return tables.does(result, result.profiles[int(function.removeprefix("does_"))].bot)
    return functions()[function](result)


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_a_report_is_a_function_that_gives_a_frame(kind, results):
    result = results[kind]
    shown = tables.tables_of(result)
    every = tables.every(result)
    assert len(every) == len(shown) > 0, "two tables of one name"
    for table, (name, frame) in zip(shown, every.items(), strict=True):
        assert of(name, result).equals(frame, null_equal=True)
        assert frame.height == len(table.rows)
        assert all(re.fullmatch(r"[a-z0-9_]+", column) for column in frame.columns), frame.columns
        assert set(frame.dtypes) <= {pl.String, pl.Int64, pl.Float64}


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_becomes_one_of_pandas(kind, results):
    for frame in tables.every(results[kind]).values():
        told = frame.to_pandas()
        assert list(told.columns) == frame.columns
        assert told.shape == frame.shape
        assert told.isna().sum().tolist() == list(frame.null_count().row(0))


def decimals(text: str) -> Iterator[tuple[float, int]]:
    """The numbers in a text, each with its number of decimals."""
    for found in re.findall(r"(?<![\w.,])[+-]?\d[\d,]*(?:\.\d+)?(?![\w,.]*\d)", text.replace("−", "-")):
        yield float(found.replace(",", "")), len(found.partition(".")[2])


def agree(cell: Cell, raw: list[float | None], share: float) -> bool:
    """Whether the words of a cell are its numbers, rounded (by a `share` of them at most, if that is more); shares are
    written in per cent.
    """
    said = [*decimals(cell.text), *decimals(cell.interval)]
    known = [x for x in raw if x is not None and math.isfinite(x)]

    def near(number: float, value: float, digits: int) -> bool:
        return abs(number - value) <= max(0.501 * 10.0**-digits, share * abs(number))

    return any(all(any(near(x * scale, *one) for x in known) for one in said) for scale in (1.0, 100.0))


IN_OTHER_WORDS = {"seconds", "behind_at_half_time"}
"""Columns whose words are a time in its largest unit, or a range."""
FEW_FIGURES = {"more_games_needed", "a_decision_takes"}
"""Columns whose words are rounded to two or three figures, as all of the tables of a plan."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_are_those_of_the_page(kind, results):
    compared = 0
    for table in tables.tables_of(results[kind]):
        frame = tables.frame(table)
        for i, (name, column, _) in enumerate(tables._named_columns(table)):
            values = [frame[name + ending].to_list() for ending in ("", "_low", "_high") if name + ending in frame]
            for row, cells in enumerate(table.rows):
                cell, numbers = cells[i], [of[row] for of in values]
                if not cell.raw:
                    known = cell.text not in tables.NOT_KNOWN and numbers != [None] * len(numbers)
                    assert numbers == ([cell.text] if known else [None] * len(numbers)), (table.name, column)
                    continue
                raw = [None if math.isnan(x) else x for x in cell.raw]
                assert numbers[: len(raw)] == raw, (table.name, column)
                assert cell.n is None or frame[f"{name}_n"][row] == cell.n
                if name not in IN_OTHER_WORDS:
                    rough = name in FEW_FIGURES or kind == "plan"
                    assert agree(cell, raw, 0.1 if rough else 0.0), (table.name, column, cell)
                compared += 1
    assert compared >= 8


def test_a_column_is_of_one_kind_whatever_is_known(results):
    kinds: dict[tuple[type, str, str], set[tuple[tuple[str, object], ...]]] = {}
    for result in results.values():
        for table in tables.tables_of(result):
            for name, _, values in tables._named_columns(table):
                kind = tuple((ending, of.dtype) for ending, of in values.items())
                kinds.setdefault((type(result), table.name, name), set()).add(kind)
    several = {key for key, of in kinds.items() if len(of) > 1}
    assert {name for _, _, name in several} <= {"at"}, several  # a value that was varied: a number or a word


def test_every_function_is_documented_and_has_a_table(results):
    there = {name for result in results.values() for name in tables.every(result)}
    there = {"does" if name.startswith("does_") else name for name in there}
    assert set(functions()) == there
    for name, function in functions().items():
        assert function.__name__ == name
        assert re.fullmatch(r"[A-Z].*\.", function.__doc__, re.S), name


def test_numbers_have_intervals_and_the_deals_that_they_rest_on(typical):
    frame = tables.turn_order_line_ups(typical)
    first = frame.row(0, named=True)
    share = typical.line_ups[0].turn_order.orders[0].share
    told = [first[f"first_player_wins{ending}"] for ending in ("", "_low", "_high", "_n")]
    assert told == [share.value, share.low, share.high, share.n]
    assert first["games"] == typical.line_ups[0].games
    assert frame.schema["games"] == pl.Int64


def test_a_card_has_its_effect_and_its_wording(typical):
    row = tables.cards(typical).filter(card="yellow 10").row(0, named=True)
    effect = typical.main.cards.effects.filter(type="yellow-10", outcome="margin").row(0, named=True)
    assert [row[f"dealt_randomised{end}"] for end in ("", "_low", "_high")] == [
        effect[column] for column in ("value", "low", "high")
    ]
    assert row["q"] == effect["q"]
    assert row["in_your_margin"] == "beyond margin"


def test_the_legend_tells_every_column(results):
    for result in results.values():
        legend = tables.legend(result)
        for name, frame in tables.every(result).items():
            told = legend.filter(table=name)["column"].to_list()
            assert {re.sub("_(low|high|n)$", "", column) for column in frame.columns} <= {
                re.sub("_(low|high|n)$", "", column) for column in told
            }
    first = tables.legend(results["balance"]).row(1, named=True)
    assert first == {
        "table": "turn_order_line_ups", "column": "first_player_wins", "head": "First player wins", "unit": "%",
    }  # fmt: skip


def test_what_is_not_there_is_told(typical, results):
    with pytest.raises(InputError, match=r"The report of this Balance has no table even_values\. It has turn_order_"):
        tables.even_values(typical)
    with pytest.raises(InputError, match=r"There is no profile of nobody\. There are those of heuristic, uniform\."):
        tables.does(results["strategy"], "nobody")
    with pytest.raises(InputError, match=r"^str is no result with tables\. Such are Access, Answer, Balance, "):
        tables.every("my-run")


def made(*columns: Column, rows: tuple[tuple[Cell, ...], ...]) -> pl.DataFrame:
    return tables.frame(Table("x", "X", columns, rows))


def test_columns_of_one_name_are_told_apart():
    rows = ((Cell("1", raw=(1, 0, 2), n=5), Cell("a"), Cell("b")),)
    frame = made(Column("It’s 5 %"), Column("Its 5%", numeric=False), Column("its 5 low", numeric=False), rows=rows)
    assert frame.columns == ["its_5", "its_5_low", "its_5_high", "its_5_n", "its_5_2", "its_5_low_2"]


def test_what_is_not_known_is_null_in_a_column_of_its_type():
    cells = (Cell("–"), Cell("–"), Cell("–"), Cell("1.0", raw=(1.0, math.nan, math.inf)))
    columns = (Column("A"), Column("B", numeric=False), Column("C"), Column("D"))
    frame = made(*columns, rows=(cells, (Cell("–"), Cell("word"), Cell("3", raw=(3,)), Cell("too weak"))))
    assert dict(frame.schema) == {
        "a": pl.Float64, "b": pl.String, "c": pl.Int64, "d": pl.Float64, "d_low": pl.Float64, "d_high": pl.Float64,
    }  # fmt: skip
    assert frame.rows() == [(None, None, None, 1.0, None, math.inf), (None, "word", 3, None, None, None)]
    assert dict(made(Column("A"), Column("B", numeric=False), rows=()).schema) == {"a": pl.Float64, "b": pl.String}
