"""The page about a game that was played with several numbers of seats: a section for each, with its verdict and its key
figures, that leads to its full balance report. HTML page, JSON, Markdown.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis import seats_folder
from analysis.balance import Balance, plain_data
from analysis.verdicts import listed
from reports import balance, page

FORMATS = page.FORMATS
BESIDE = "../{}/report"
"""Where the full reports lie, seen from the page, with the name of a run's folder: in the runs beside it."""
BELOW = "{}"
"""The same where they lie in folders below the page."""


@dataclass(frozen=True)
class BySeats:
    """The balances of a game, by number of seats; the numbers of which no game is finished; where full reports lie
    (`BESIDE` or `BELOW`).
    """

    balances: tuple[Balance, ...]
    unplayed: tuple[int, ...] = ()
    full: str = BESIDE

    def folder(self, one: Balance) -> str:
        """The folder of a full report as seen from that of the page, with "/" between the names."""
        return self.full.format(seats_folder.name(one.facts.seats))


def write(by_seats: BySeats, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write the full reports, then the page about them into the folder; return the paths of the latter's files.

    `formats` and errors as for `reports.balance.write`.
    """
    for one in by_seats.balances:
        balance.write(one, os.path.normpath(Path(folder) / by_seats.folder(one)), formats)
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(by_seats, render, folder, formats)


def render_html(by_seats: BySeats) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    sections = [
        {
            "name": seats_folder.name(one.facts.seats),
            "title": _seats(one),
            "played": _played(one),
            "verdicts": one.verdicts,
            "key_figures": [page.renamed(figure, f"seats-{one.facts.seats}-") for figure in balance.key_figures(one)],
            "full": f"{by_seats.folder(one)}/report.html",
        }
        for one in by_seats.balances
    ]
    return page.html(
        "by_seats.html.jinja",
        title=_title(by_seats),
        facts=by_seats.balances[0].facts,
        seats=_all_seats(by_seats),
        games=_games(by_seats),
        missing=_missing(by_seats),
        tones=balance.TONES,
        sections=sections,
    )


def render_json(by_seats: BySeats) -> str:
    """The verdicts and headline numbers by number of seats, as text; the full reports have all numbers."""
    facts = by_seats.balances[0].facts
    content: dict[str, Any] = {
        "format": "fairdeal-balance-by-seats/1",
        "game": facts.game,
        "title": facts.title,
        "card_set": facts.card_set,
        "card_set_hash": facts.card_set_hash,
        "seed": facts.seed,
        "version": facts.version,
        "unplayed": list(by_seats.unplayed),
        "sections": [
            {
                "seats": one.facts.seats,
                "report": f"{by_seats.folder(one)}/report.json",
                "games": one.facts.games,
                "complete": one.facts.complete,
                "headline": one.main.title,
                "verdicts": plain_data(one.verdicts),
                "by_tier": plain_data(one.by_tier),
            }
            for one in by_seats.balances
        ],
    }
    return page.json_text(content)


def render_markdown(by_seats: BySeats) -> str:
    """A short version for a pull request: the verdict for each number of seats, and where its full report is."""
    facts = by_seats.balances[0].facts
    bots = ", ".join(bot.name for bot in facts.bots)
    about = f"{_games(by_seats):,} games with {_all_seats(by_seats)}, bots {bots}; seed {facts.seed}; fairdeal "
    lines = [f"# {page.markdown(_title(by_seats))}", "", page.markdown(f"{about}{facts.version}.")]
    if missing := _missing(by_seats):
        lines += ["", page.markdown(missing)]
    for one in by_seats.balances:
        lines += ["", f"## {_seats(one)}", "", page.markdown(_played(one)), ""]
        lines += [f"- **{balance.TONES[v.tone][1]}.** {page.markdown(v.text)}" for v in one.verdicts]
        lines += ["", f"[The full report for {_seats(one)}]({by_seats.folder(one)}/report.md)"]
    return "\n".join(lines) + "\n"


def _title(by_seats: BySeats) -> str:
    facts = by_seats.balances[0].facts
    return f"{facts.title}: balance of the card set {facts.card_set} by number of seats"


def _seats(one: Balance) -> str:
    return f"{one.facts.seats} seats"


def _all_seats(by_seats: BySeats) -> str:
    return f"{listed([str(one.facts.seats) for one in by_seats.balances])} seats"


def _games(by_seats: BySeats) -> int:
    return sum(one.facts.games for one in by_seats.balances)


def _played(one: Balance) -> str:
    return f"{one.facts.games:,} games. The verdict is that of {one.main.title}."


def _missing(by_seats: BySeats) -> str:
    """A sentence about the numbers of seats that are not there yet, empty if there are none."""
    if not by_seats.unplayed:
        return ""
    return f"No game with {listed(list(map(str, by_seats.unplayed)))} seats is finished yet."
