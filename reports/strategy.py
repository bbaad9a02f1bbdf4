"""The strategy report: which strategy is best, what beats what, what each one does, and how much is skill. HTML, JSON,
Markdown.

The page opens with the verdict in plain sentences, the ratings and what results are made of; then a section each on
ratings, match-ups, the meta, what strategies do, skill and luck, feel and method (`reports.parts.strategy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.strategy import Strategy
from reports import page
from reports.page import Figure
from reports.parts import common
from reports.parts import strategy as parts

FORMATS = page.FORMATS
TONES = page.TONES


def write(strategy: Strategy, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(strategy, render, folder, formats)


def _title(strategy: Strategy) -> str:
    facts = strategy.facts
    return f"{facts.title}: the strategies with the card set {facts.card_set}"


def key_figures(strategy: Strategy) -> list[Figure]:
    """The figures of page one."""
    return parts.key_figures(strategy)


def render_html(strategy: Strategy) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "strategy.html.jinja",
        title=_title(strategy),
        facts=strategy.facts,
        verdicts=strategy.verdicts,
        tones=TONES,
        key_figures=key_figures(strategy),
        sections=parts.sections(strategy),
    )


def render_json(strategy: Strategy) -> str:
    """`Strategy.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(strategy.to_dict())


def render_markdown(strategy: Strategy) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    facts = strategy.facts
    lines = [f"# {page.markdown(_title(strategy))}", ""]
    lines += [
        page.markdown(
            f"{facts.games:,} games of {facts.seats} seats, bots {', '.join(bot.name for bot in facts.bots)}."
        ),
        "",
    ]
    lines += page.markdown_caveat(facts.caveat)
    lines += [f"- **{TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in strategy.verdicts]
    *others, method = parts.sections(strategy)
    for section in others:
        for table in section.tables:
            if any(column.short for column in table.columns):
                lines += page.headed_table(table, table.rows[: parts.MOST_SHORT])
    if strategy.missing:
        lines += ["", "## What this run does not tell", ""]
        lines += [f"- {page.markdown(text)}" for text in dict.fromkeys(missing.text for missing in strategy.missing)]
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card set {facts.card_set}, hash {facts.card_set_hash[:12]}; seed {facts.seed}; {facts.deals:,} deals a "
            "line-up, each with the bots in all seats; intervals of 95 % over deals; margins "
            f"{common.share_margin(strategy)} of wins and {common.points_margin(strategy)}; fairdeal {facts.version}."
        ),
    ]
    lines += page.headed_table(page.table_of(method, "bots"), level=3)
    return "\n".join(lines) + "\n"
