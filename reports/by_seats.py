"""The page about a game that was played with several numbers of seats: a section for each, with its verdict and its key
figures, that leads to its full report (balance, strategy or comparison). HTML page, JSON, Markdown.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from analysis import seats_folder
from analysis.answer import Answer
from analysis.balance import Balance, Facts, plain_data
from analysis.comparison import Comparison
from analysis.strategy import Strategy
from analysis.verdicts import Verdict, listed
from reports import balance, comparison, page, strategy
from reports.page import Figure
from simcore.places import address, place

FORMATS = page.FORMATS
BESIDE = "../{}/report"
"""Where the full reports lie, seen from the page, with the name of a run's folder: in the runs beside it."""
STRATEGIES_BESIDE = "../{}/strategy"
"""The same for strategy reports, which leave a balance report where it is."""
BELOW = "{}"
"""The same where they lie in folders below the page."""


@dataclass(frozen=True)
class BySeats:
    """The results for a game, all balances, all strategies or all comparisons, by number of seats; the numbers of seats
    of which no game is finished; where full reports lie (`BESIDE`, `STRATEGIES_BESIDE` or `BELOW`).
    """

    results: tuple[Balance | Strategy | Answer, ...]
    unplayed: tuple[int, ...] = ()
    full: str = BESIDE


@dataclass(frozen=True)
class _Part:
    """What the page tells of one number of seats; `report` is the module that writes the full report."""

    result: Balance | Strategy | Answer
    report: ModuleType
    kind: str
    game: str
    title: str
    card_sets: tuple[str, ...]
    seats: int
    games: int
    bots: tuple[str, ...]
    seed: int
    version: str
    headline: str
    verdicts: tuple[Verdict, ...]
    tones: Mapping[str, tuple[str, str]]
    key_figures: tuple[Figure, ...]
    folder: str

    @property
    def name(self) -> str:
        """The id of the section."""
        return seats_folder.name(self.seats)

    @property
    def cards(self) -> str:
        """The card sets in words."""
        return f"{'Card sets' if len(self.card_sets) > 1 else 'Card set'} {listed(list(self.card_sets))}"

    @property
    def heading(self) -> str:
        """The number of seats in words."""
        return f"{self.seats} seats"

    @property
    def played(self) -> str:
        """How much was played, and of whom the verdict is."""
        each = " with each card set" if self.report is comparison else ""
        return f"{self.games:,} games{each}. The verdict is that of {self.headline}."


def _parts(by_seats: BySeats) -> list[_Part]:
    return [_part(result, by_seats.full) for result in by_seats.results]


def _part(result: Balance | Strategy | Answer, full: str) -> _Part:
    facts: Facts | Comparison
    report: ModuleType
    if isinstance(result, Balance | Strategy):
        facts = result.facts
        report, kind = (balance, "Balance") if isinstance(result, Balance) else (strategy, "Strategy")
        card_sets: tuple[str, ...] = (facts.card_set,)
        bots = tuple(bot.name for bot in facts.bots)
        headline = (result if isinstance(result, Balance) else result.balance).main.title
        version = facts.version
    else:
        facts, report, kind = result.comparison, comparison, "Comparison"
        card_sets = (result.comparison.base.card_set, result.comparison.variant.card_set)
        bots = tuple(name for name, _, _ in result.comparison.bots)
        headline, version = str(result.main), result.version
    return _Part(
        result=result,
        report=report,
        kind=f"{kind} report by number of seats",
        game=facts.game,
        title=facts.title,
        card_sets=card_sets,
        seats=facts.seats,
        games=facts.games,
        bots=bots,
        seed=facts.seed,
        version=version,
        headline=headline,
        verdicts=result.verdicts,
        tones=report.TONES,
        key_figures=tuple(page.renamed(one, f"seats-{facts.seats}-") for one in report.key_figures(result)),
        folder=full.format(seats_folder.name(facts.seats)),
    )


def write(by_seats: BySeats, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write the full reports, then the page about them into the folder; return the paths of the latter's files.

    Each file is there complete or not at all. Raises InputError for an unknown format or a folder that cannot be
    written, JobError where writing fails.
    """
    parts = _parts(by_seats)
    for part in parts:
        its_folder = place(folder) / part.folder
        part.report.write(part.result, its_folder if address(its_folder) else os.path.normpath(its_folder), formats)
    render = {"html": render_html, "json": render_json, "md": render_markdown}
    return page.write_report(by_seats, render, folder, formats)


def render_html(by_seats: BySeats) -> str:
    """The page as one HTML document that needs no other file, network or script. Equal results give equal bytes."""
    parts = _parts(by_seats)
    return page.html(
        "by_seats.html.jinja",
        first=parts[0],
        parts=parts,
        seats=_seats(parts),
        games=_games(parts),
        missing=_missing(by_seats),
    )


def render_json(by_seats: BySeats) -> str:
    """The verdicts and headline numbers by number of seats, as text; the full reports have all numbers."""
    parts = _parts(by_seats)
    first = parts[0]
    content: dict[str, Any] = {
        "format": f"fairdeal-{first.kind.split()[0].lower()}-by-seats/1",
        "game": first.game,
        "title": first.title,
        "card_sets": list(first.card_sets),
        "seed": first.seed,
        "version": first.version,
        "unplayed": list(by_seats.unplayed),
        "sections": [
            {
                "seats": part.seats,
                "report": f"{part.folder}/report.json",
                "games": part.games,
                "headline": part.headline,
                "verdicts": plain_data(part.verdicts),
                "by_tier": plain_data(_by_tier(part.result)),
            }
            for part in parts
        ],
    }
    return page.json_text(content)


def _by_tier(result: Balance | Strategy | Answer) -> Any:
    if isinstance(result, Answer):
        return result.comparison.by_tier
    return (result if isinstance(result, Balance) else result.balance).by_tier


def render_markdown(by_seats: BySeats) -> str:
    """A short version for a pull request: the verdict for each number of seats, and where its full report is."""
    parts = _parts(by_seats)
    first = parts[0]
    about = f"{first.cards}. {_games(parts):,} games with {_seats(parts)}, bots {', '.join(first.bots)}; seed "
    lines = [f"# {page.markdown(f'{first.title}: {first.kind.lower()}')}", ""]
    lines += [page.markdown(f"{about}{first.seed}; fairdeal {first.version}.")]
    if missing := _missing(by_seats):
        lines += ["", page.markdown(missing)]
    for part in parts:
        lines += ["", f"## {part.heading}", "", page.markdown(part.played), ""]
        lines += [f"- **{part.tones[v.tone][1]}.** {page.markdown(v.text)}" for v in part.verdicts]
        lines += ["", f"[The full report for {part.heading}]({part.folder}/report.md)"]
    return "\n".join(lines) + "\n"


def _seats(parts: Sequence[_Part]) -> str:
    return f"{listed([str(part.seats) for part in parts])} seats"


def _games(parts: Sequence[_Part]) -> int:
    """All games; a comparison has as many with either card set."""
    return sum(part.games * (2 if part.report is comparison else 1) for part in parts)


def _missing(by_seats: BySeats) -> str:
    """A sentence about the numbers of seats that are not there yet, empty if there are none."""
    if not by_seats.unplayed:
        return ""
    return f"No game with {listed(list(map(str, by_seats.unplayed)))} seats is finished yet."
