"""The parts of the strategy report: ratings, match-ups, the meta, what strategies do, skill and luck, feel, method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import figures, score_verdicts, stats, strategy_verdicts
from analysis import meta as metas
from analysis.meta import Counter, Meta
from analysis.skill import COMPONENTS, SELF_PLAY, Skill
from analysis.stats import Estimate
from analysis.strategy import FEEL, META, PROFILES, RATINGS, SKILL, Profile, Strategy
from reports import numbers
from reports.numbers import NONE, amount, count, effect, estimate, percent
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common, exploit, feel, method, sources
from reports.parts import ladder as ladders
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DIFFERENCES = 15
"""At most so many differences of a kind stand in a table, the surest first; report.json has all."""
MOST_SHORT = 20
"""At most so many rows of a table stand in the Markdown version."""
HEADS = {"skill": "Skill", "seat": "Turn order", "deal": "Deal", "skill x deal": "Deal × bot", "rest": "Dice"}
"""The parts of a result as they stand above a panel or a column."""
EVENTS = {"score": "score", "counter": "counter"}
"""What stands for the event of a difference that is not about a card."""
CLONES = "Bots whose results are the same deal by deal count as one strategy, which they share evenly."


def sections(strategy: Strategy) -> list[Section]:
    """All sections of the page."""
    found = [ratings(strategy), match_ups(strategy), meta(strategy), profiles(strategy), luck(strategy)]
    return [*(section for section in found if section is not None), feels(strategy), method.section(strategy.balance)]


def key_figures(strategy: Strategy) -> list[Figure]:
    """The figures of page one: who beats whom, and of what results are made; without match-ups, how long games are."""
    found = [ladders.match_figure(strategy.ladder) if strategy.ladder else None, luck_figure(strategy)]
    return [figure for figure in found if figure is not None]


def _said(strategy: Strategy, section: str) -> tuple[str, ...]:
    """All sentences about a section, the most important first."""
    return tuple(verdict.text for verdict in strategy_verdicts.sentences(strategy) if verdict.section == section)


def _colour(strategy: Strategy, bot: str) -> str:
    return figures.colour(common.bot_index(strategy, bot))


# --- ratings and match-ups -------------------------------------------------------------------------------------------


def ratings(strategy: Strategy) -> Section:
    """The section on ratings and the places that are possible."""
    if strategy.ladder is None:
        return Section(RATINGS, "Ratings", strategy.lacks(RATINGS))
    return replace(ladders.ratings(strategy.ladder), figures=(ladders.rating_figure(strategy.ladder),))


def match_ups(strategy: Strategy) -> Section | None:
    """The section on every two bots."""
    return ladders.match_ups(strategy.ladder) if strategy.ladder else None


# --- the meta --------------------------------------------------------------------------------------------------------


def meta(strategy: Strategy) -> Section:
    """The section on the game of choosing a bot."""
    title = "The meta: what to choose"
    if strategy.meta is None:
        return Section(META, title, strategy.lacks(META))
    drawn = (nash_figure(strategy, strategy.meta), alpha_figure(strategy, strategy.meta))
    tables = (_masses(strategy, strategy.meta), _counters(strategy, strategy.meta))
    return Section(META, title, _said(strategy, META), drawn, tables, _how_meta(strategy))


def _by_mass(strategy: Strategy, frame: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows with the largest mass on top, equal ones by strength."""
    return sorted(frame.to_dicts(), key=lambda row: (-row["mass"], strategy.names.index(row["bot"])))


def _mass(row: dict[str, Any], n: int) -> Estimate:
    return Estimate(row["mass"], row["low"], row["high"], n, n, "share")


def nash_figure(strategy: Strategy, found: Meta) -> Figure:
    """The mass of each bot in the Nash equilibrium, and in how many samples it belongs to it."""
    rows = [
        common.mark(
            f"{row['bot']}, included in {row['included'] * 100:.0f} %",
            _mass(row, strategy.facts.deals),
            _colour(strategy, row["bot"]),
        )
        for row in _by_mass(strategy, found.nash)
    ]
    drawing = common.intervals(
        "nash", rows, "per cent of choices in the Nash equilibrium", what="The Nash equilibrium of choosing a bot."
    )
    named = [row["bot"] for row in _by_mass(strategy, found.nash) if row["mass"] >= metas.INCLUDED]
    title = f"{named[0]} alone is the meta" if len(named) == 1 else f"The meta mixes {numbers.listed(named)}"
    return Figure("nash", title, drawing, "Included: in so many of the resampled tables of match-ups it is part of it.")


