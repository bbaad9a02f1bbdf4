"""Made-up studies of access: results of a player who is denied cards of known worth."""

from dataclasses import dataclass, field

import numpy as np

from analysis.access import Access, AccessSums, Piece, analyse, units
from simcore.game import Intervention

NAMES = ("Bank", "Inn", "Nun", "Quarry", "Maid")


def interventions(names=NAMES, kinds=("ban",)):
    return tuple(
        Intervention(kind, f"{kind}-{name.lower()}", name, "cards", ("built",), ()) for kind in kinds for name in names
    )


@dataclass
class FakeAccess:
    """`worth` is what each card is worth in points, in each card set; a card that is missing is never missed.

    In a share `differs` of the blocks denying a card changes the result, by noise of `noise_sd` points a block around
    what makes its mean worth. Two card sets share luck, and noise but for `apart`.
    """

    worth: tuple[dict[str, float], ...] = ({"Bank": 4.0, "Inn": 2.0, "Nun": 0.1, "Quarry": -2.0},)
    names: tuple[str, ...] = NAMES
    kinds: tuple[str, ...] = ("ban",)
    seats: int = 2
    blocks: int = 4000
    differs: float = 0.5
    noise_sd: float = 8.0
    apart: float = 1.0
    luck_sd: float = 12.0
    bots: tuple[tuple[str, str], ...] = (("expert", "expert"),)
    sets: tuple[str, ...] = ("standard", "edited")
    changes: tuple[str, ...] = ()
    reacted: float = 0.3
    seed: int = 1
    margins: dict[str, float] = field(default_factory=dict)
    left_out: tuple[Intervention, ...] = ()

    @property
    def interventions(self):
        return interventions(self.names, self.kinds)

    def pieces(self, size=1000):
        rng = np.random.default_rng(self.seed)
        for first in range(0, self.blocks, size):
            yield self._piece(rng, min(size, self.blocks - first))

    def _piece(self, rng, blocks):
        point, win = units(self.seats)
        luck = rng.normal(0, self.luck_sd, blocks)
        found = []
        shared = rng.normal(0, self.noise_sd, (len(self.interventions), blocks))
        hit = rng.random(shared.shape) < self.differs
        for worth in self.worth:
            noise = shared + rng.normal(0, self.apart, shared.shape)
            mean = np.array([worth.get(one.label, 0.0) for one in self.interventions]) / self.differs
            known = np.array([[one.label in worth] for one in self.interventions])
            lost = np.where(hit & known, noise + mean[:, None], 0.0)
            margins = luck + np.vstack([np.zeros(blocks), -lost])
            shares = np.where(margins > 0, 1, 0)
            found.append(np.stack([(margins * point).round(), shares * win], axis=1))
        games = blocks * self.seats
        return Piece(
            results=np.stack(found).astype(np.int64),
            differed=(hit & known).sum(axis=1) * self.seats,
            used=(known[:, 0] * games) // 3,
            games=games,
            reacted=round(self.reacted * games) if len(self.worth) == 2 else 0,
        )

    def manifests(self):
        return [
            {
                "game": "made-up",
                "title": "Made Up",
                "card_set": {"name": name, "hash": name.encode().hex().ljust(64, "0")},
                "seats": self.seats,
                "bots": [
                    {"name": name, "tier": tier, "hash": "1234567890abcdef", "text": f"{name} plays"}
                    for name, tier in self.bots
                ],
                "line_ups": [[0, *[len(self.bots) - 1] * (self.seats - 1)]],
                "seed": self.seed,
                "score_unit": "points",
                "version": "0.1",
            }
            for name in self.sets[: len(self.worth)]
        ]

    def sums(self) -> AccessSums:
        sums = AccessSums(len(self.interventions))
        for piece in self.pieces():
            sums.add(piece)
        return sums

    def made(self) -> Access:
        return analyse(
            self.manifests(), self.interventions, self.sums(), self.changes, **self.margins, left_out=self.left_out
        )
