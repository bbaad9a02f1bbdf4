"""Card impact in two labelled tiers, from one pass over the card log.

(a) *Association*: mean results of the seats that played a card, had it in the opening hand, drew it later, took it,
    never saw it. What a player chose to do is confounded with how the game went: these numbers describe, they do not
    explain.
(b) *Randomised*: what chance did. Regress the result y on [copies in my opening hand] - [copies in the others' hands]
    for all types of cards at once, plus place in turn order (and bot, where several play), errors clustered by deal.
    Hands are equally large, so the effects are relative to the average card: they sum to zero, weighted by the number
    of copies. Copies of a card share one coefficient. Types of later decks, which no first hand holds or of which play
    decides how many are dealt, and types that are dealt too rarely to be judged are left out: the average card is one
    of the others.

Both for two results: the margin of the round in points, and the win share of the game. Effects of tier (b) are shrunk
by empirical Bayes, the false discovery rate over all types is controlled (Benjamini-Hochberg), and a card whose (a) and
(b) disagree in sign is alarmed.

How one pass suffices: sums are kept for up to 4,000 *batches* of whole deals (one deal each in small runs). Deals are
independent, so batches are; a batch-level error equals the deal-level one in expectation, and keeping X'X of every
batch gives the exact clustered covariance at the end (`stats.clustered_ols`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import stats
from analysis.blocks import LineUp, in_order, read_part, shards_of
from simcore.manifest import CardEntry, Manifest
from simcore.runlog import Run

Array = NDArray[Any]

MOST_BATCHES = 4000
OUTCOMES = ("margin", "share")
NEVER = "never seen"
KEPT = "kept"
FALSE_DISCOVERIES = 0.05
DEALS_PER_PARAMETER = 5
"""With fewer deals than this for every card type the errors of tier (b) mean little, so there is none."""
FEWEST_HANDS = stats.FEWEST
"""A type must tell first hands apart in at least so many batches of deals: its error rests on them alone."""
NOT_DEALT = "No cards are dealt to a hand at random in this game."
OPENING = "dealt"
"""The gain that is chance alone: being in the opening hand."""
PLAYED = "played"


@dataclass(frozen=True)
class CardImpact:
    """Card impact of one line-up. One row a card type in `types` and, for each outcome ("margin" in points, "share" of
    wins), in `effects`.

    `types`: type, label, group, copies, ids, held (share of the copies' chances that a seat ever held one), use (of the
    copies held, the share played) with use_low, use_high, n. What does not exist is null.

    `association` (tier a, confounded): type, category, outcome, value (mean result of a seat, weighted by copies), low,
    high, relative (value minus the average card's in that category), relative_low, relative_high, cases (copies), n
    (deals). Categories: "never seen", the gains ("dealt" = opening hand, "drawn", "taken"), "kept" and the fates
    ("played", …) as the manifest names them.

    `effects` (tier b): type, outcome, value, se, low, high, p, q (Benjamini-Hochberg), flagged (q <= 0.05), shrunk,
    shrunk_low, shrunk_high, wording (the finding within the designer's margin, judged on the unshrunk interval),
    more_deals, alarm (flagged, and played looks good where the card is bad, or the other way round: the relative
    interval of "played" and this one exclude 0 on opposite sides), n. Sorted by shrunk_low, the strongest first.

    `relative` says that the effects are relative to the average card (equally large hands, so they sum to zero weighted
    by copies).

    `spread` is the estimated standard deviation of the true effects by outcome. `effects` is empty, and `why_not` says
    why, where tier (b) cannot be had. Of the types that come to hands, these have no rows in `effects`: those in
    `undealt` are in no first hand (or in all alike), of those in `uneven` some players are dealt more than others, and
    those in `rare` are in too few hands to be judged.
    """

    types: pl.DataFrame
    association: pl.DataFrame
    effects: pl.DataFrame
    spread: dict[str, float]
    relative: bool
    why_not: str | None
    undealt: tuple[str, ...]
    uneven: tuple[str, ...]
    rare: tuple[str, ...]
    n: int


@dataclass(frozen=True)
class CardTypes:
    """The card types of a run: columns of the card log in the order of the types, and where each type starts in it.

    `hand` are the indices of the types that are dealt to hands and played from them: those of tier (b).
    """

    columns: tuple[str, ...]
    starts: tuple[int, ...]
    names: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...]
    copies: tuple[int, ...]
    hand: tuple[int, ...]

    @classmethod
    def of(cls, manifest: Manifest) -> CardTypes:
        """Group the manifest's cards that have a stamp by type, types in the order of their first card."""
        found: dict[str, list[CardEntry]] = {}
        for card in manifest["cards"]:
            if not card["tallied"]:
                found.setdefault(card["type"], []).append(card)
        copies = [len(cards) for cards in found.values()]
        labels = [
            cards[0]["label"] if len({card["label"] for card in cards}) == 1 else name for name, cards in found.items()
        ]
        return cls(
            columns=tuple(card["id"] for cards in found.values() for card in cards),
            starts=tuple(int(x) for x in np.cumsum([0, *copies[:-1]])),
            names=tuple(found),
            labels=tuple(labels),
            groups=tuple(cards[0]["group"] for cards in found.values()),
            copies=tuple(copies),
            hand=tuple(i for i, cards in enumerate(found.values()) if cards[0]["in_hand"]),
        )

    def by_type(self, cards: Array) -> Array:
        """Sums over the copies of each type, (types, rows), of values (cards, rows), in their dtype. Adding few rows at
        a time is ten times as fast as `reduceat`.
        """
        out: Array = cards[list(self.starts)]
        for i, copies in enumerate(self.copies):
            for copy in range(1, copies):
                out[i] += cards[self.starts[i] + copy]
        return out

    def in_hand(self, values: Sequence[Any]) -> list[Any]:
        """Of values by type, those of the types that are dealt to hands."""
        return [values[i] for i in self.hand]


def card_impact(
    run: Run,
    line_up: LineUp,
    margin_points: float = 1.0,
    margin_share: float = 0.01,
    threads: int | None = None,
) -> CardImpact | None:
    """Card impact of one line-up; None without a card log, cards that have a stamp, or a finished shard of it."""
    shards = shards_of(run, line_up.index) if "cards" in run.tables else []
    reader = CardReader(run, line_up)
    if not shards or not reader.types.names:
        return None
    sums = [part for part in in_order(reader.read, shards, threads) if part is not None]
    if not sums:
        return None
    association = np.concatenate([part.association for part in sums])
    deals = sum(part.deals for part in sums)
    types, categories = reader.types, reader.categories
    table = _association(association, types, categories, deals, reader.seats)
    xx, xy = (np.concatenate([getattr(part, name) for part in sums]) for name in ("xx", "xy"))
    hands = opening_hands(xx, xy, reader, deals)
    effects, spread = _effects(hands, reader, deals, margin_points, margin_share)
    return CardImpact(
        types=_types(association, types, categories, deals, reader.seats),
        association=table,
        effects=_alarm(effects, table),
        spread=spread,
        relative=hands.relative,
        why_not=hands.why_not,
        undealt=tuple(types.names[i] for i in hands.undealt),
        uneven=tuple(types.names[i] for i in hands.uneven),
        rare=tuple(types.names[i] for i in hands.rare),
        n=deals,
    )


# --- the pass --------------------------------------------------------------------------------------------------------


@dataclass
class CardSums:
    """Sums of one shard by batch: `association` (batches, categories, 1 + outcomes, types), `xx` (batches, p, p), `xy`
    (batches, p, outcomes).
    """

    association: Array
    xx: Array
    xy: Array
    deals: int


_KEYS = ("deal", "rotation", "seat", "order", "points", "win_share")


def deals_in_batch(run: Run) -> int:
    """Deals in a batch: batches are of equal size inside a shard, and about MOST_BATCHES in the run."""
    per_shard = min(run.blocks, run.manifest["blocks_per_shard"])
    most = max(1, math.ceil(run.blocks / MOST_BATCHES))
    return math.ceil(per_shard / math.ceil(per_shard / most))


class CardReader:
    """Turns shards of the card log into sums by batch. Arrays of cards are (types or cards, rows)."""

    def __init__(self, run: Run, line_up: LineUp, batch: int | None = None) -> None:
        """`batch` is the number of deals in a batch, where it is to be the same in several runs."""
        manifest = run.manifest
        self.run = run
        self.types = CardTypes.of(manifest)
        self.gains = list(manifest["gains"])
        self.fates = list(manifest["fates"])
        self.seats = manifest["seats"]
        self.line_up = line_up
        self.categories = (NEVER, *self.gains, KEPT, *self.fates)
        self.batch = batch or deals_in_batch(run)
        # For two seats the second seat's row is the first's with the other sign: it would add nothing.
        self.viewpoints = range(1) if self.seats == 2 else range(self.seats)
        self.starts = np.array(self.types.starts)

    @property
    def parameters(self) -> int:
        """Columns of the regression: card types in hands, places in turn order but one, bots but one."""
        return len(self.types.hand) + self.seats - 1 + len(self.line_up.distinct) - 1

    def read(self, shard: int) -> CardSums | None:
        """One shard's sums."""
        frame = self.frame(shard)
        return self.sums(frame) if len(frame) else None

    def frame(self, shard: int) -> pl.DataFrame:
        """One shard's card log."""
        return read_part(self.run, "cards", shard, [*_KEYS, *self.types.columns])

    def sums(self, frame: pl.DataFrame) -> CardSums:
        """The sums of whole deals of the card log, at least one."""
        codes = frame.select(self.types.columns).to_numpy(order="fortran").T
        deal, seat = frame["deal"].to_numpy(), frame["seat"].to_numpy()
        deals = np.flatnonzero(np.diff(deal, prepend=np.int64(-1)))  # first row of every deal
        cuts = np.append(deals[:: self.batch], len(deal))
        rows_of = [np.flatnonzero(seat == s) for s in range(self.seats)]  # each in the order of game and round
        share = frame["win_share"].to_numpy()
        results = self._results(frame["points"].to_numpy(), share, rows_of)
        xx, xy = self._regress(frame, codes, results, rows_of, cuts)
        return CardSums(self._associate(codes, results, cuts), xx, xy, len(deals))

    def _associate(self, codes: Array, results: Array, cuts: Array) -> Array:
        """Ones, margins and win shares added up by batch and type for each category."""
        found: dict[str, Array] = {}
        for i, gain in enumerate(self.gains):
            found[gain] = self._add_up(results, (codes & 0xC0) == (i + 1) << 6, cuts)
        held = sum(found.values(), np.zeros(1, dtype=np.float32))
        for i, fate in enumerate(self.fates):
            found[fate] = self._add_up(results, (codes & 0x30) == (i + 1) << 4, cuts)
        found[KEPT] = held - sum((found[fate] for fate in self.fates), np.zeros(1, dtype=np.float32))
        everything = np.add.reduceat(results, cuts[:-1], axis=1).T
        found[NEVER] = everything[:, :, None] * np.array(self.types.copies, dtype=np.float32) - held
        return np.stack([found[category] for category in self.categories], axis=1)

    def _add_up(self, results: Array, mask: Array, cuts: Array) -> Array:
        """(batches, 1 + outcomes, types): results of the seats for every card that the mask marks."""
        return np.add.reduceat(products(results, mask.astype(np.float32), cuts), self.starts, axis=2)

    def _regress(
        self, frame: pl.DataFrame, codes: Array, results: Array, rows_of: Sequence[Array], cuts: Array
    ) -> tuple[Array, Array]:
        """X'X and X'y by batch; of no batch where no card is in an opening hand."""
        p = self.parameters
        if OPENING not in self.gains:
            return np.zeros((0, p, p)), np.zeros((0, p, len(OUTCOMES)))
        length = len(rows_of[0])
        dealt = (codes & 0xC0) == (self.gains.index(OPENING) + 1) << 6
        copies = self.types.by_type(dealt.view(np.uint8))[list(self.types.hand)]
        hands = [np.take(copies, of, axis=1) for of in rows_of]
        others = self._others(frame, rows_of)
        bounds = np.searchsorted(rows_of[0], cuts)
        total: Array = np.zeros((len(cuts) - 1, p + len(OUTCOMES), p + len(OUTCOMES)), dtype=np.float32)
        for view in self.viewpoints:
            columns = np.empty((p + len(OUTCOMES), length), dtype=np.float32)
            columns[: len(copies)] = self._contrast(hands, view)
            for i, by_seat in enumerate(others, start=len(copies)):
                columns[i] = self._contrast(by_seat, view)
            columns[p:] = results[1:, rows_of[view]]
            columns[p + 1] -= np.float32(1 / self.seats)
            total += products(columns, columns, bounds)
        return total[:, :p, :p], total[:, :p, p:]

    def _results(self, points: Array, share: Array, rows_of: Sequence[Array]) -> Array:
        """(1 + outcomes, rows): ones, the margin of the round, the win share of the game."""
        by_seat = np.stack([points[of].astype(np.float32) for of in rows_of])
        margins = np.empty(len(points), dtype=np.float32)
        for s, of in enumerate(rows_of):
            margins[of] = self._contrast(by_seat, s)
        return np.stack([np.ones_like(margins), margins, share.astype(np.float32)])

    def _contrast(self, by_seat: Sequence[Array] | Array, seat: int) -> Array:
        """A seat's own value minus the mean of the others'."""
        others = [by_seat[k] for k in range(self.seats) if k != seat]
        if not others:
            return np.asarray(by_seat[seat], dtype=np.float32)
        if len(others) == 1:
            return np.asarray(np.subtract(by_seat[seat], others[0], dtype=np.float32))
        total = others[0].astype(np.float32)
        for other in others[1:]:
            total += other
        return np.asarray(by_seat[seat] - total / np.float32(len(others)), dtype=np.float32)

    def _others(self, frame: pl.DataFrame, rows_of: Sequence[Array]) -> list[list[Array]]:
        """The indicators beside the cards by seat: the places in turn order but the last, and the bots but the first.

        They enter like the cards, as own indicator minus the mean of the others', so that swapping the seats changes
        the sign of a whole row; that is why there is no intercept.
        """
        order, rotation = frame["order"].to_numpy(), frame["rotation"].to_numpy()
        # In rotation r, seat s is played by place (s + r) % n.
        places = np.array(self.line_up.bots)
        bots = [places[(s + rotation[of]) % self.seats] for s, of in enumerate(rows_of)]
        by_order = [[order[of] == o for of in rows_of] for o in range(self.seats - 1)]
        return by_order + [[bot == b for bot in bots] for b in self.line_up.distinct[1:]]


def products(left: Array, right: Array, cuts: Array, dtype: type = np.float32) -> Array:
    """The product left @ right.T over the rows of each batch: (batches, columns of left, columns of right), both
    (columns, rows).

    Batches are of equal length but for the last one, unless games differ in their number of rounds: equal ones go
    through one batched product.
    """
    lengths = np.diff(cuts)
    out: Array = np.empty((len(lengths), len(left), len(right)), dtype=dtype)
    equal = len(lengths) if (lengths == lengths[0]).all() else len(lengths) - 1
    done = 0
    if (lengths[:equal] == lengths[0]).all():
        n = int(lengths[0])
        a = left[:, : equal * n].reshape(len(left), equal, n).transpose(1, 0, 2)
        b = right[:, : equal * n].reshape(len(right), equal, n).transpose(1, 2, 0)
        np.matmul(a, b, out=out[:equal])
        done = equal
    for i in range(done, len(lengths)):
        first, last = cuts[i], cuts[i + 1]
        out[i] = left[:, first:last] @ right[:, first:last].T
    return out


# --- tables ----------------------------------------------------------------------------------------------------------


def ratio(over: Array, under: Array) -> tuple[Array, Array]:
    """Ratio of sums over batches and its influence values (batches, …): (A_b - r N_b) / N, whose root sum of squares is
    the error.
    """
    total = under.sum(axis=0, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = over.sum(axis=0, dtype=float) / total
        return ratio, (over - ratio * under) / total


def error(influence: Array) -> Array:
    """Standard error from influence values: sqrt(G/(G-1) sum of squares); NaN for one batch, as nothing can be said."""
    g = len(influence)
    return np.sqrt(g / (g - 1) * (influence**2).sum(axis=0)) if g > 1 else np.full(influence.shape[1:], np.nan)


def error_of_cases(influence: Array, k: Array) -> tuple[Array, Array]:
    """Standard error of a ratio from its influence values, and the degrees of freedom of its t law.

    As `error`, but counted are only the batches that have a case, k of them: sqrt(k/(k-1) sum of squares) with k - 1
    degrees. What hardly ever happens is known from the few deals in which it did, not from all. NaN for one batch.
    """
    free = np.maximum(k - 1, 1).astype(float)
    return np.where(k > 1, np.sqrt(k / free * (influence**2).sum(axis=0)), np.nan), free


def share_bounds(values: Array, se: Array, trials: Array) -> tuple[Array, Array]:
    """`stats.share_interval` of many shares: zero of n seen, n being the trials in which it could have been."""
    told = zip(values.tolist(), se.tolist(), trials.astype(int).tolist(), strict=True)
    low, high = np.array([stats.share_interval(*one) for one in told]).reshape(-1, 2).T
    return low, high


def _types(
    association: Array, types: CardTypes, categories: Sequence[str], deals: int, seats: int
) -> pl.DataFrame:
    counts = association[:, :, 0, :].astype(float)
    seen = counts[:, 1 : list(categories).index(KEPT)].sum(axis=1)
    held, _ = ratio(seen, seen + counts[:, 0])
    columns: dict[str, Any] = {
        "type": list(types.names),
        "label": list(types.labels),
        "group": list(types.groups),
        "copies": list(types.copies),
        "ids": [list(types.columns[s : s + c]) for s, c in zip(types.starts, types.copies, strict=True)],
        "held": held,
    }
    bounds = np.full((3, len(types.names)), np.nan)
    if PLAYED in categories:
        use, influence = ratio(counts[:, list(categories).index(PLAYED)], seen)
        bounds[0] = use
        bounds[1:] = share_bounds(use, error(influence), stats.independent(seen.sum(axis=0), seats, deals))
        bounds[:, [i for i in range(len(types.names)) if i not in types.hand]] = np.nan  # used by being held
    columns |= dict(zip(("use", "use_low", "use_high"), bounds, strict=True))
    return pl.DataFrame(columns | {"n": [deals] * len(types.names)}).with_columns(pl.col(pl.Float64).fill_nan(None))


def _association(
    association: Array, types: CardTypes, categories: Sequence[str], deals: int, seats: int
) -> pl.DataFrame:
    """The table of tier (a)."""
    weight = np.array(types.copies) / sum(types.copies)
    frames = []
    for c, category in enumerate(categories):
        count = association[:, c, 0, :].astype(float)
        for k, outcome in enumerate(OUTCOMES):
            mean, influence = ratio(association[:, c, 1 + k, :].astype(float), count)
            known = np.isfinite(mean)
            w = np.where(known, weight, 0) / max(1e-300, float(weight[known].sum()))
            average = float(w[known] @ mean[known])
            shared = influence[:, known] @ w[known]
            apart = influence - shared[:, None]
            (se, free), (relative_se, _) = (error_of_cases(x, (count > 0).sum(axis=0)) for x in (influence, apart))
            t = stats.t_value(free)
            low, high, relative = mean - t * se, mean + t * se, mean - average
            below = above = t * relative_se
            if outcome == "share":
                trials = stats.independent(count.sum(axis=0), seats, deals)
                low, high = share_bounds(mean, t / stats.z_value() * se, trials)
                # Those who always won have no error, but an interval.
                below, above = (np.where(se > 0, below, end) for end in (mean - low, high - mean))
            frame = {
                "type": list(types.names),
                "category": category,
                "outcome": outcome,
                "value": mean,
                "low": low,
                "high": high,
                "relative": relative,
                "relative_low": relative - below,
                "relative_high": relative + above,
                "cases": count.sum(axis=0).round().astype(np.int64),
                "n": deals,
            }
            frames.append(pl.DataFrame(frame).with_columns(pl.col("n").cast(pl.Int64)))
    return pl.concat(frames).with_columns(pl.col(pl.Float64).fill_nan(None))


EFFECTS = {
    "type": pl.String,
    "outcome": pl.String,
    **dict.fromkeys(
        ("value", "se", "low", "high", "p", "q"), pl.Float64
    ),
    "flagged": pl.Boolean,
    **dict.fromkeys(("shrunk", "shrunk_low", "shrunk_high"), pl.Float64),
    "wording": pl.String,
    "more_deals": pl.Int64,
    "alarm": pl.Boolean,
    "n": pl.Int64,
}  # fmt: skip


def _effects(
    hands: OpeningHands, reader: CardReader, deals: int, margin_points: float, margin_share: float
) -> tuple[pl.DataFrame, dict[str, float]]:
    """The table of tier (b) and the spread of the true effects."""
    if hands.fit is None:
        return pl.DataFrame(schema=EFFECTS), {}
    fit, judged = hands.fit, len(hands.types)
    names = [reader.types.names[i] for i in hands.types]
    frames, spread = [], {}
    for k, (outcome, margin) in enumerate(zip(OUTCOMES, (margin_points, margin_share), strict=True)):
        value, se = fit.coefficients[:judged, k], fit.se()[:judged, k]
        frame, spread[outcome] = effect_frame(names, outcome, value, se, fit.degrees[:judged], margin, deals)
        frames.append(frame)
    return pl.concat(frames), spread


@dataclass(frozen=True)
class OpeningHands:
    """The regression of tier (b). All but `sets` are indices of card types: `types` those that are judged, whose
    coefficients are the first of `fit`; `undealt` those that no first hand holds more of than another; `uneven` those
    of which some players are dealt more than others, where of other types all are dealt equally many; `rare` those that
    tell hands apart in fewer than FEWEST_HANDS batches of deals.

    `sets` has the number of the set of each type in `types`: of a set all players are dealt equally many, so its
    effects are relative to its average card. It is empty where there is none. `fit` is None, and `why_not` says why,
    where there is no regression.
    """

    fit: stats.Fit | None
    types: tuple[int, ...] = ()
    sets: tuple[int, ...] = ()
    undealt: tuple[int, ...] = ()
    uneven: tuple[int, ...] = ()
    rare: tuple[int, ...] = ()
    why_not: str | None = None

    @property
    def relative(self) -> bool:
        """Whether effects are relative to the average card that is judged (of its set)."""
        return bool(self.sets)


def opening_hands(xx: Array, xy: Array, reader: CardReader, deals: int) -> OpeningHands:
    """The regression of tier (b) from its sums by batch: X'X (batches, p, p) and X'y (batches, p, outcomes).

    Where the rules give everybody equally many cards of a deck, only differences within it can be known. Of other types
    play decides how many come to a player, as a later hand is filled up: those are left out, and not held constant
    either, since they come of what the first hand did. There is no regression for fewer than DEALS_PER_PARAMETER deals
    a parameter.
    """
    hand = reader.types.hand
    if reader.seats < 2:
        return OpeningHands(None, why_not="Nobody else holds cards in a game for one.")
    if not hand or not len(xx):
        return OpeningHands(None, why_not=NOT_DEALT)
    seen = (np.diagonal(xx, axis1=1, axis2=2)[:, : len(hand)] > 0).sum(axis=0)
    dealt = np.flatnonzero(seen > 0)
    often = seen[dealt] >= FEWEST_HANDS
    set_of = _equal_sets(xx.sum(axis=0, dtype=float)[np.ix_(dealt, dealt)], often)
    even = set_of >= 0 if (set_of >= 0).any() else np.ones(len(dealt), dtype=bool)
    judged, rare = np.flatnonzero(even & often), np.flatnonzero(even & ~often)
    sets = set_of[judged]
    beside = np.arange(len(hand), reader.parameters)
    # Rare types of a set share a column, of which nothing is said: with it all hands stay equally large.
    shared = [list(dealt[[i for i in rare if set_of[i] == s]]) for s in sorted(set(set_of[rare].tolist()))]
    columns = [*([i] for i in dealt[judged]), *shared, *([i] for i in beside)]
    needed = DEALS_PER_PARAMETER * len(columns)
    found: dict[str, tuple[int, ...]] = {
        "types": tuple(hand[i] for i in dealt[judged]),
        "sets": tuple(sets.tolist()) if (sets >= 0).any() else (),
        "undealt": tuple(hand[i] for i in np.flatnonzero(seen == 0)),
        "uneven": tuple(hand[i] for i in dealt[~even]),
        "rare": tuple(hand[i] for i in dealt[rare]),
    }
    if not len(dealt):
        return OpeningHands(None, **found, why_not="All first hands hold the same cards.")
    if deals < needed or len(judged) < 2:
        few = f"Too few deals: {deals}. At least {max(needed, deals + 1)} are needed."
        return OpeningHands(None, **found, why_not=few)
    if len(columns) < reader.parameters:
        xx, xy = _joined(xx, xy, columns)
    copies = np.array([reader.types.copies[i] for i in found["types"]], dtype=float)
    constraints = np.zeros((len(set(found["sets"])), len(columns)))
    for row, s in zip(constraints, sorted(set(found["sets"])), strict=True):
        row[: len(judged)] = np.where(sets == s, copies, 0.0)
    fit = stats.clustered_ols(xx, xy, constraints if len(constraints) else None)
    why_not = None if fit else "Some cards are dealt only together with others, so they cannot be told apart."
    return OpeningHands(fit, **found, why_not=why_not)


STILL = 1e-5
"""A direction in which the cards of hands vary less than this part of a single card's variation is one in which they do
not vary: what is left is rounding.
"""


def _equal_sets(total: Array, often: Array) -> Array:
    """The number of each type's set, -1 for a type in none: a set are types of which everybody is dealt equally many.

    `total` (types, types) is X'X of their columns, which are own copies less the others'. The sum over a set is zero in
    every row, so sets are the null vectors of X'X: what these join is a set, if its own sum is zero indeed.
    """
    found = np.full(len(total), -1)
    if not len(total):
        return found
    scale = np.sqrt(np.diagonal(total))
    values, vectors = np.linalg.eigh(total / np.outer(scale, scale))
    still = vectors[:, values < STILL]
    joined = np.abs(still @ still.T) > STILL / 10
    sets = 0
    for first in np.flatnonzero(often):
        if found[first] >= 0 or not joined[first, first]:
            continue
        members = np.zeros(len(total), dtype=bool)
        grown = joined[first] & (found < 0)
        while (grown & ~members).any():
            members |= grown
            # A rare type may go with another set's by chance, so it joins nobody.
            grown = members | (joined[members & often].any(axis=0) & (found < 0))
        spread = float(total[members][:, members].sum())
        if members.sum() > 1 and spread <= STILL * float(np.trace(total[members][:, members])):
            found[members] = sets
            sets += 1
    return found


def _joined(xx: Array, xy: Array, columns: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """The sums of a regression on these columns, each the sum of some old ones."""
    chosen = np.zeros((xx.shape[1], len(columns)), dtype=xx.dtype)
    for column, of in enumerate(columns):
        chosen[list(of), column] = 1
    return chosen.T @ xx @ chosen, chosen.T @ xy


def effect_frame(
    names: Sequence[str], outcome: str, value: Array, se: Array, degrees: Array, margin: float, deals: int
) -> tuple[pl.DataFrame, float]:
    """The rows of one outcome in a table like `CardImpact.effects`, all types judged together, and the spread of the
    true effects.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        p = stats.two_sided_p(value / se, degrees)
    q = stats.benjamini_hochberg(p)
    half = stats.t_value(degrees) * se
    # The error that a normal interval of the same width would have, for what reckons with the normal law.
    z = stats.z_value()
    wide = half / z
    shrunk = stats.shrink(value, wide)
    findings = [stats.judge(v, s, deals, margin) for v, s in zip(value.tolist(), wide.tolist(), strict=True)]
    columns = {
        "type": names,
        "outcome": [outcome] * len(value),
        "value": value,
        "se": se,
        "low": value - half,
        "high": value + half,
        "p": p,
        "q": q,
        "flagged": q <= FALSE_DISCOVERIES,
        "shrunk": shrunk.value,
        "shrunk_low": shrunk.value - z * shrunk.se,
        "shrunk_high": shrunk.value + z * shrunk.se,
        "wording": [finding.wording for finding in findings],
        "more_deals": [finding.more for finding in findings],
        "alarm": [False] * len(value),
        "n": [deals] * len(value),
    }
    frame = pl.DataFrame(columns, schema=EFFECTS).with_columns(pl.col(pl.Float64).fill_nan(None))
    return frame.sort("shrunk_low", "value", descending=True, nulls_last=True), shrunk.spread


def _alarm(effects: pl.DataFrame, association: pl.DataFrame) -> pl.DataFrame:
    """Mark the flagged cards whose association when played and randomised effect exclude 0 on opposite sides."""
    played = association.filter(pl.col("category") == PLAYED).select("type", "outcome", "relative_low", "relative_high")
    good_but_bad = (pl.col("relative_low") > 0) & (pl.col("high") < 0)
    bad_but_good = (pl.col("relative_high") < 0) & (pl.col("low") > 0)
    joined = effects.join(played, on=["type", "outcome"], how="left", maintain_order="left")
    alarm = (pl.col("flagged") & (good_but_bad | bad_but_good)).fill_null(False)
    return joined.with_columns(alarm=alarm).select(effects.columns)