def alpha_figure(strategy: Strategy, found: Meta) -> Figure:
    """The mass of each bot in alpha-rank, from weak to strong selection."""
    frame = found.alpha_rank.select(
        name="bot",
        colour=pl.col("bot").replace_strict({bot: _colour(strategy, bot) for bot in found.names}),
        x=pl.col("alpha").log10(),
        value=pl.col("mass") * 100,
        low=pl.col("low") * 100,
        high=pl.col("high") * 100,
    )
    alphas = found.alpha_rank["alpha"].unique().to_list()
    powers = range(math.ceil(math.log10(min(alphas)) - 1e-9), math.floor(math.log10(max(alphas)) + 1e-9) + 1)
    ticks = [(float(power), f"{10.0**power:,g}" if power < 0 else f"{10**power:,}") for power in powers]
    even = 100 / len(found.names)

    def paint(ax: Axes) -> Axes:
        return figures.response(
            frame, ax, ticks=ticks, joined=True, line=even, xlabel="how strongly the more successful spread (alpha)",
            ylabel="per cent of the time that a population plays it; line: an even share",
        )  # fmt: skip

    last = _by_mass(strategy, found.alpha_rank.filter(pl.col("alpha") == pl.col("alpha").max()))
    panel = Panel(26, 18, common.WIDTH - 26 - figures.LABELS, 150, paint)
    told = "; ".join(f"{row['bot']} {_mass_words(row)}" for row in last)
    drawing = Drawing("alpha-rank", common.WIDTH, 206, [panel], f"Alpha-rank at the strongest selection: {told}.")
    title = f"Where the more successful spread, {last[0]['bot']} ends up with {last[0]['mass'] * 100:.0f} %"
    return Figure("alpha-rank", title, drawing, f"{_settled(found)} Bands: 95 % intervals.")


def _mass_words(row: dict[str, Any]) -> str:
    return f"{row['mass'] * 100:.1f} % ({row['low'] * 100:.1f} to {row['high'] * 100:.1f})"


def _settled(found: Meta) -> str:
    if found.settled is None:
        return "Within the alphas shown the shares do not settle."
    return f"From an alpha of about {found.settled:,.2g} on the shares no longer change."


def _masses(strategy: Strategy, found: Meta) -> Table:
    n = strategy.facts.deals
    last = {
        row["bot"]: row for row in _by_mass(strategy, found.alpha_rank.filter(pl.col("alpha") == pl.col("alpha").max()))
    }
    columns = (
        Column("Bot", numeric=False, short=True), Column("Nash", "% of choices", short=True),
        Column("Included", "% of samples", short=True, name="nash_included"),
        Column("Alpha-rank", "% of the time", short=True),
        Column("Included", "% of samples", name="alpha_rank_included"),
    )  # fmt: skip
    rows = tuple(
        (
            common.bot_cell(strategy, row["bot"]),
            amount(_mass(row, n)),
            percent(row["included"], 0),
            amount(_mass(last[row["bot"]], n)),
            percent(last[row["bot"]]["included"], 0),
        )
        for row in _by_mass(strategy, found.nash)
    )
    clones = " ".join(f"{numbers.listed(list(same))} are clones." for same in found.clones)
    note = f"Alpha-rank: at the strongest selection shown. {clones and clones + ' ' + CLONES}".rstrip()
    return Table("meta-table", "What the meta would play", columns, rows, note)


