"""The access report: what is each card worth to a player? One HTML page, the same numbers as JSON, and Markdown.

The page opens with the verdict in plain sentences and the cards that are worth most and least; then a section for each
kind of denial with every card, and method (`reports.parts.access`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.access import Access, left_out, margin_in_words
from analysis.verdicts import counted
from reports import page
from reports.parts import access as parts

FORMATS = page.FORMATS
MOST_ROWS = 12
"""At most so many rows of a table stand in the Markdown version: they are sorted by what the cards are worth."""


def write(a: Access, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    return page.write_report(a, {"html": render_html, "json": render_json, "md": render_markdown}, folder, formats)


def _title(a: Access) -> str:
    sets = [entry["name"] for entry in a.card_sets]
    if a.two:
        return f"{a.title}: what cards are worth, from {sets[0]} to {sets[1]}"
    return f"{a.title}: what the cards of {sets[0]} are worth"


def render_html(a: Access) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "access.html.jinja",
        title=_title(a),
        a=a,
        tones=page.TONES,
        key_figures=[parts.key_figure(a)],
        sections=parts.sections(a),
    )


def render_json(a: Access) -> str:
    """`Access.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(a.to_dict())


def render_markdown(a: Access) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    lines = [f"# {page.markdown(_title(a))}", ""]
    lines += [
        page.markdown(
            f"{a.games:,} games of {a.seats} seats in each of {a.arms} arms, {a.line_up}; one player is denied a card."
        ),
        "",
    ]
    lines += [f"- **{page.TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in a.verdicts]
    *kinds, method = parts.sections(a)
    for section in kinds:
        for table in section.tables:
            rows = table.rows[:MOST_ROWS]
            more = "" if len(rows) == len(table.rows) else f": the first {len(rows)} of {len(table.rows)}"
            lines += page.headed_table(table, rows, more)
    sets = " and ".join(f"{entry['name']} (hash {entry['hash'][:12]})" for entry in a.card_sets)
    without = "; ".join(name for name, _ in left_out(a))
    left = f"left out, as asked: {without}; " if without else ""
    margins = f"{counted(a.margin_share * 100, 'percentage points')} of wins and {margin_in_words(a)}"
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card set{'s' if a.two else ''} {sets}; seed {a.seed}; the same {a.deals:,} deals in all arms, each with "
            f"the bots in all seats; intervals of 95 % over deals; {left}margins {margins}; fairdeal {a.version}."
        )
    ]
    lines += page.headed_table(page.table_of(method, "bots"), level=3)
    return "\n".join(lines) + "\n"
