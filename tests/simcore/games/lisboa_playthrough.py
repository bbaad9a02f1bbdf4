"""A whole game as a replay, committed as tests/data/lisboa/playthrough.json and played again by a test.

After a change that is meant to change games (rules, dealing, the generator, the form of replays):

    python -m tests.simcore.games.lisboa_playthrough
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from simcore import batch, replay
from simcore.plan import Plan
from tests.simcore.games.lost_cities_playthrough import text
from tests.simcore.lisboa_sets import shipped

FILE = Path(__file__).parents[2] / "data" / "lisboa" / "playthrough.json"
SEED = 20_250_401
SEATS = 3


def play(folder: Path) -> dict[str, Any]:
    """The replay of the one game, without the hash of its run, which also depends on how runs are described."""
    plan = Plan("lisboa", shipped(), SEATS, ("uniform",), ((0,) * SEATS,), SEATS, 1, SEED, "games")
    document = replay.document(batch.run(plan, folder / "run", threads=1), 0)
    del document["run"]
    # Through JSON, so that it can be compared with what is read from the file.
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        FILE.write_text(text(play(Path(temporary))), encoding="utf-8")