def _counters(strategy: Strategy, found: Meta) -> Table:
    columns = (
        Column("Bot", numeric=False, short=True), Column("Best counter", numeric=False, short=True),
        Column("Counter wins", "%", short=True), Column("Beats it", numeric=False, short=True),
        Column("Is the best", "% of samples"), Column("Games"),
    )  # fmt: skip
    of = {one.bot: one for one in found.counters}
    rows = tuple(
        (
            common.bot_cell(strategy, name),
            common.bot_cell(strategy, of[name].counter),
            amount(of[name].share),
            Cell(_beats(of[name], strategy), strong=of[name].beats),
            percent(of[name].best, 0),
            count(of[name].share.games),
        )
        for name in strategy.names
    )
    return Table("counters", "What beats each bot best", columns, rows)


def _beats(one: Counter, strategy: Strategy) -> str:
    return "surely" if one.beats else "no" if one.share.high < 1 / strategy.facts.seats else "not known"


def _how_meta(strategy: Strategy) -> str:
    many = strategy.facts.seats > 2
    edge = "by how much more the one wins alone among the others than the other way round" if many else "its win share"
    rare = strategy.meta.intransitivity.rare if strategy.meta and strategy.meta.intransitivity else ()
    pairs = "the one lopsided pair" if len(rare) == 1 else f"the {len(rare)} lopsided pairs"
    lopsided = f" Of {pairs} only the limits are used." if rare else ""
    return (
        f"Two players each name one of these bots and are paid {edge}. Nash: the equilibrium of that game, of several "
        "the most even one. Alpha-rank: the share of time that a population of 50 plays a bot, where mutants with "
        "other bots come and the more successful are copied, the more strictly the higher alpha. Both are made again "
        f"for {stats.RESAMPLES:,} resamples of the deals. Cycles: the log-odds of the match-ups are split into what "
        "one number a bot explains and what goes round; the noise of sampling is taken out. The counter is the best of "
        f"several, so its interval is one of all candidates together.{lopsided} All of it is about these bots: a "
        "strategy that nobody has written may beat them."
    )


# --- what strategies do ----------------------------------------------------------------------------------------------


def profiles(strategy: Strategy) -> Section:
    """The section on what each bot does, and does otherwise than the favourite."""
    balance = strategy.balance
    told = [strategy_verdicts.apart(profile) for profile in strategy.profiles]
    # That of the favourite; what the others have otherwise is told beside it.
    said = (*score_verdicts.profiles(balance)[:1], *told, *strategy.lacks(PROFILES))
    drawn = [sources.parts_figure(balance), *sources.family_figures(balance)]
    drawn += [_cards(strategy, i, profile) for i, profile in enumerate(strategy.profiles)]
    tables = [sources.table(balance), _use(strategy)]
    tables += [_does(strategy, i, profile) for i, profile in enumerate(strategy.profiles)]
    return Section(
        PROFILES,
        "What each strategy does",
        said or (f"Only {strategy.favourite} has played, so it has nobody to differ from.",),
        tuple(figure for figure in drawn if figure is not None),
        tuple(table for table in tables if table is not None),
        _how_profiles(strategy),
    )


def _cards(strategy: Strategy, number: int, profile: Profile) -> Figure | None:
    name = f"cards-{number}"
    rows = profile.differences.filter(kind="card").to_dicts()
    xlabel = f"times a game, beyond {profile.other}"
    drawn = exploit.cards_figure(name, rows, _colour(strategy, profile.bot), xlabel)
    if drawn is None:
        return None
    drawing, first = drawn
    more = "more" if first["value"] > 0 else "less"
    title = f"With {profile.bot}, {first['label']} is {first['event']} {more} often than with {profile.other}"
    note = f"To the right: what {profile.bot} does more often. The largest of the sure ones."
    return Figure(name, title, drawing, note)


def _use(strategy: Strategy) -> Table | None:
    """How often each card is played of the times it is held, a column a bot against itself."""
    shown = [result for result in common.self_play(strategy.balance) if result.cards is not None]
    shown.sort(key=lambda result: strategy.names.index(result.bots[0]))
    if not shown:
        return None
    frames = [result.cards.types.filter(pl.col("use").is_not_null()) for result in shown if result.cards]
    rows_of = [{row["type"]: row for row in frame.to_dicts()} for frame in frames]
    labels = {row["type"]: row["label"] for rows in rows_of for row in rows.values()}
    if not labels:
        return None
    columns = (Column("Card", numeric=False), *(Column(result.title, "% of those held") for result in shown))
    body = tuple(
        (Cell(label), *(amount(estimate(rows[name], "share", "use")) if name in rows else NONE for rows in rows_of))
        for name, label in labels.items()
    )
    return Table("use", "How often each card is played, of the times it is held", columns, body)


