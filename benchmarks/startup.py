"""How long does a short command take, and the first one of all?

    python benchmarks/startup.py [--repeats 7]

Seconds by the clock, in turns with `python -c "import numba"`, which a game's first shot cannot do without.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.timing import FAIRDEAL, Findings, Use, command, in_turns, ratio
from simcore import request

GAME = "lost-cities"
OTHERS = {"vaalbara": 45.0, "valletta": 45.0, "lisboa": 90.0}  # seconds that the first compile of each may take
NUMBA = "python -c 'import numba'"


def simulate(games: int, bots: str, game: str = GAME, environment: dict[str, str] | None = None) -> Use:
    """Play with two seats into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        words = [FAIRDEAL, "simulate", game, "--bots", bots, "--games", str(games), "--seats", "2", "-q"]
        return command([*words, "--out", f"{folder}/run"], environment)


def without_cache(folder: str) -> dict[str, str]:
    """The environment in which the cache lies in a new folder: Linux's and macOS's name of its place, and Windows's."""
    return {"XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder, "HOME": folder}


def first_compile(game: str) -> Use:
    """A game's rules with the cards log and the uniform bot, with no compiled code on disk."""
    with tempfile.TemporaryDirectory() as folder:
        return simulate(2, "uniform", game, without_cache(folder))


def cold() -> Use:
    """With no compiled code on disk: the bots of a balance report, with the cards log; then a replay."""
    with tempfile.TemporaryDirectory() as folder:
        environment = without_cache(folder)
        bots, run = ",".join(request.default_bots(GAME)), f"{folder}/run"
        played = command([FAIRDEAL, "simulate", GAME, "--bots", bots, "--games", "2", "--out", run, "-q"], environment)
        replayed = command([FAIRDEAL, "replay", run, "0"], environment)
        compiled = list(Path(folder).rglob("*.nbc"))
    assert compiled, "no compiled code was written where this program looks for it"
    return Use(played.seconds + replayed.seconds, played.cpu + replayed.cpu, 0, None)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--cold-repeats", type=int, default=3)
    arguments = parser.parse_args()
    warm: dict[str, Callable[[], Use]] = {
        NUMBA: partial(command, [sys.executable, "-c", "import numba"]),
        "fairdeal --help": partial(command, [FAIRDEAL, "--help"]),
        "fairdeal games": partial(command, [FAIRDEAL, "games"]),
        "10,000 games, heuristic against expert": partial(simulate, 10_000, "heuristic,expert"),
        "10,000 games, uniform against itself": partial(simulate, 10_000, "uniform"),
    }
    warm |= {f"2 games of {game}, uniform": partial(simulate, 2, "uniform", game) for game in (GAME, *OTHERS)}
    uses = in_turns(warm, arguments.repeats)
    uses["first start: all that Lost Cities needs"] = [cold() for _ in range(arguments.cold_repeats)]
    marks = dict(zip(uses, (None, None, 1.0, 3.0, 3.0, *(None for _ in (GAME, *OTHERS)), 30.0), strict=True))
    for game, most in OTHERS.items():
        compiled = f"first compile of {game}"
        uses[compiled] = [first_compile(game) for _ in range(arguments.cold_repeats)]
        marks[compiled] = most
    findings = Findings("Starting: medians over the turns, by the clock")
    for name, found in uses.items():
        findings.add(name, median([use.seconds for use in found]), "s", at_most=marks[name])
    for name, found in uses.items():
        if name != NUMBA:
            numba = uses[NUMBA][: len(found)]
            findings.add(f"{name} / {NUMBA}, by the clock", ratio(_clock(found), _clock(numba)))
            findings.add(f"{name} / {NUMBA}, CPU time", ratio(_cpu(found), _cpu(numba)))
    findings.show()


def _clock(uses: list[Use]) -> list[float]:
    return [use.seconds for use in uses]


def _cpu(uses: list[Use]) -> list[float]:
    return [use.cpu for use in uses]


if __name__ == "__main__":
    main()
