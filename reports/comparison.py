"""The comparison report: what did an edit of the cards change? One HTML page, the same numbers as JSON, and Markdown.

The page opens with what was edited and what that did, in plain sentences, and the figures that show it; then a section
each on the edit, turn order, scores, length, strategies, cards and method (`reports.parts.comparison`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis import verdicts
from analysis.answer import WARNING, Answer
from reports import page
from reports.page import Cell, Figure, Section
from reports.parts.comparison import cards, common, edit, measures, method

FORMATS = page.FORMATS
SECTIONS = (edit.section, measures.seats, measures.scores, measures.length, measures.strategies, cards.section)
KEY_FIGURES = {
    measures.SEATS: lambda a: measures.seats_figure(a, "key-seats"),
    measures.SCORES: lambda a: measures.scores_figure(a, "key-scores"),
    measures.LENGTH: lambda a: measures.length_figure(a, "key-length"),
    measures.STRATEGIES: lambda a: measures.strategies_figure(a, "key-strategies"),
    cards.NAME: cards.key_figure,
}
"""The figures of page one by the section that a verdict belongs to."""
MOST_KEY_FIGURES = 2
TONES = {
    verdicts.BAD: ("≠", "Changed"),
    verdicts.GOOD: ("=", "Same"),
    verdicts.UNSURE: ("?", "Open"),
    verdicts.PLAIN: ("·", "Note"),
    WARNING: ("!", "Warning"),
}
"""Sign and word for the tone of a verdict: a change is no problem by itself."""
MOST_ROWS = 12
"""At most so many rows of a table stand in the Markdown version."""


def write(a: Answer, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    return page.write_report(a, {"html": render_html, "json": render_json, "md": render_markdown}, folder, formats)


def sections(a: Answer) -> list[Section]:
    """The sections of the page."""
    return [*(section(a) for section in SECTIONS), method.section(a)]


def _title(a: Answer) -> str:
    c = a.comparison
    return f"{c.title}: from the card set {c.base.card_set} to {c.variant.card_set}"


def render_html(a: Answer) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "comparison.html.jinja",
        title=_title(a),
        a=a,
        tones=TONES,
        key_figures=key_figures(a),
        sections=sections(a),
    )


def key_figures(a: Answer) -> list[Figure]:
    """The figures for the weightiest verdicts that have one."""
    order = dict.fromkeys([*(verdict.section for verdict in a.verdicts), *KEY_FIGURES])
    drawn = [figure for name in order if name in KEY_FIGURES and (figure := KEY_FIGURES[name](a)) is not None]
    return drawn[:MOST_KEY_FIGURES]


def render_json(a: Answer) -> str:
    """`Answer.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(a.to_dict())


def render_markdown(a: Answer) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    c = a.comparison
    lines = [f"# {page.markdown(_title(a))}", ""]
    lines += [
        page.markdown(
            f"{c.games:,} games of {c.seats} seats with each set, bots {', '.join(name for name, _, _ in c.bots)}; the "
            f"verdict is that of {a.main}."
        ),
        "",
    ]
    lines += page.markdown_caveat(c.caveat)
    lines += [f"- **{TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in a.verdicts]
    for section in sections(a):
        lines += _short(a, section)
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card sets {c.base.card_set} (hash {c.base.card_set_hash[:12]}) and {c.variant.card_set} (hash "
            f"{c.variant.card_set_hash[:12]}) on the same {c.deals:,} deals, seed {c.seed}, each with the bots in all "
            f"seats; intervals of 95 % over deals; margins {common.share_margin(a)} of wins and "
            f"{common.points_margin(a)}; fairdeal {a.version}."
        ),
        *(line for note in c.notes for line in ("", page.markdown(note))),
    ]
    return "\n".join(lines) + "\n"


SHORT = {"changes", "seats-table", "by-tier", "match-ups", "cards-table", "pairing"}
"""The tables of the Markdown version."""


def _short(a: Answer, section: Section) -> list[str]:
    lines = []
    for table in section.tables:
        if table.name in SHORT:
            rows: Sequence[Sequence[Cell]] = table.rows[:MOST_ROWS]
            more = "" if len(rows) == len(table.rows) else f": the first {len(rows)} of {len(table.rows)} rows"
            lines += page.headed_table(table, rows, more)
    return lines
