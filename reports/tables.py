"""Every table of a report as a polars data frame, one function a table: `tables.cards(balance)`.

A frame is made from the very table that the page and its Markdown version show (`reports.page.Table`), so it cannot say
anything else. Each function takes the result of an analysis (`fairdeal.Balance`, `Strategy`, `Answer` …) and raises
InputError where its report has no such table; `every(result)` gives all tables that there are, by name.

Columns are called like the heads on the page, in snake_case: "First player wins" is `first_player_wins`;
`legend(result)` tells the head and the unit of each. A number with an interval has three more columns: `…_low` and
`…_high`, the ends of its 95 % interval, and `…_n`, the deals that it rests on. Numbers are not rounded, and shares are
fractions: what the page shows as 52.6 % or +2.6 percentage points is 0.526 or 0.026. What is not known is null. Words
are those of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from analysis.access import Access
from analysis.answer import Answer
from analysis.balance import Balance
from analysis.check import Check
from analysis.exploit import Exploit
from analysis.ladder import Ladder
from analysis.planning import Planning
from analysis.strategy import Strategy
from analysis.sweep import Sweep
from analysis.trend import Trend
from analysis.tune import Tuning
from reports import balance, check, comparison, plan, tune
from reports.page import Cell, Column, Section, Table
from reports.parts import access, exploit, ladder, strategy, sweep, trend
from simcore.errors import InputError

Result: TypeAlias = (
    Access | Answer | Balance | Check | Exploit | Ladder | Planning | Strategy | Sweep | Trend | Tuning
)  # fmt: skip
"""What has tables: the result of an analysis or a study."""

SECTIONS: Mapping[type, Callable[[Any], Sequence[Section]]] = {
    Access: access.sections,
    Answer: comparison.sections,
    Balance: balance.sections,
    Exploit: exploit.sections,
    Ladder: ladder.sections,
    Strategy: strategy.sections,
    Sweep: sweep.sections,
    Trend: trend.sections,
}
"""The sections of the page of each kind of result."""
WITHOUT_PAGE: Mapping[type, Callable[[Any], Sequence[Table]]] = {
    Check: check.tables,
    Planning: plan.tables,
    Tuning: tune.tables,
}
"""The tables of the kinds that have no page."""
KINDS = sorted(kind.__name__ for kind in (*SECTIONS, *WITHOUT_PAGE))


# --- all tables of a result ------------------------------------------------------------------------------------------


def every(result: Result) -> dict[str, pl.DataFrame]:
    """All tables of the report of a result, in its order, by the names of the functions that give them."""
    return {name_of(table): frame(table) for table in tables_of(result)}


def legend(result: Result) -> pl.DataFrame:
    """What the columns of all tables of a result are: table and column by their names, head and unit as on the page."""
    rows = [
        {"table": name_of(table), "column": name, "head": column.head, "unit": column.unit or None}
        for table in tables_of(result)
        for name, column, _ in _named_columns(table)
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("table", "column", "head", "unit"), pl.String))


def tables_of(result: Result) -> list[Table]:
    """The tables of the report of a result, as the page shows them. Raises InputError for what is no result."""
    if type(result) in WITHOUT_PAGE:
        return list(WITHOUT_PAGE[type(result)](result))
    if type(result) not in SECTIONS:
        raise InputError(
            f"{type(result).__name__} is no result with tables. Such are {', '.join(KINDS)}; "
            "of a study take the result in it, as in tables.cards(study.balance)."
        )
    return [table for section in SECTIONS[type(result)](result) for table in section.tables]


def name_of(table: Table) -> str:
    """The name of the function that gives a table; the id of the table on the page may have "-table" behind it."""
    return _snake(table.name.removesuffix("-table"))


# --- a table as a frame ----------------------------------------------------------------------------------------------

NOT_KNOWN = ("–", "-")
ENDINGS = {1: ("",), 2: ("_low", "_high"), 3: ("", "_low", "_high")}
"""The columns of cells by how many raw numbers they have."""


def frame(table: Table) -> pl.DataFrame:
    """A table as a frame: its numbers unrounded, with their intervals."""
    return pl.DataFrame(
        [values.alias(name + ending) for name, _, found in _named_columns(table) for ending, values in found.items()]
    )


def _named_columns(table: Table) -> Iterator[tuple[str, Column, dict[str, pl.Series]]]:
    """Each column of a table with its name and its values, by the endings of their names; no name is there twice."""
    taken: set[str] = set()
    for i, column in enumerate(table.columns):
        values = _values(column, [row[i] for row in table.rows])
        first = name = _snake(column.name or column.head)
        count = 1
        while taken & {name + ending for ending in values}:
            count += 1
            name = f"{first}_{count}"
        taken |= {name + ending for ending in values}
        yield name, column, values


def _values(column: Column, cells: Sequence[Cell]) -> dict[str, pl.Series]:
    """The values of a column: words, or numbers with their intervals."""
    raw = [cell.raw for cell in cells if cell.raw]
    if not raw and not (column.numeric and all(cell.text in ("", *NOT_KNOWN) for cell in cells)):
        return {"": pl.Series([None if cell.text in NOT_KNOWN else cell.text for cell in cells], dtype=pl.String)}
    whole = column.whole if not raw else all(isinstance(number, int) for numbers in raw for number in numbers)
    endings = ENDINGS[3 if column.interval else max(map(len, raw), default=1)]
    values = {}
    for k, ending in enumerate(endings):
        numbers = [cell.raw[k] if k < len(cell.raw) else None for cell in cells]
        values[ending] = pl.Series(numbers, dtype=pl.Int64) if whole else _floats(numbers)
    if column.interval or any(cell.n is not None for cell in cells):
        values["_n"] = pl.Series([cell.n for cell in cells], dtype=pl.Int64)
    return values


def _floats(numbers: Sequence[float | None]) -> pl.Series:
    return pl.Series(numbers, dtype=pl.Float64).fill_nan(None)


def _snake(words: str) -> str:
    """Words in snake_case."""
    return re.sub(r"\W+", "_", re.sub("[’']", "", words).lower()).strip("_")


# --- the functions, one a table --------------------------------------------------------------------------------------

Function: TypeAlias = Callable[[Result], pl.DataFrame]


def _table(name: str, text: str) -> Function:
    """The function that gives the table of this name; `text` documents it."""

    def function(result: Result) -> pl.DataFrame:
        return _named(result, name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def _named(result: Result, name: str) -> pl.DataFrame:
    found = tables_of(result)
    for table in found:
        if name_of(table) == name:
            return frame(table)
    raise InputError(
        f"The report of this {type(result).__name__} has no table {name}. It has {', '.join(map(name_of, found))}."
    )


def does(result: Strategy, bot: str) -> pl.DataFrame:
    """Of a strategy report: what a bot does otherwise than the favourite, the surest differences of each kind first."""
    bots = [profile.bot for profile in result.profiles]
    if bot not in bots:
        raise InputError(f"There is no profile of {bot}. There are those of {', '.join(bots) or 'no bots'}.")
    return _named(result, f"does_{bots.index(bot)}")


# Of a balance report.
turn_order_line_ups = _table("turn_order_line_ups", "What going first is worth, or how the seats win; a row a line-up.")
places = _table("places", "Places in turn order and seats: wins, lead and score.")
compensation = _table("compensation", "What the first player wins when the second one is given so many points.")
scores = _table("scores", "Mean, spread and quantiles of scores; of a comparison, what the edit did to them.")
score_parts = _table("score_parts", "What scores are made of, a column a bot, and the winner's lead in each part.")
match_ups = _table("match_ups", "Every bot against every other: wins and leads; of a comparison, how they changed.")
by_tier = _table("by_tier", "The headline numbers, or their changes by an edit, a column a tier of bots.")
cards = _table(
    "cards", "Every card: what being dealt it is worth, and how it is used; of a comparison, how both changed; of an "
    "exploiting bot, what it does with it otherwise.",
)  # fmt: skip
cards_tiers = _table("cards_tiers", "What a card in the opening hand is worth, in points, a column a tier of bots.")
groups = _table("groups", "Groups of cards: how often something becomes of them, and the winner's lead in that.")
groups_bots = _table("groups_bots", "How often something becomes of a group of cards, a column a bot.")
groups_types = _table("groups_types", "Cards that are chosen, not dealt: how often they are taken.")
market_use = _table("market_use", "Cards on the table: how often they lie there and are built, when, and by whom.")
market_line_ups = _table("market_line_ups", "How often each card on the table is built, a column a line-up.")
market_presence = _table("market_presence", "What one more copy on the table does to all players' scores, and length.")
market_ends = _table("market_ends", "What one more copy on the table does to how games end.")
market_built = _table("market_built", "What a copy's being built does to the table, with chance as the instrument.")
market_bots = _table("market_bots", "Whom a card on the table favours, a column a line-up and bot.")
tallies_rates = _table("tallies_rates", "How often something is done with each card, in a game and by a player.")
tallies_turns = _table("tallies_turns", "The same in one turn of a player's own (the page shows a hundred turns).")
tallies_bots = _table("tallies_bots", "How often something is done with each card, a column a bot.")
tallies_association = _table("tallies_association", "How far ahead those are who do it more often: confounded.")
length = _table("length", "How long games are and how they end; of a comparison, how that changed.")
leads = _table("leads", "How often the lead changes, and how close games are.")
pace = _table("pace", "What bots did per turn of their own, a column a bot.")
choices = _table("choices", "How many options there are to choose from.")
behind = _table("behind", "Wins of those who are behind at half time, by how much they are.")
close = _table("close", "How many games are won by so few points at most.")
running = _table("running", "The worth of going first as deals came in, and its interval for all looks.")
line_ups = _table("line_ups", "What was played: games and deals, and the advantage that they would find.")
bots = _table("bots", "The bots: tier, what they do, and how much they win against others.")
run = _table("run", "What was played and by what: card set, seed, margins, version, as words.")

# Of a strategy report or a ladder, besides match_ups; a strategy report has the tables on feel, too.
ratings = _table("ratings", "Ratings on the Elo scale, strong to weak, and the places that are possible.")
orders = _table("orders", "What a place in turn order is worth in the ratings.")
rungs = _table("rungs", "The steps from one bot of the ratings to the next, and whether each is sure.")
labels = _table("labels", "The headline numbers of a balance report, a column a bot, and how they change with skill.")
speed = _table("speed", "How long a decision takes, in microseconds on the machine that played.")
meta = _table("meta", "What players would choose who may name any bot: Nash equilibrium and alpha-rank.")
counters = _table("counters", "What beats each bot best; of an exploiting bot, what it does more and less.")
use = _table("use", "How often each card is played of the times it is held, a column a bot.")
luck_share = _table("luck_share", "Of what wins are made: skill, turn order, deal and dice.")
luck_margin = _table("luck_margin", "Of what margins in points are made.")
spread = _table("spread", "How much scores differ from game to game.")
runaway = _table("runaway", "Whether leaders run away.")
kingmaking = _table("kingmaking", "Whether one who does not win decides who does.")
decisions = _table("decisions", "Which decisions matter, from a log of the moves.")

# Of a comparison, besides scores, length, match_ups, by_tier and cards.
changes = _table("changes", "What differs between the card sets, in words; of a trend, how each figure changed.")
seats = _table("seats", "What the edit did to turn order, a row a line-up and question.")
made_of = _table("made_of", "What the edit did to the parts of scores, and to what bots did.")
tallies = _table("tallies", "How the edit changed what is done with each card.")
pairing = _table("pairing", "How alike the games of the two sets are, and how many games that saved.")
ended = _table("ended", "The questions that play went on for, and their answers.")

# Of a sweep.
turn_order_points = _table("turn_order_points", "What going first is worth at every value, and its change.")
even_values = _table("even_values", "The values at which going first is worth nothing.")
pairings = _table("pairings", "The bots against each other, columns for the values.")
even_pairings = _table("even_pairings", "The values at which two bots are even.")
score_points = _table("score_points", "Scores and their parts at every value.")
feel_points = _table("feel_points", "Length, spread, changes of the lead and ties at every value.")
points = _table("points", "The points that were played, and how alike their games are to those as it is.")
responses = _table("responses", "Every number as it is, and where it changes most.")

# Of a study of access; of an exploiting bot, besides counters and cards; of a check, a trend, a plan, a tuning.
ban = _table("ban", "What each card is worth to a player who may not use it.")
blank = _table("blank", "What each card is worth to a player for whom it does nothing.")
parts = _table("parts", "Where the points of an exploiting bot come from.")
times = _table("times", "When an exploiting bot uses cards.")
targets = _table("targets", "The figures of each target of a check with their intervals, and what is allowed.")
verdicts = _table("verdicts", "Every target of a trend at every version.")
figures = _table("figures", "The figures that decide the targets of a trend, a column a version.")
versions = _table("versions", "The versions of a trend: card set, games, seed, folder.")
needs = _table("needs", "How many games an effect takes, and how long that is.")
needs_of_changes = _table("needs_of_changes", "The same for the change between two card sets.")
finalists = _table("finalists", "The finalists of a tuning, the winner first: price, and misses in margins.")
ranges = _table("ranges", "What could vary in a tuning, and what was found.")
