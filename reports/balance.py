"""The balance report: is a game fair with this card set? One HTML page, the same numbers as JSON, and Markdown.

The page opens with the verdict in plain sentences and the figures that show it; then a section each on turn order,
scores, strategies, cards, feel, convergence and method (`reports.parts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from analysis.balance import Balance
from reports import page
from reports.page import Figure, Section
from reports.parts import (
    cards,
    common,
    convergence,
    feel,
    groups,
    market,
    method,
    scores,
    strategies,
    tallies,
    turn_order,
)

PARTS = (turn_order, scores, strategies, cards, groups, market, tallies, feel, convergence, method)
KEY_FIGURES = {"turn order": turn_order.key_figure, "cards": cards.key_figure, "market": market.key_figure}
KEY_FIGURES |= {"feel": feel.key_figure}
"""The figures of page one by the section that a verdict belongs to; most important verdict first."""
SECTION_OF = {"turn order": turn_order.NAME, "scores": scores.NAME, "cards": cards.NAME}
SECTION_OF |= {"strategies": strategies.NAME, "groups": groups.NAME}
SECTION_OF |= {"market": market.NAME, "tallies": tallies.NAME, "feel": feel.NAME, "method": method.NAME}
TONES = page.TONES
FORMATS = page.FORMATS


def write(balance: Balance, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(balance, render, folder, formats)


def render_html(balance: Balance) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    facts = balance.facts
    return page.html(
        "balance.html.jinja",
        title=_title(balance),
        facts=facts,
        headline=balance.main.title,
        verdicts=balance.verdicts,
        tones=TONES,
        section_of=SECTION_OF,
        key_figures=key_figures(balance),
        sections=sections(balance),
    )


def sections(balance: Balance) -> list[Section]:
    """The sections of the page."""
    return [part.section(balance) for part in parts_of(balance)]


def parts_of(balance: Balance) -> list[ModuleType]:
    """The sections of the page: those that have something to tell of this game. What settles as deals come in is the
    worth of going first.
    """
    main = balance.main
    there: dict[ModuleType, object] = {convergence: balance.facts.first_player, groups: main.groups}
    there |= {market: main.market, tallies: main.tallies}
    return [part for part in PARTS if there.get(part, True)]


def _title(balance: Balance) -> str:
    facts = balance.facts
    return f"{facts.title}: balance of the card set {facts.card_set}"


def key_figures(balance: Balance) -> list[Figure]:
    """The figures of page one, those of the most important verdicts first."""
    order = dict.fromkeys([*(verdict.section for verdict in balance.verdicts), *KEY_FIGURES])
    drawn = [KEY_FIGURES[section](balance) for section in order if section in KEY_FIGURES]
    return [figure for figure in drawn if figure is not None]


# --- JSON ------------------------------------------------------------------------------------------------------------


def render_json(balance: Balance) -> str:
    """`Balance.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(balance.to_dict())


# --- Markdown --------------------------------------------------------------------------------------------------------

MOST_CARDS = 5
"""So many of the strongest and of the weakest cards stand in the Markdown version."""


def render_markdown(balance: Balance) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    facts = balance.facts
    lines = [f"# {page.markdown(_title(balance))}", ""]
    lines += [
        page.markdown(
            f"{facts.games:,} games of {facts.seats} seats, bots {', '.join(bot.name for bot in facts.bots)}; the "
            f"verdict is that of {balance.main.title}."
        ),
        "",
    ]
    lines += page.markdown_caveat(facts.caveat)
    lines += [f"- **{TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in balance.verdicts]
    found = {section.name: section for section in sections(balance)}
    for name, table in (
        (turn_order.NAME, "turn-order-line-ups"), (strategies.NAME, "match-ups-table"), (strategies.NAME, "by-tier"),
    ):  # fmt: skip
        lines += page.headed_table(page.table_of(found[name], table))
    lines += _cards(found[cards.NAME])
    for name, table in ((market.NAME, "market-use"), (market.NAME, "market-presence"), (tallies.NAME, "tallies-rates")):
        if name in found:
            lines += page.headed_table(page.table_of(found[name], table))
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card set {facts.card_set}, hash {facts.card_set_hash[:12]}; seed {facts.seed}; {facts.deals:,} deals a "
            "line-up, each with the bots in all seats; intervals of 95 % over deals; margins "
            f"{common.share_margin(balance)} of wins and {common.points_margin(balance)}; fairdeal {facts.version}."
        ),
    ]
    lines += page.headed_table(page.table_of(found[method.NAME], "bots"), level=3)
    return "\n".join(lines) + "\n"


def _cards(section: Section) -> list[str]:
    """The strongest and the weakest cards; the reason where there is no table."""
    table = page.table_of(section, "cards-table")
    if table is None:
        return ["", "## Cards", "", *map(page.markdown, section.sentences)]
    if len(table.rows) <= 2 * MOST_CARDS:
        return page.headed_table(table)
    rows = table.rows[:MOST_CARDS] + table.rows[-MOST_CARDS:]
    return page.headed_table(table, rows, f": the {MOST_CARDS} strongest and the {MOST_CARDS} weakest")
