"""Scores: how high, how spread, and of what they are made."""

from __future__ import annotations

import polars as pl

from analysis import figures
from analysis.balance import Balance, LineUpBalance
from analysis.scores import BotScores
from reports import numbers
from reports.numbers import amount, count, effect, plain
from reports.page import Column, Figure, Section, Table
from reports.parts import common, sources

NAME = "scores"


def section(balance: Balance) -> Section:
    """The section on scores."""
    tables = [_table(balance)]
    if (made := sources.table(balance)) is not None:
        tables.append(made)
    drawn = [_figure(balance), sources.parts_figure(balance), *sources.family_figures(balance)]
    said = (*_sentences(balance), *common.sentences(balance, NAME))
    figures_ = tuple(figure for figure in drawn if figure is not None)
    return Section(NAME, "Scores", said, figures_, tuple(tables), _how(balance))


def _sentences(balance: Balance) -> tuple[str, ...]:
    result, unit = balance.main, balance.facts.score_unit
    bot = result.scores.bots[0]
    value, interval = numbers.words(bot.score)
    first = f"{bot.bot} scores {value} {unit} on average (interval {interval}; {common.number_of_games(result)})"
    spread = f"a typical distance from that is {bot.sd.value:.1f}"
    winning, losing = numbers.words(result.scores.winning)[0], numbers.words(result.scores.losing)[0]
    return (f"{first}; {spread}. The winner of a game has {winning}, the loser {losing} on average.",)


def _shown(balance: Balance) -> list[tuple[LineUpBalance, BotScores]]:
    """What the figure shows: every bot in self-play, or in all line-ups where there is none; strong ones first."""
    pairs = [(result, bot) for result in common.self_play(balance) for bot in result.scores.bots]
    return sorted(pairs, key=lambda pair: -pair[1].score.value)[: common.MOST_ROWS]


def _figure(balance: Balance) -> Figure:
    unit = balance.facts.score_unit
    rows, shapes = [], []
    for result, bot in _shown(balance):
        colour = figures.colour(common.bot_index(balance, bot.bot))
        name = result.title if result.mirror else f"{bot.bot} in {result.title}"
        rows.append(common.mark(name, bot.score, colour))
        one = result.scores.distribution.filter(who=bot.bot)
        shapes.append(one.select(pl.lit(name).alias("name"), x="score", fraction="fraction"))
    drawn = pl.concat(shapes)
    below = (drawn["x"] < 0).any()
    label = f"{unit} in a game; dot: mean with interval{'; line: zero' if below else ''}"
    drawing = common.ridges(
        "score-shapes", drawn, rows, label, zero=below, what="Distributions of scores and their means."
    )
    best, worst = rows[0], rows[-1]
    title = f"Scores of {best['name']} average {best['text'].partition(' ')[0]}"
    if len(rows) > 1:
        title += f", those of {worst['name']} {worst['text'].partition(' ')[0]}"
    return Figure("score-shapes", title, drawing)


def _table(balance: Balance) -> Table:
    unit = balance.facts.score_unit
    columns = (
        Column("Line-up", numeric=False),
        Column("Bot", numeric=False),
        Column("Mean score", unit),
        Column("Spread", "standard deviation"),
        Column("Lowest 5 %", "up to"),
        Column("Middle", "median"),
        Column("Highest 5 %", "from"),
        Column("Ahead of the others", unit),
        Column("Games"),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            common.bot_cell(balance, bot.bot),
            amount(bot.score),
            plain(bot.sd.value),
            *(plain(bot.quantiles[q], 0) for q in (0.05, 0.5, 0.95)),
            effect(bot.margin),
            count(result.distinct),
        )
        for result in balance.line_ups
        for bot in result.scores.bots
    )
    return Table("scores-table", "Scores in every line-up", columns, rows)


def _how(balance: Balance) -> str:
    return (
        f"Scores are final scores of a seat{'' if balance.facts.round_is_game else ' over all rounds of the match'}. "
        f"{common.BY_DEALS} Hills in the figure are drawn equally high and without the last 0.1 % at either end. The "
        "winner’s and the loser’s mean are those of the best and of the worst score of each game."
    )
