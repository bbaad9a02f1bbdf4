"""What did an edit of the card set change? Two runs on the same deals, every number with its difference and interval.

`compare(base, variant)` joins two run folders by (line-up, deal, rotation, seat). A difference is a mean over deals of
variant - base; its error comes from the differences of the blocks (one deal under all rotations), so whatever luck the
two arms share cancels. What is no mean (a standard deviation over games) is bootstrapped over deals; a ratio and a
card's effect have an influence value for each batch of deals, whose differences between the arms give the error.

Many cards are asked the same question at once, so among the cards of one measure and line-up the false discovery rate
is controlled at 5 % (Benjamini and Hochberg 1995): only a card with q <= 0.05 is said to have changed. The other
questions are few and asked on purpose; each is judged alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis import same_cards, stats, tiers
from analysis.blocks import LineUp, line_ups
from analysis.cards import FALSE_DISCOVERIES, NEVER, CardTypes, error_of_cases, opening_hands, ratio
from analysis.cards import PLAYED as PLAYED_CARD
from analysis.market import MarketTypes, use_of
from analysis.pairs import (
    BASE,
    DIFFERENCE,
    VARIANT,
    CardPairs,
    LineUpPairs,
    MarketPairs,
    TallyPairs,
    read_card_pairs,
    read_market_pairs,
    read_pairs,
    read_tally_pairs,
)
from analysis.stats import Estimate, Finding, Interval
from analysis.tallies import TalliedTypes
from analysis.tiers import TIERS, TOLERANCE
from simcore.errors import InputError
from simcore.manifest import Manifest
from simcore.runlog import Run

Array = NDArray[Any]

IDENTICAL = "identical"
"""Wording beside those of `analysis.stats`: every deal gave exactly the same in both arms."""

RELATIVE_MARGIN = TOLERANCE
"""Where the designer's margins have no unit for a number (turns, a counter), a change counts from this part of the
larger value on.
"""

MEASURES = {
    "order_share": "win share of a place in turn order",
    "order_margin": "points of who goes first above the mean of the others",
    "bot_share": "win share of a bot",
    "score": "mean score",
    "part": "mean of a part of the score",
    "counter": "mean of a counter of the game",
    "winning": "mean of the best score of a game",
    "losing": "mean of the lowest score of a game",
    "score_spread": "standard deviation of a seat's score over games",
    "margin_spread": "standard deviation over games of a seat's score minus the mean of the others'",
    "turns": "turns of a game",
    "rounds": "rounds of a game",
    "decisions": "decisions of a game that were put to a bot",
    "cut_off": "share of games cut off by the length cap",
    "end": "share of games that ended for this reason",
    "tie": "share of games that several seats won together",
    "lead_changes": "changes of the lead in a game",
    "card_held": "share of seats (in a round) that ever held this card, a mean over its copies",
    "card_played": "of the times it was held, the share in which this card was played",
    "card_win": "win share of the seats that played this card: an association, not an effect",
    "card_effect": "what the card in the opening hand adds to the win share, relative to the average card: chance "
    "dealt it, so an effect",
    "card_effect_points": "the same in points of the round",
    "market_built": "of the games in which this card lies on the table, the share in which anybody built it",
    "market_improved": "of its copies that were built, the share improved",
    "tally_times": "how often the first of the game's tallies happened with this card, a game and seat",
}
"""What `measure` may be, and what it means."""

ROWS = {
    "line_up": pl.Int64,  # index into the manifest's line_ups
    "title": pl.String,  # the line-up as a sentence names it: "expert against itself"
    "tier": pl.String,  # the tier that all its bots share, or null
    "measure": pl.String,  # a key of MEASURES
    "subject": pl.String,  # place in turn order, bot, "bot: part", type of a card (CARDS); "" for the whole line-up
    "label": pl.String,  # the question in words, without the line-up: "score of uniform"
    "unit": pl.String,  # "share" (0.01 = one percentage point), the score unit, "turns", ...
    "base": pl.Float64,  # estimates of the arms
    "variant": pl.Float64,
    "base_se": pl.Float64,  # and the standard error of each arm alone
    "variant_se": pl.Float64,
    "difference": pl.Float64,  # variant - base
    "se": pl.Float64,  # its standard error; null where there is none
    "low": pl.Float64,  # 95 % interval of the difference
    "high": pl.Float64,
    "low90": pl.Float64,  # 90 % interval
    "high90": pl.Float64,
    "margin": pl.Float64,  # what counts as a change, in `unit`
    "wording": pl.String,  # one of the five of analysis.stats, or "identical"
    "verdict": pl.String,  # the wording as it is printed, with the deals still needed
    "more_deals": pl.Int64,  # deals still needed where the wording is "not yet known", else 0
    "p": pl.Float64,  # two-sided p of "no difference"; 1 for "identical"
    "q": pl.Float64,  # cards only: p adjusted over all cards of this measure and line-up (Benjamini-Hochberg)
    "correlation": pl.Float64,  # of the arms, over deals; null where an arm does not vary
    "variance_ratio": pl.Float64,  # variance with independent arms / variance of the paired difference
    "n": pl.Int64,  # deals
}
"""Columns of `Comparison.rows`."""

PLAYED = {
    "line_up": pl.Int64,
    "title": pl.String,
    "tier": pl.String,
    "games": pl.Int64,  # games of each arm that were compared
    "identical": pl.Float64,  # share of games with the same play_hash in both arms
    "scored_alike": pl.Float64,  # share of games in which every seat has the same score in both arms
    "all_identical": pl.Boolean,
    "no_reaction": pl.Boolean,  # all played identically, not all scored alike: no bot reacted to the edit
    "text": pl.String,  # a sentence for the page
}
"""Columns of `Comparison.played`."""

CARDS = {
    "type": pl.String,  # in the base set; of a card that only the variant has, there
    "label": pl.String,  # with both names where the edit has renamed it: "yellow 10 (now 14)"
    "group": pl.String,
    "base": pl.Int64,  # copies in the base set, 0 if it has none; a tallied card counts once
    "variant": pl.Int64,
    "in_hand": pl.Boolean,  # whether it comes to hands by chance; what does not is chosen, or lies there for all
    "change": pl.String,  # "both", "added", "removed"
}
"""Columns of `Comparison.cards`."""


BY_TIER = {
    "measure": pl.String,
    "subject": pl.String,  # as in ROWS, without the name of the bot
    "unit": pl.String,
    "tier": pl.String,
    "line_up": pl.Int64,  # the line-up that speaks for the tier: its strongest bot against itself where that was played
    "title": pl.String,
    "difference": pl.Float64,
    "low": pl.Float64,  # 95 % interval
    "high": pl.Float64,
    "wording": pl.String,
    "skill": pl.String,  # a label of analysis.tiers over all tiers: "stable", "grows with skill", ...
    "n": pl.Int64,
}
"""Columns of `Comparison.by_tier`, in the order of the tiers from weak to strong."""


@dataclass(frozen=True)
class Arm:
    """One of the two runs: its card set, its finished deals of a line-up, whether it is finished, and where it is."""

    card_set: str
    card_set_hash: str
    deals: int
    complete: bool
    folder: str


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs on the same deals.

    `rows` has a row for each question (columns: ROWS), `played` one for each line-up (PLAYED), `cards` one for each
    card of either set (CARDS), `by_tier` one for each question and tier of bots (BY_TIER). `moved` are the rows of the
    card set that have become another card (`analysis.same_cards.moved`). `bots` are (name, tier, sentence). `deals` and
    `games` count what was compared, of each arm. `notes` are sentences that the page must show: what was left out, and
    why.
    """

    game: str
    title: str
    seats: int
    seed: int
    score_unit: str
    caveat: str
    bots: tuple[tuple[str, str, str], ...]
    base: Arm
    variant: Arm
    deals: int
    games: int
    margin_share: float
    margin_points: float
    rows: pl.DataFrame
    played: pl.DataFrame
    cards: pl.DataFrame
    moved: tuple[str, ...]
    notes: tuple[str, ...]
    by_tier: pl.DataFrame


