"""The trend report: versions of a card set against the same targets. HTML page, JSON, Markdown.

The page opens with the verdict in plain sentences; then a figure for each target, what changed from version to version,
and method (`reports.parts.trend`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analysis.trend import Trend
from analysis.trend_verdicts import page_one
from reports import page
from reports.parts import trend as parts

FORMATS = page.FORMATS


def write(trend: Trend, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write report.html, report.json and report.md (or some of them) into a folder and return their paths.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(trend, render, folder, formats)


def _title(trend: Trend) -> str:
    return f"{trend.title}: {len(trend.versions)} versions against their targets"


def render_html(trend: Trend) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    return page.html(
        "trend.html.jinja",
        title=_title(trend),
        trend=trend,
        verdicts=page_one(trend),
        tones=page.TONES,
        sections=parts.sections(trend),
    )


def render_json(trend: Trend) -> str:
    """`Trend.to_dict()` as text, with the sentences of the page: every number of it, and more."""
    return page.json_text(trend.to_dict() | {"verdicts": [vars(verdict) for verdict in page_one(trend)]})


def render_markdown(trend: Trend) -> str:
    """A short version for a pull request: the verdict, the tables, and how it was made."""
    lines = [f"# {page.markdown(_title(trend))}", ""]
    lines += [
        page.markdown(
            f"{' → '.join(version.name for version in trend.versions)}; games of {' and '.join(map(str, trend.seats))} "
            f"seats, bots {', '.join(trend.bots)}; targets of {trend.targets}."
        ),
        "",
    ]
    lines += page.markdown_caveat(trend.caveat)
    lines += [f"- **{page.TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in page_one(trend)]
    for section in parts.sections(trend):
        for table in section.tables:
            lines += page.headed_table(table)
    return "\n".join(lines) + "\n"
