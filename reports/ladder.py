"""The ladder report: which bots are stronger, how sure that is, and what changes with skill. HTML, JSON, Markdown.

The page opens with the verdict in plain sentences, the ratings and the match-ups; then a section each on ratings,
rungs, match-ups, skill, time per decision and method (`reports.parts.ladder`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.ladder import Ladder
from reports import page
from reports.parts import common
from reports.parts import ladder as parts

FORMATS = page.FORMATS


def write(ladder: Ladder, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(ladder, render, folder, formats)


def _title(ladder: Ladder) -> str:
    facts = ladder.facts
    return f"{facts.title}: a ladder of {len(ladder.names)} bots"


def render_html(ladder: Ladder) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "ladder.html.jinja",
        title=_title(ladder),
        facts=ladder.facts,
        verdicts=ladder.verdicts,
        tones=page.TONES,
        key_figures=parts.key_figures(ladder),
        sections=parts.sections(ladder),
    )


def render_json(ladder: Ladder) -> str:
    """`Ladder.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(ladder.to_dict())


def render_markdown(ladder: Ladder) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    facts = ladder.facts
    lines = [f"# {page.markdown(_title(ladder))}", ""]
    lines += [
        page.markdown(
            f"{facts.games:,} games of {facts.seats} seats, bots {', '.join(bot.name for bot in facts.bots)}: every "
            "two against each other, and each against itself."
        ),
        "",
    ]
    lines += page.markdown_caveat(facts.caveat)
    lines += [f"- **{page.TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in ladder.verdicts]
    sections = parts.sections(ladder)
    *others, method = sections
    for section in others:
        for table in section.tables:
            if any(column.short for column in table.columns):
                lines += page.headed_table(table)
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card set {facts.card_set}, hash {facts.card_set_hash[:12]}; seed {facts.seed}; {parts.budget(ladder)}, "
            f"each deal with the bots in all seats; intervals of 95 % over deals; margins "
            f"{common.share_margin(ladder)} of wins and {common.points_margin(ladder)}; fairdeal {facts.version}."
        ),
    ]
    lines += page.headed_table(page.table_of(method, "bots"), level=3)
    return "\n".join(lines) + "\n"