def _does(strategy: Strategy, number: int, profile: Profile) -> Table | None:
    """The surest differences of a bot from the favourite."""
    flagged = profile.differences.filter("flagged")
    rows = flagged.filter(pl.int_range(pl.len()).over("kind") < MOST_DIFFERENCES).to_dicts()
    if not rows:
        return None
    columns = (
        Column("What", numeric=False, short=True), Column("Event", numeric=False, short=True),
        Column(profile.bot, short=True, name="own"), Column(profile.other, short=True, name="other"),
        Column("Difference", short=True),
        Column("False alarm", "q", name="q"), Column("Unit", numeric=False, short=True),
    )  # fmt: skip
    body = tuple(
        (
            Cell(row["label"]),
            Cell(f"when {row['event']}" if row["kind"] == "time" else row["event"] or EVENTS[row["kind"]]),
            numbers.plain(row["own"], 2),
            numbers.plain(row["other"], 2),
            effect(estimate(row, row["unit"])),
            numbers.plain(row["q"], 3),
            Cell(row["unit"]),
        )
        for row in rows
    )
    note = f"{flagged.height} of {profile.differences.height} that were asked about surely differ."
    if flagged.height > len(rows):
        note += f" Shown are the {MOST_DIFFERENCES} surest of each kind; report.json has all."
    return Table(f"does-{number}", f"What {profile.bot} does otherwise than {profile.other}", columns, body, note)


def _how_profiles(strategy: Strategy) -> str:
    mirrors = all(profile.mirrors for profile in strategy.profiles)
    where = "each against itself, in the same seat" if mirrors else "each in the games against the other"
    return (
        f"Means of a game and seat, {where}, on the same deals; intervals of 95 % over deals. q: the expected share of "
        "false alarms among differences at least as clear (Benjamini-Hochberg); up to 0.05 a difference is shown. "
        "Times are those of what happened: who plays a card less often may play it at other times for that reason "
        "alone. What a strategy does more often need not be why it is better or worse."
    )


# --- skill and luck --------------------------------------------------------------------------------------------------


def luck(strategy: Strategy) -> Section:
    """The section on of what results are made."""
    title = "Skill and luck"
    if not strategy.skills:
        return Section(SKILL, title, strategy.lacks(SKILL))
    said = _said(strategy, SKILL) or (strategy_verdicts.luck_of(strategy.skills[0], strategy.facts.seats),)
    tables = tuple(_parts(strategy, what) for what in ("share", "margin"))
    return Section(SKILL, title, said, (), tables, _how_luck(strategy))


def luck_figure(strategy: Strategy) -> Figure | None:
    """Of what the wins of each pair are made: a panel a part, a row a pair."""
    every = [found for found in strategy.skills if found.what == "share" and found.total > 0]
    shown = every[: common.MOST_ROWS]
    if not shown:
        return None
    labels = [f"{found.bot} – {found.opponent}" for found in shown]
    left = max(figures.label_room(label) for label in labels)
    parts = [name for name in COMPONENTS if any(found.of(name) for found in shown)]
    gap = 12.0
    each = (common.WIDTH - left - 12 - gap * (len(parts) - 1)) / len(parts)
    height = (len(shown) + 0.4) * figures.THIN_ROW
    panels = [
        Panel(left + i * (each + gap), 16, each, height, _part_panel(strategy, shown, labels, name, i == 0))
        for i, name in enumerate(parts)
    ]
    told = "; ".join(
        f"{label}: " + ", ".join(f"{HEADS[part.name]} {numbers.words(part.share)[0]} %" for part in found.components)
        for label, found in zip(labels, shown, strict=True)
    )
    alt = f"Of what wins are made, in per cent. {told}."
    drawing = Drawing("luck-figure", common.WIDTH, 16 + height + 32, panels, alt)
    first = shown[0]
    most = max((part for part in first.components), key=lambda part: part.share.value)
    value = numbers.words(first.components[0].share)[0]
    title = f"Skill is {value} % of what decides {strategy_verdicts.table(first, strategy.facts.seats)}"
    if most.name != "skill":
        title += f"; {strategy_verdicts.PARTS[most.name]} is {numbers.words(most.share)[0]} %"
    note = "Per cent of what wins differ by, with 95 % intervals. Deal × bot: a deal that suits the one bot."
    if any(found.rest_from is None for found in shown):
        note += " Without a dot under Dice: nothing tells them apart, so the deal holds them."
    if len(every) > len(shown):
        note += f" The table has all {len(every)} pairs."
    return Figure("luck-figure", title, drawing, note)


