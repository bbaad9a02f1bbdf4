"""A whole game as a replay, committed as tests/data/lost_cities/playthrough.json and played again by a test.

After a change that is meant to change games (rules, dealing, the generator, the form of replays):

    python -m tests.simcore.games.lost_cities_playthrough
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from simcore import batch, replay
from simcore.plan import Plan
from tests.simcore.games.lost_cities_stacked import shipped

FILE = Path(__file__).parents[2] / "data" / "lost_cities" / "playthrough.json"
SEED = 20_250_101


def play(folder: Path) -> dict[str, Any]:
    """The replay of the one game, without the hash of its run, which also depends on how runs are described."""
    card_set = shipped("single_round")
    plan = Plan("lost-cities", card_set, 2, ("uniform",), ((0, 0),), 2, blocks_per_shard=1, seed=SEED, log="games")
    document = replay.document(batch.run(plan, folder / "run", threads=1), 0)
    del document["run"]
    # Through JSON, so that it can be compared with what is read from the file.
    found: dict[str, Any] = json.loads(json.dumps(document))
    return found


def text(document: dict[str, Any]) -> str:
    """The replay as JSON with a line an event, so that changes show in a diff."""
    events = ",\n".join(f"  {json.dumps(event)}" for event in document["events"])
    others = [
        f"{json.dumps(name)}: {json.dumps(value)}" if name != "events" else f'"events": [\n{events}\n]'
        for name, value in document.items()
    ]
    return "{\n" + ",\n".join(others) + "\n}\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        FILE.write_text(text(play(Path(temporary))), encoding="utf-8")
