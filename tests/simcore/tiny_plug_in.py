"""A game and a bot as small as can be, written into a folder as a stranger's packages, for tests of the disk cache.

Run as a program it plays that game and prints what came out and what the cache did, as JSON:

    python -m tests.simcore.tiny_plug_in FOLDER
"""

import json
import sys
import textwrap
from pathlib import Path

FILES = {
    "tiny/__init__.py": "",
    "tiny/worth.py": """
        from numba import njit

        @njit
        def worth(action):
            return 10 + action
    """,
    "tiny/game.py": """
        from pathlib import Path
        from typing import Annotated

        import numpy as np
        from numba import njit
        from numpy.typing import NDArray

        from simcore import game, records
        from tiny.worth import worth

        class Public:
            actor: int
            decision: int
            turns: int
            rounds: int
            end: int
            truncated: int
            tiny: int
            order: Annotated[NDArray[np.int64], 2]
            standing: Annotated[NDArray[np.int64], 2]

        class Private:
            unused: int

        class Secret:
            unused: int

        class State:
            public: Public
            private: Annotated[list[Private], 2]
            secret: Secret

        class Cards:
            seats: int

        class Options:
            count: int
            start: int
            stop: int
            mask: Annotated[NDArray[np.uint64], 1]

        class Mind:
            weights: Annotated[NDArray[np.float64], 1]
            features: Annotated[NDArray[np.float64], 1]
            memory: Annotated[NDArray[np.uint64], 1]
            tremble: np.uint64
            room: np.uint64

        STATE, PUBLIC, PRIVATE, CARDS, OPTIONS, MIND = map(
            records.dtype, (State, Public, Private, Cards, Options, Mind)
        )

        @njit
        def setup(state, cards, chance, trace):
            state.public.actor, state.public.turns, state.public.rounds = 0, 0, 1
            state.public.standing[0] = 0

        @njit
        def legal(public, me, cards, options):
            options.count, options.start, options.stop, options.mask[0] = 2, 0, 1, np.uint64(3)

        @njit
        def apply(state, cards, action, chance, trace):
            state.public.standing[0] += worth(action)
            state.public.turns += 1
            state.public.actor = -1

        @njit
        def score(public, privates, cards, out):
            out.points[0], out.points[1] = public.standing[0], 0

        game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))

        def parameters(card_set, seats):
            cards = records.zero(CARDS)
            cards.seats = seats
            return cards

        GAME = game.Game(
            name="tiny", title="Tiny", folder=Path(__file__).parent, seats=(2,), state=STATE, public=PUBLIC,
            private=PRIVATE, cards=CARDS, options=OPTIONS, mind=MIND, rounds=1, turns=1, most_decisions=1, codes=1,
            schema=None, default_card_set="", parameters=parameters, log_cards=lambda card_set, seats: (),
            rounds_of=lambda card_set: 1, decisions=("CHOICE",), ends=("over",), gains=(), fates=(), parts=(),
            counters=(), counter_kinds=(), when_unit=1, standing="points", score_unit="points", features=(),
            value_features=(), words=None,
        )
    """,
    "taste.py": """
        from numba import njit

        @njit
        def taste():
            return 1
    """,
    "tiny_bot.py": """
        from numba import njit

        from simcore.bots import Bot
        from taste import taste

        @njit
        def choose(public, me, cards, options, noise, mind):
            return taste()

        BOT = Bot("chooser", "tiny", "random", "Has a taste.", choose)
    """,
}


def write(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")


def main(folder: str) -> None:
    """Play one block and print points, cache hits and misses, and the cache folder."""
    sys.path.insert(0, folder)
    from simcore import bots, cardset, game
    from simcore.engine import cache_folder
    from simcore.play import Table

    declared = __import__("tiny.game", fromlist=["GAME"]).GAME
    game.add(declared)
    bots.register(__import__("tiny_bot").BOT)
    no_cards = cardset.CardSet("none", "tiny", {}, {}, "", None)  # type: ignore[arg-type]  # it has no cards
    table = Table("tiny", no_cards, 2, ("chooser", "chooser"), 1)
    points = [int(row["seat"]["points"][0]) for played in table.play(0, 1) for row in played.rows]
    functions = table.engine._functions.values()
    found = {
        "points": points,
        "hits": sum(sum(function.stats.cache_hits.values()) for function in functions),
        "misses": sum(sum(function.stats.cache_misses.values()) for function in functions),
        "folder": str(cache_folder(declared) or ""),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