def _part_panel(
    strategy: Strategy, shown: Sequence[Skill], labels: Sequence[str], name: str, first: bool
) -> Callable[[Axes], Axes]:
    """What draws the panel of one part."""
    rows = []
    for found, label in zip(shown, labels, strict=True):
        part = found.of(name)
        e = (math.nan,) * 3 if part is None else (part.share.value, part.share.low, part.share.high)
        values = dict(zip(("value", "low", "high"), (100 * x for x in e), strict=True))
        rows.append({"label": label, "colour": _colour(strategy, found.bot), "strong": False, "gap": False} | values)
    frame = common.rows_frame(rows)

    def paint(ax: Axes) -> Axes:
        figures.forest(frame, ax, xlabel="", labels=first, heading=HEADS[name])
        ax.set_xlim(-6, 106)
        ax.set_xticks([0, 100])
        return ax

    return paint


def _parts(strategy: Strategy, what: str) -> Table:
    shown = [found for found in strategy.skills if found.what == what]
    of_wins = what == "share"
    unit = "percentage points" if of_wins else strategy.facts.score_unit
    columns = (
        Column("Bot", numeric=False, short=True),
        Column("Alone against" if strategy.facts.seats > 2 else "Against", numeric=False, short=True),
        Column("Ahead", f"{unit}, over an even result" if of_wins else unit, short=True),
        *(Column(HEADS[name], "%", short=True, interval=True) for name in COMPONENTS),
        Column("Dice measured in", numeric=False),
        *([Column("Games until ahead", "95 % sure", short=True, interval=True)] if of_wins else []),
        Column("Games"),
    )
    rows = tuple(
        (
            common.bot_cell(strategy, found.bot),
            common.bot_cell(strategy, found.opponent),
            effect(found.edge),
            *(NONE if (part := found.of(name)) is None else amount(part.share) for name in COMPONENTS),
            Cell(found.rest_from or "nowhere"),
            *([_lead(found)] if of_wins else []),
            count(found.edge.games),
        )
        for found in shown
    )
    words = "wins" if of_wins else f"margins in {unit}"
    return Table(f"luck-{what}", f"Of what {words} are made", columns, rows)


def _lead(found: Skill) -> Cell:
    lead = found.lead
    if lead is None or not math.isfinite(lead.value):
        return Cell("it is behind" if found.edge.high < 0 else "not known")
    high = f"{lead.high:,.0f}" if math.isfinite(lead.high) else "no end"
    return Cell(f"{lead.value:,.0f}", f"{lead.low:,.0f} to {high}", raw=(lead.value, lead.low, lead.high), n=lead.n)


def _how_luck(strategy: Strategy) -> str:
    like = (
        " They are taken from self-play, where a deal is played again with other dice; for wins only between bots of "
        "like strength, where that is fair."
        if any(found.rest_from == SELF_PLAY for found in strategy.skills)
        else ""
    )
    return (
        "The mean square of the result of a bot (its win share beyond an even one, or its margin) is the sum of five: "
        "skill, what it is worth to be this bot; turn order; the deal, what the cards are worth to a place whoever "
        "sits there; deal × bot, how much more this bot makes of one deal than of another; and dice, the bots’ own. "
        f"Where nothing tells the dice they are within the deal’s two.{like} What sampling adds is taken out, so a "
        "part that is not there may come out a little below 0. Games until ahead: after so many the better bot has won "
        "more than an even share with 95 % probability. Intervals are bootstraps of the deals."
    )