def compare(
    base: Run,
    variant: Run,
    margin_share: float = 0.01,
    margin_points: float = 1.0,
    blocks: int | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare two runs that differ in their card set only, within the designer's margins (share of wins; points).

    Compared are the deals that both runs have finished, or those of them below `blocks`; a note says so where a run has
    more. Raises InputError, with all reasons at once, for runs that cannot be compared (another game, seats, bots,
    line-ups, seed, score), for a margin that is not positive, and where there is no finished deal in common.
    """
    if not (0 < margin_share < math.inf and 0 < margin_points < math.inf):
        raise InputError(
            f"A margin must be above 0 and finite, not {margin_points} points, {margin_share} of the wins."
        )
    refuse(base, variant)
    manifest = base.manifest
    asker = _Asker(base, variant, (margin_share, margin_points), blocks, threads)
    for line_up in line_ups(manifest):
        asker.ask(line_up)
    if not asker.pairs:
        raise InputError(
            f"{base.path} and {variant.path} have no finished deal in common. Finish both (--resume), then compare."
        )
    rows = pl.DataFrame(asker.rows, schema=ROWS).with_columns(pl.col(pl.Float64).fill_nan(None))
    return Comparison(
        game=manifest["game"],
        title=manifest["title"],
        seats=manifest["seats"],
        seed=manifest["seed"],
        score_unit=manifest["score_unit"],
        caveat=manifest["caveat"],
        bots=tuple((bot["name"], bot["tier"], bot["text"]) for bot in manifest["bots"]),
        base=_arm(base),
        variant=_arm(variant),
        deals=max(pairs.moments.n for pairs in asker.pairs),
        games=sum(pairs.games for pairs in asker.pairs),
        margin_share=margin_share,
        margin_points=margin_points,
        rows=rows,
        played=pl.DataFrame([_played(pairs, manifest) for pairs in asker.pairs], schema=PLAYED),
        cards=_cards(manifest, variant.manifest),
        moved=tuple(same_cards.moved(*_known(manifest, variant.manifest))),
        notes=tuple(dict.fromkeys([*_notes(base, variant, asker), *asker.notes])),
        by_tier=_by_tier(rows, [pairs.line_up for pairs in asker.pairs], manifest),
    )


def _arm(run: Run) -> Arm:
    m = run.manifest
    name, digest = m["card_set"]["name"], m["card_set"]["hash"]
    deals = Counter[int]()
    for entry in run.shards.values():
        deals[entry.line_up] += entry.last - entry.first
    return Arm(name, digest, max(deals.values(), default=0), run.complete, str(run.path))


# --- what can be compared --------------------------------------------------------------------------------------------


def refuse(base: Run, variant: Run) -> None:
    """Raise InputError, with all reasons, if the runs differ in more than the card set and the number of deals."""
    a, b = base.manifest, variant.manifest
    reasons = [f"{what} ({_said(x)} and {_said(y)})" for what, x, y in _questions(a, b) if x != y]
    if not reasons:
        return
    raise InputError(
        f"{base.path} and {variant.path} cannot be compared. They differ in: {'; '.join(reasons)}. Allowed are two "
        "card sets of one game, played with the same seats, bots, line-ups and seed. Play both arms again with one "
        "plan (fairdeal compare does)."
    )


def _questions(a: Manifest, b: Manifest) -> list[tuple[str, Any, Any]]:
    """What must be equal: a word for it, and what either manifest says."""
    if a["game"] != b["game"]:
        return [("the game", a["game"], b["game"])]

    def names(m: Manifest) -> list[str]:
        return [bot["name"] for bot in m["bots"]]

    def played(m: Manifest) -> list[str]:
        return [str(line_up) for line_up in line_ups(m)]

    asked: list[tuple[str, Any, Any]] = [("seats", a["seats"], b["seats"]), ("bots", names(a), names(b))]
    if names(a) == names(b):
        asked.append(("line-ups", played(a), played(b)))
        versions = [{bot["name"]: bot["hash"][:12] for bot in m["bots"]} for m in (a, b)]
        asked += [(f"code or weights of the bot {name}", versions[0][name], versions[1][name]) for name in versions[0]]
    asked += [("the seed", a["seed"], b["seed"]), ("the unit of the score", a["score_unit"], b["score_unit"])]
    asked += [
        (what, [(entry["name"], entry["unit"]) for entry in x], [(entry["name"], entry["unit"]) for entry in y])
        for what, x, y in (("score parts", a["parts"], b["parts"]), ("counters", a["counters"], b["counters"]))
    ]
    return [
        *asked,
        ("reasons for the end", a["ends"], b["ends"]),
        ("what the card log knows", [a[k] for k in LOGGED], [b[k] for k in LOGGED]),  # type: ignore[literal-required]
    ]


LOGGED = ("gains", "fates", "tallies")
"""What the manifest says about the card log."""


def _said(value: Any) -> str:
    """A value in a message, short."""
    if isinstance(value, list):
        return ", ".join(_said(item) for item in value) or "none"
    return f"{value[0]} in {value[1]}" if isinstance(value, tuple) else str(value)


def _notes(base: Run, variant: Run, asker: _Asker) -> list[str]:
    """What the page must say about the runs themselves."""
    found = []
    a, b = _arm(base), _arm(variant)
    n = max(pairs.moments.n for pairs in asker.pairs)
    if n < max(a.deals, b.deals):
        found.append(
            f"Compared are the {n:,} first deals, which both runs have: the base run has {a.deals:,}, the variant's "
            f"{b.deals:,}."
        )
    found += [
        f"The {word} run is not finished: what it has so far is compared."
        for word, arm in (("base", a), ("variant", b))
        if not arm.complete
    ]
    if base.manifest["version"] != variant.manifest["version"]:
        found.append(
            f"The runs were played by different versions of fairdeal ({base.manifest['version']} and "
            f"{variant.manifest['version']}): a difference may come from that."
        )
    levels = [run.manifest["log"] for run in (base, variant)]
    if any("cards" not in run.tables for run in (base, variant)):
        logged = " and ".join(f"--log {level}" for level in dict.fromkeys(levels))
        found.append(f"Cards are not compared: what was played with {logged} tells nothing of them.")
    return found


def _known(base: Manifest, variant: Manifest) -> tuple[same_cards.Cards, same_cards.Cards]:
    """The cards of both sets, to be joined."""
    return same_cards.of_log(base["cards"]), same_cards.of_log(variant["cards"])


# --- tiers -----------------------------------------------------------------------------------------------------------


def _by_tier(rows: pl.DataFrame, played: Sequence[LineUp], manifest: Manifest) -> pl.DataFrame:
    """The table of every question in every tier, with the label of how its difference changes with skill."""
    chosen = _tier_line_ups(rows, played, manifest)
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line_up in chosen:
        seen = set()
        for row in rows.filter(pl.col("line_up") == line_up.index).iter_rows(named=True):
            key = (row["measure"], _without_bot(row["subject"], line_up))
            if key not in seen:  # a line-up of several bots of a tier is spoken for by its first
                seen.add(key)
                found.setdefault(key, []).append(row)
    told = []
    for (_, subject), cases in found.items():
        margin = max((row["margin"] for row in cases if row["margin"] is not None), default=None)
        skill = tiers.label([_estimate(row) for row in cases], margin)
        kept = [{name: row[name] for name in BY_TIER if name in row} for row in cases]
        told += [row | {"subject": subject, "skill": skill} for row in kept]
    return pl.DataFrame(told, schema=BY_TIER)


def _tier_line_ups(rows: pl.DataFrame, played: Sequence[LineUp], manifest: Manifest) -> list[LineUp]:
    """One line-up a tier: self-play of the tier's strongest bot, else any line-up within the tier.

    They stand from weak to strong as the base run has measured it; tiers that did not meet in the order of TIERS.
    """
    shares = rows.filter(measure="bot_share").group_by("subject").agg(pl.col("base").mean())
    strength = dict(shares.iter_rows())

    def rank(line_up: LineUp) -> tuple[bool, float, int]:
        return line_up.mirror, strength.get(line_up.names[0], 0.0), line_up.index

    of_tiers = [[line_up for line_up in played if tier(line_up, manifest) == name] for name in TIERS]
    chosen = [max(found, key=rank) for found in of_tiers if found]
    return sorted(chosen, key=lambda line_up: strength.get(line_up.names[0], 0.0))


def _without_bot(subject: str, line_up: LineUp) -> str:
    """The subject of a row about a bot without the bot's name."""
    name, _, rest = subject.partition(": ")
    return rest if name in line_up.names else subject


def _estimate(row: dict[str, Any]) -> Estimate:
    value, low, high, se = (math.nan if row[x] is None else row[x] for x in ("difference", "low", "high", "se"))
    return Estimate(value, low, high, row["n"], row["n"], row["unit"], se)


# --- line-ups --------------------------------------------------------------------------------------------------------


def tier(line_up: LineUp, manifest: Manifest) -> str | None:
    """The tier that all bots of a line-up share, None if they are of several."""
    found = {manifest["bots"][b]["tier"] for b in line_up.bots}
    return found.pop() if len(found) == 1 else None


NO_REACTION = "No bot reacted: scored differently, played identically"


def _played(pairs: LineUpPairs, manifest: Manifest) -> dict[str, Any]:
    """A row of PLAYED."""
    identical, alike, games = pairs.identical, pairs.alike, pairs.games
    no_reaction = identical == games and alike < games
    if no_reaction:
        text = (
            f"{NO_REACTION} in all {games:,} games. What is shown is the edit's effect on players who do not adapt: "
            "try bots that know what was edited, or train them again, before believing it."
        )
    elif identical == games:
        text = f"All {games:,} games were played identically and scored alike."
    else:
        text = f"{identical / games:.1%} of {games:,} games were played identically in both arms."
    return {
        "line_up": pairs.line_up.index,
        "title": str(pairs.line_up),
        "tier": tier(pairs.line_up, manifest),
        "games": games,
        "identical": identical / games,
        "scored_alike": alike / games,
        "all_identical": identical == games,
        "no_reaction": no_reaction,
        "text": text,
    }


def _sides(manifest: Manifest) -> set[str]:
    """The types that are the other side of a card."""
    return {card["type"] for card in manifest["cards"] if card["side_of"]}


def _cards(base: Manifest, variant: Manifest) -> pl.DataFrame:
    """The table of the cards of both sets; the other side of a card is no card of its own."""
    same = same_cards.same(*_known(base, variant))
    before, after = (_told_of(manifest) for manifest in (base, variant))
    rows = [
        _joined(row, after[same[name]]) if same.get(name) in after else row | {"variant": 0, "change": "removed"}
        for name, row in before.items()
    ]
    come = [row for name, row in after.items() if name not in same.values()]
    for row in come:
        # The name may be taken: a yellow 10 that is new beside the one that is 14 now.
        name = f"{row['type']} (new)" if row["type"] in before else row["type"]
        rows.append(row | {"type": name, "base": 0, "variant": row["base"], "change": "added"})
    return pl.DataFrame(rows, schema=CARDS)


def _told_of(manifest: Manifest) -> dict[str, dict[str, Any]]:
    """The cards of one set by type: type, label, group, copies (as "base"), in_hand."""
    stamped, tallied, sides = CardTypes.of(manifest), TalliedTypes.of(manifest), _sides(manifest)
    told = [(*card, i in stamped.hand) for i, card in enumerate(_columns(stamped, stamped.copies))]
    told += [(*card, False) for card in _columns(tallied, [1] * len(tallied.names))]
    columns = ("type", "label", "group", "base", "in_hand")
    return {card[0]: dict(zip(columns, card, strict=True)) for card in told if card[0] not in sides}


def _columns(types: CardTypes | TalliedTypes, copies: Sequence[int]) -> Iterator[tuple[str, str, str, int]]:
    return zip(types.names, types.labels, types.groups, copies, strict=True)


def _joined(base: dict[str, Any], variant: dict[str, Any]) -> dict[str, Any]:
    """A row of CARDS for a card of both sets."""
    label = same_cards.label(base["label"], variant["label"])
    return base | {"label": label, "variant": variant["base"], "change": "both"}


@dataclass(frozen=True)
class _Answer:
    """A difference with what stands behind it, before it is judged.

    `se_base` and `se_variant` are the errors of the arms alone. `degrees` are those of the t law, None for the normal
    one. `intervals` (95 %, 90 %) are given where they come from the bootstrap.
    """

    base: float
    variant: float
    se: float
    se_base: float
    se_variant: float
    differs: bool
    degrees: float | None = None
    intervals: tuple[Interval, Interval] | None = None

    @property
    def difference(self) -> float:
        """Variant minus base."""
        return self.variant - self.base

    def interval(self, confidence: float) -> Interval:
        """The interval of the difference, 0.95 or 0.90."""
        if self.intervals is not None:
            return self.intervals[confidence < stats.CONFIDENCE]
        z = stats.z_value(confidence) if self.degrees is None else float(stats.t_value(self.degrees, confidence))
        return self.difference - z * self.se, self.difference + z * self.se

    def p(self) -> float:
        """Two-sided p-value of no difference."""
        if not self.differs:
            return 1.0
        if math.isnan(self.se):
            return math.nan
        if self.se == 0:
            return 0.0 if self.difference else 1.0
        t = abs(self.difference) / self.se
        return 2 * float(special.ndtr(-t)) if self.degrees is None else float(stats.two_sided_p(t, self.degrees))

    def pairing(self) -> tuple[float, float]:
        """Correlation of the arms, and variance with independent arms / variance of the difference; NaN where none."""
        both, product = self.se_base**2 + self.se_variant**2, self.se_base * self.se_variant
        correlation = (both - self.se**2) / (2 * product) if product > 0 else math.nan
        return max(-1.0, min(1.0, correlation)) if product > 0 else math.nan, both / self.se**2 if self.se else math.nan


class _Asker:
    """Asks every question of every line-up and collects the rows."""

    def __init__(
        self, base: Run, variant: Run, margins: tuple[float, float], blocks: int | None, threads: int | None
    ) -> None:
        """`margins` are those of shares and of points."""
        self.base, self.variant = base, variant
        self.manifest = base.manifest
        self.margin_share, self.margin_points = margins
        self.blocks, self.threads = blocks, threads
        self.names = [bot["name"] for bot in self.manifest["bots"]]
        self.unit = self.manifest["score_unit"]
        self.same = same_cards.same(*_known(base.manifest, variant.manifest))
        self.rows: list[dict[str, Any]] = []
        self.pairs: list[LineUpPairs] = []
        self.notes: list[str] = []
        self._weights: Array = np.zeros((0, 0))

    def ask(self, line_up: LineUp) -> None:
        """All questions of one line-up."""
        pairs = read_pairs(self.base, self.variant, line_up, self.blocks, self.threads)
        if pairs is None:
            self.notes.append(f"{line_up}: no finished deal in common, so it is left out.".capitalize())
            return
        self.pairs.append(pairs)
        self._places(pairs)
        self._bots(pairs)
        self._games(pairs)
        cards = read_card_pairs(self.base, self.variant, line_up, self.blocks, self.threads)
        if cards is not None:
            self._card_rates(line_up, cards)
            self._card_effects(line_up, cards)
        market = read_market_pairs(self.base, self.variant, line_up, self.blocks, self.threads)
        if market is not None:
            self._market(line_up, market)
        tallies = read_tally_pairs(self.base, self.variant, line_up, self.blocks, self.threads)
        if tallies is not None:
            self._tallies(line_up, tallies)

    # Questions about means.

    def _places(self, pairs: LineUpPairs) -> None:
        n = self.manifest["seats"]
        if n == 1:
            return
        for o in range(n):
            label = f"win share of the {ORDINALS[o]} in turn order"
            self._mean(pairs, f"order{o}.share", "order_share", str(o), label, "share")
        label = "points of the first in turn order above the others"
        self._mean(pairs, "order0.margin", "order_margin", "0", label, self.unit)

    def _bots(self, pairs: LineUpPairs) -> None:
        line_up, told = pairs.line_up, self.manifest
        for b in line_up.distinct:
            name, take = self.names[b], f"bot{b}."
            if not line_up.mirror:
                self._mean(pairs, take + "share", "bot_share", name, f"win share of {name}", "share")
            self._mean(pairs, take + "score", "score", name, f"score of {name}", self.unit)
            for kind, entries, column in (("part", told["parts"], "part."), ("counter", told["counters"], "count.")):
                for entry in entries:
                    subject = f"{name}: {entry['name']}"
                    label = f"{entry['name'].replace('_', ' ')} of {name}"
                    self._mean(pairs, take + column + entry["name"], kind, subject, label, entry["unit"])
            self._spread(pairs, take + "score", "score_spread", name, f"spread of the score of {name}")
        # With two seats the other's margin is the same with the other sign.
        seen = line_up.distinct[:1] if told["seats"] == 2 else line_up.distinct
        for b in seen if told["seats"] > 1 else ():
            label = f"spread of the margin of {self.names[b]}"
            self._spread(pairs, f"bot{b}.margin", "margin_spread", self.names[b], label)

    def _games(self, pairs: LineUpPairs) -> None:
        asked = [
            ("winning", "best score of a game", self.unit),
            ("losing", "lowest score of a game", self.unit),
            ("turns", "turns of a game", "turns"),
            ("rounds", "rounds of a game", "rounds"),
            ("decisions", "decisions of a game", "decisions"),
            ("cut_off", "games cut off by the length cap", "share"),
            ("tie", "games won together", "share"),
            ("lead_changes", "changes of the lead", "changes"),
        ]
        for name, label, unit in asked:
            self._mean(pairs, f"games.{name}", name, "", label, unit)
        if len(self.manifest["ends"]) > 1:
            for i, end in enumerate(self.manifest["ends"]):
                self._mean(pairs, f"games.end{i}", "end", end, f"games that ended by {end}", "share")

    def _mean(self, pairs: LineUpPairs, column: str, measure: str, subject: str, label: str, unit: str) -> None:
        i, moments = pairs.column(column), pairs.moments
        se = np.sqrt(moments.variance[:, i] / moments.n)
        answer = _Answer(
            base=float(moments.mean[BASE, i]),
            variant=float(moments.mean[VARIANT, i]),
            se=float(se[DIFFERENCE]),
            se_base=float(se[BASE]),
            se_variant=float(se[VARIANT]),
            differs=bool(moments.differs[i]),
        )
        self.rows.append(self._row(pairs.line_up, measure, subject, label, unit, answer, moments.n))

    # Questions that are bootstrapped.

    def _spread(self, pairs: LineUpPairs, column: str, measure: str, subject: str, label: str) -> None:
        """Standard deviation over games, from the sums of a column and of its squares by batch."""
        sums = np.stack([pairs.sums[column], pairs.sums[column + "2"]])  # (2 moments, 2 arms, batches)
        drawn = sums @ self.weights(len(pairs.sizes)).T / (self.weights(len(pairs.sizes)) @ pairs.sizes)
        values = np.sqrt(np.maximum(0.0, drawn[1] - drawn[0] ** 2))  # (2 arms, resamples)
        whole = sums.sum(axis=2) / pairs.sizes.sum()
        base, variant = np.sqrt(np.maximum(0.0, whole[1] - whole[0] ** 2)).tolist()
        differences = values[VARIANT] - values[BASE]
        moments = pairs.moments
        differs = moments.differs[pairs.column(column)] or moments.differs[pairs.column(column + "2")]
        wide, narrow = (np.quantile(differences, [0.5 - c / 2, 0.5 + c / 2]).tolist() for c in (0.95, 0.90))
        answer = _Answer(
            base=base,
            variant=variant,
            se=float(differences.std(ddof=1)),
            se_base=float(values[BASE].std(ddof=1)),
            se_variant=float(values[VARIANT].std(ddof=1)),
            differs=bool(differs),
            intervals=((wide[0], wide[1]), (narrow[0], narrow[1])),
        )
        self.rows.append(self._row(pairs.line_up, measure, subject, label, self.unit, answer, moments.n))

    def weights(self, batches: int) -> Array:
        """How often each batch is drawn in each resample, (resamples, batches): the same for all questions."""
        if self._weights.shape[1] != batches:
            self._weights = stats.resampling(batches)
        return self._weights

    # Questions about cards.

    def _card_rates(self, line_up: LineUp, cards: CardPairs) -> None:
        """Held, played, and the win share of who played it."""
        categories = list(cards.readers[BASE].categories)
        gains = slice(1, 1 + len(cards.readers[BASE].gains))
        counts = [sums[:, :, 0, :].astype(float) for sums in cards.association]
        held = [count[:, gains].sum(axis=1) for count in counts]
        chances = [h + count[:, categories.index(NEVER)] for h, count in zip(held, counts, strict=True)]
        deals = cards.deals
        self._ratios(line_up, deals, "card_held", "share of seats that held {}", self._holdable(cards), held, chances)
        if PLAYED_CARD not in categories:
            return
        k = categories.index(PLAYED_CARD)
        played = [count[:, k] for count in counts]
        # What is not dealt to hands is used by being held: nothing is to be asked about its play.
        self._ratios(line_up, deals, "card_played", "plays of {} when held", self._in_hand(cards), played, held)
        wins = [sums[:, k, 2, :].astype(float) for sums in cards.association]
        self._ratios(line_up, deals, "card_win", "win share with {} played", self._in_hand(cards), wins, played)

    def _holdable(self, cards: CardPairs) -> list[Common]:
        """The types of both sets that a seat may hold: not what lies on the table for all, nor another card's side."""
        others = set(MarketTypes.of(self.manifest).names) | _sides(self.manifest)
        return [card for card in self._common(cards) if card[0] not in others]

    def _in_hand(self, cards: CardPairs) -> list[Common]:
        """The types that are dealt to hands in both sets."""
        base, variant = (set(reader.types.hand) for reader in cards.readers)
        return [card for card in self._common(cards) if card[2] in base and card[3] in variant]

    def _common(self, cards: CardPairs) -> list[Common]:
        """The card types of both sets."""
        base, variant = (reader.types for reader in cards.readers)
        return self._in_both(base, variant)

    def _in_both(self, base: Types, variant: Types) -> list[Common]:
        """The types that are one card in both arms."""
        there = {name: j for j, name in enumerate(variant.names)}
        return [
            (name, same_cards.label(base.labels[i], variant.labels[there[other]]), i, there[other])
            for i, name in enumerate(base.names)
            if (other := self.same.get(name)) in there
        ]

    # Questions about what lies on the table, and about tallied cards.

    def _market(self, line_up: LineUp, market: MarketPairs) -> None:
        """How often each type is built where it lies on the table, and improved once built."""
        base, variant = (reader.types for reader in market.readers)
        common = self._in_both(base, variant)
        use = [use_of(counts) for counts in market.counts]
        once, improved = ([[of[name][part] for of in use] for part in (0, 1)] for name in ("once", "upgraded"))
        label = "games with {} built, of those with it on the table"
        self._ratios(line_up, market.deals, "market_built", label, common, once[0], once[1])
        sided = [card for card in common if base.sides[card[2]] and variant.sides[card[3]]]
        label = "improved copies of {}, of those built"
        self._ratios(line_up, market.deals, "market_improved", label, sided, improved[0], improved[1])

    def _tallies(self, line_up: LineUp, tallies: TallyPairs) -> None:
        """How often the first of the tallies happened with each tallied card."""
        base, variant = (reader.types for reader in tallies.readers)
        common = self._in_both(base, variant)
        times = [of[:, 0] for of in tallies.times]
        seats = [np.broadcast_to(of[:, None], t.shape) for of, t in zip(tallies.seats, times, strict=True)]
        label = f"times that {{}} is {self.manifest['tallies'][0]}"
        self._ratios(line_up, tallies.deals, "tally_times", label, common, times, seats, "times")

    def _ratios(
        self,
        line_up: LineUp,
        deals: int,
        measure: str,
        label: str,
        common: Sequence[Common],
        over: Sequence[Array],
        under: Sequence[Array],
        unit: str = "share",
    ) -> None:
        """A ratio of sums over batches for some types; `over` and `under` are (batches, types) of either arm."""
        if not common:
            return
        values, influences, sums = [], [], []
        for arm, columns in enumerate(zip(*((i, j) for _, _, i, j in common), strict=True)):
            o, u = over[arm][:, columns], under[arm][:, columns]
            value, influence = ratio(o, u)
            values.append(value)
            influences.append(influence)
            sums.append(np.stack([o, u]))
        differs = (sums[BASE] != sums[VARIANT]).any(axis=(0, 1)).tolist()
        # A ratio is known from the deals that have a case, in the arm in which they are fewer.
        cases = np.minimum(*((under_of > 0).sum(axis=0) for _, under_of in sums))
        told = (influences[BASE], influences[VARIANT], influences[VARIANT] - influences[BASE])
        found = [error_of_cases(influence, cases) for influence in told]
        errors, degrees = [se.tolist() for se, _ in found], found[DIFFERENCE][1].tolist()
        answers = [
            _Answer(
                base=float(values[BASE][t]),
                variant=float(values[VARIANT][t]),
                se=errors[DIFFERENCE][t],
                se_base=errors[BASE][t],
                se_variant=errors[VARIANT][t],
                differs=differs[t],
                degrees=degrees[t],
            )
            for t in range(len(common))
        ]
        self._family(line_up, deals, measure, label, unit, common, answers)

    def _card_effects(self, line_up: LineUp, cards: CardPairs) -> None:
        """The randomised effect of the opening hand, relative to the average of the common cards."""
        hands = [
            opening_hands(cards.xx[arm], cards.xy[arm], cards.readers[arm], cards.deals) for arm in (BASE, VARIANT)
        ]
        base, variant = (of.fit for of in hands)
        if base is None or variant is None:
            if self.manifest["seats"] > 1 and all(of.types or of.rare for of in hands):
                self.notes.append("Too few deals for the effects of cards in the opening hand: they are left out.")
            return
        # Of a regression's coefficients the first are those of the types that are judged, in this order.
        there = self._in_hand(cards)
        common = [card for card in there if all(card[2 + arm] in hands[arm].types for arm in (BASE, VARIANT))]
        if left_out := len(there) - len(common):
            what, it = ("card is", "it is") if left_out == 1 else ("cards are", "they are")
            self.notes.append(
                f"{left_out} {what} left out of the effects in the opening hand: {it} never dealt to a first hand, or "
                "too rarely to be judged, or how many a player is dealt is a matter of play."
            )
        if not common:
            return
        types = [reader.types for reader in cards.readers]
        copies = np.array([types[BASE].copies[i] for _, _, i, _ in common], dtype=float)
        columns = [[hands[arm].types.index(card[2 + arm]) for card in common] for arm in (BASE, VARIANT)]
        arm = BASE if hands[BASE].relative or not hands[VARIANT].relative else VARIANT
        sets = np.array(hands[arm].sets)[columns[arm]] if hands[arm].relative else np.zeros(0)
        # Column t: the weights of the average card that the effect of type t is relative to.
        centre = np.zeros((len(common), len(common)))
        if len(sets):
            centre = (sets[:, None] == sets) * copies[:, None]
            centre /= centre.sum(axis=0)
        for k, (measure, unit) in enumerate((("card_effect_points", self.unit), ("card_effect", "share"))):
            values, influences = [], []
            for fit, of in zip((base, variant), columns, strict=True):
                value, influence = fit.coefficients[of, k], fit.influence[k][:, of] * math.sqrt(fit.correction)
                values.append(value - value @ centre)
                influences.append(influence - influence @ centre)
            change = influences[VARIANT] - influences[BASE]
            errors = [np.sqrt((x**2).sum(axis=0)) for x in (*influences, change)]
            degrees = np.minimum(base.degrees[columns[BASE]], variant.degrees[columns[VARIANT]])
            same = values[BASE] == values[VARIANT]
            answers = [
                _Answer(
                    base=float(values[BASE][t]),
                    variant=float(values[VARIANT][t]),
                    se=float(errors[DIFFERENCE][t]),
                    se_base=float(errors[BASE][t]),
                    se_variant=float(errors[VARIANT][t]),
                    differs=not (same[t] and errors[DIFFERENCE][t] == 0),
                    degrees=float(degrees[t]),
                )
                for t in range(len(common))
            ]
            self._family(line_up, cards.deals, measure, "effect of {} in the opening hand", unit, common, answers)

    def _family(
        self,
        line_up: LineUp,
        deals: int,
        measure: str,
        label: str,
        unit: str,
        common: Sequence[Common],
        answers: Sequence[_Answer],
    ) -> None:
        """Rows of all cards of one measure, judged together."""
        q = stats.benjamini_hochberg([answer.p() for answer in answers])
        found = int((q <= FALSE_DISCOVERIES).sum())
        # What the next discovery would need: the step of Benjamini and Hochberg after those that are found.
        least = FALSE_DISCOVERIES * min(len(answers), found + 1) / max(1, len(answers))
        for (kind, name, _, _), answer, adjusted in zip(common, answers, q.tolist(), strict=True):
            z = None if adjusted <= FALSE_DISCOVERIES else _z_beyond(answer, least)
            row = self._row(line_up, measure, kind, label.format(name), unit, answer, deals, z)
            self.rows.append(row | {"q": adjusted})

    # Rows.

    def _row(
        self,
        line_up: LineUp,
        measure: str,
        subject: str,
        label: str,
        unit: str,
        answer: _Answer,
        n: int,
        z: float | None = None,
    ) -> dict[str, Any]:
        margin = self._margin(unit, answer)
        wide, narrow = answer.interval(0.95), answer.interval(0.90)
        finding = stats.judge_interval(answer.difference, answer.se, n, margin, wide, narrow, z)
        if math.isnan(answer.difference):
            finding = Finding(stats.UNKNOWN, margin, 0)
        identical = not answer.differs
        correlation, saved = answer.pairing()
        return {
            "line_up": line_up.index,
            "title": str(line_up),
            "tier": tier(line_up, self.manifest),
            "measure": measure,
            "subject": subject,
            "label": label,
            "unit": unit,
            "base": answer.base,
            "variant": answer.variant,
            "base_se": answer.se_base,
            "variant_se": answer.se_variant,
            "difference": answer.difference,
            "se": answer.se,
            "low": wide[0],
            "high": wide[1],
            "low90": narrow[0],
            "high90": narrow[1],
            "margin": margin,
            "wording": IDENTICAL if identical else finding.wording,
            "verdict": IDENTICAL if identical else str(finding),
            "more_deals": 0 if identical else finding.more,
            "p": answer.p(),
            "q": math.nan,
            "correlation": correlation,
            "variance_ratio": saved,
            "n": n,
        }

    def _margin(self, unit: str, answer: _Answer) -> float:
        """What counts as a change, in the row's unit."""
        if unit == "share":
            return self.margin_share
        if unit == self.unit:
            return self.margin_points
        larger = max(abs(answer.base), abs(answer.variant))
        return RELATIVE_MARGIN * larger if math.isfinite(larger) else math.nan


ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
)  # fmt: skip


Types = CardTypes | MarketTypes | TalliedTypes
Common = tuple[str, str, int, int]
"""A card of both sets: its type in the base set, its label, and its index in either arm."""


def _z_beyond(answer: _Answer, p: float) -> float:
    """What |difference| / se must reach for this p-value, and more than it has reached."""
    z = stats.z_value(1 - p) if answer.degrees is None else float(stats.t_value(answer.degrees, 1 - p))
    reached = abs(answer.difference) / answer.se if answer.se > 0 else 0.0
    return max(z, math.nextafter(reached, math.inf))
