"""The sweep report: how a game responds to one or two values of its card set. HTML page, JSON, Markdown.

The page opens with the verdict in plain sentences and the curves that show it; then a section each on turn order,
strategies, scores, feel, the points and method (`reports.parts.sweep`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.sweep import Sweep
from analysis.sweep_verdicts import axis_name, nouns, value_word, varied
from reports import page
from reports.page import Section
from reports.parts import common
from reports.parts import sweep as parts

FORMATS = page.FORMATS


def write(sweep: Sweep, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(sweep, render, folder, formats)


def render_html(sweep: Sweep) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "sweep.html.jinja",
        title=_title(sweep),
        facts=sweep.facts,
        varied=varied(sweep),
        axes=len(sweep.axes),
        values=_values(sweep),
        games=sweep.games,
        verdicts=sweep.verdicts,
        tones=page.TONES,
        key_figures=parts.key_figures(sweep),
        sections=parts.sections(sweep),
    )


def _title(sweep: Sweep) -> str:
    return f"{sweep.facts.title}: what {varied(sweep)} {'do' if len(sweep.axes) > 1 else 'does'}"


def _values(sweep: Sweep) -> str:
    return " · ".join(
        f"{axis_name(axis)} {', '.join(value_word(value) for value in axis['values'])} (as it is: "
        f"{value_word(axis['base'])})"
        for axis in sweep.axes
    )


def render_json(sweep: Sweep) -> str:
    """`Sweep.to_dict()` as text: every number of the page, and more. A row of a table is a line."""
    return page.json_text(sweep.to_dict())


def render_markdown(sweep: Sweep) -> str:
    """A short version for a pull request: the verdict, the main tables, and how it was made."""
    facts = sweep.facts
    lines = [f"# {page.markdown(_title(sweep))}", ""]
    lines += [
        page.markdown(
            f"{_values(sweep)}. {sweep.games:,} games of {facts.seats} seats at {len(sweep.points)} {nouns(sweep)}, "
            f"bots {', '.join(bot.name for bot in facts.bots)}; the verdict is that of {sweep.main}."
        ),
        "",
    ]
    lines += page.markdown_caveat(facts.caveat)
    lines += [f"- **{page.TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in sweep.verdicts]
    sections: dict[str, Section] = {section.name: section for section in parts.sections(sweep)}
    for name, table in (
        ("turn-order", "turn-order-points"), ("strategies", "pairings-table"), ("scores", "score-points"),
    ):  # fmt: skip
        if name in sections:
            lines += page.headed_table(page.table_of(sections[name], table))
    lines += ["", "## Method", ""]
    lines += [
        page.markdown(
            f"Card set {facts.card_set}, hash {facts.card_set_hash[:12]}; seed {facts.seed}; the same {facts.deals:,} "
            "deals a line-up at every value, each with the bots in all seats; intervals of 95 % over deals, changes "
            f"paired by deal; margins {common.share_margin(sweep)} of wins and {common.points_margin(sweep)}; fairdeal "
            f"{facts.version}."
        ),
    ]
    lines += page.headed_table(page.table_of(sections["method"], "bots"), level=3)
    return "\n".join(lines) + "\n"