# --- feel ------------------------------------------------------------------------------------------------------------


def feels(strategy: Strategy) -> Section:
    """The section of the balance report on length and feel, with what else a log tells."""
    base = feel.section(strategy.balance)
    said = tuple(dict.fromkeys((*_said(strategy, FEEL), *base.sentences, *strategy.lacks(FEEL))))
    more = [_spread(strategy), _runaway(strategy), _kingmaking(strategy), _decisions(strategy)]
    how = (
        f"{base.how} Spread: the standard deviation over games of the best and of the worst score."
        f"{RUNAWAY if strategy.facts.seats > 2 else ''}{MEANINGFUL if _logged(strategy) else ''}"
    )
    return replace(
        base, sentences=said, tables=(*base.tables, *(table for table in more if table is not None)), how=how
    )


RUNAWAY = (
    " Runaway: the win share of a seat that leads alone at half time, and its lead in the end as a multiple of that at "
    "half time; a lead that is only kept has 1. Kingmaking: pairs of games of one deal in which only one seat’s bot is "
    "another and this seat wins in neither; changed where the winners differ."
)
MEANINGFUL = (
    " Meaningful: of the decisions that two bots were both put (one deal, the same moves so far), those at which they "
    "chose differently; it is about the beginning of games more than about the end."
)


def _logged(strategy: Strategy) -> bool:
    return any(one.choices for one in strategy.feels)


def _spread(strategy: Strategy) -> Table:
    unit = strategy.facts.score_unit
    columns = (
        Column("Line-up", numeric=False), Column("Spread of the best score", unit),
        Column("Spread of the worst score", unit), Column("Games"),
    )  # fmt: skip
    rows = tuple(
        (Cell(one.title), amount(one.spread.winning), amount(one.spread.losing), count(one.spread.winning.games))
        for one in strategy.feels
    )
    return Table("spread", "How much scores differ from game to game", columns, rows)


def _runaway(strategy: Strategy) -> Table | None:
    found = [(one.title, one.runaway) for one in strategy.feels if one.runaway is not None]
    if not found:
        return None
    columns = (
        Column("Line-up", numeric=False, short=True), Column("Somebody leads at half time", "% of games"),
        Column("The leader wins", "%", short=True), Column("The lead in the end", "times", short=True), Column("Games"),
    )  # fmt: skip
    rows = tuple(
        (Cell(title), amount(one.leads), amount(one.wins), amount(one.growth), count(one.leads.games))
        for title, one in found
    )
    return Table("runaway", "Do leaders run away?", columns, rows)


def _kingmaking(strategy: Strategy) -> Table | None:
    if not strategy.kingmaking:
        return None
    columns = (
        Column("Bot", numeric=False), Column("Instead of", numeric=False), Column("Another of the others wins", "%"),
        Column("With unrelated games", "%"), Column("Pairs of games"),
    )  # fmt: skip
    rows = tuple(
        (
            common.bot_cell(strategy, one.bot),
            common.bot_cell(strategy, one.instead),
            amount(one.changed),
            percent(one.unrelated),
            count(one.changed.games),
        )
        for one in strategy.kingmaking
    )
    return Table("kingmaking", "Does one who does not win decide who does?", columns, rows)


def _decisions(strategy: Strategy) -> Table | None:
    if not _logged(strategy):
        return None
    columns = (
        Column("Line-up", numeric=False, short=True), Column("Bot", numeric=False, short=True),
        Column("Options", "median", short=True), Column("Forced", "% of decisions", short=True),
        Column("Meaningful", "% chosen differently", short=True),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(one.title),
            common.bot_cell(strategy, choice.bot),
            amount(choice.options),
            amount(choice.forced),
            NONE if one.meaningful is None else amount(one.meaningful),
        )
        for one in strategy.feels
        for choice in one.choices
    )
    return Table("decisions", "Which decisions matter", columns, rows)
