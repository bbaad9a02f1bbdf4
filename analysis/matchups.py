"""Match-ups: every bot against every other, with interval and n in every cell, and what mirrored blocks were worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.blocks import Blocks
from analysis.stats import Estimate


@dataclass(frozen=True)
class Cell:
    """How `bot` did against `opponent` (for more than two seats: against the named others), seen from `bot`.

    `share` is its win share, `margin` its points ahead of the others' mean. `saved_share` and `saved_margin` are the
    variance ratios of unpaired games against mirrored blocks: 2.5 says that without mirroring 2.5 times as many games
    would be needed for the same interval. None where the bot plays itself (then the share is 1/n by construction) or
    holds several places of a line-up.
    """

    line_up: int
    bot: str
    opponent: str
    share: Estimate
    margin: Estimate
    saved_share: Estimate | None
    saved_margin: Estimate | None


def matrix(all_blocks: Iterable[Blocks], names: list[str], unit: str = "points") -> tuple[Cell, ...]:
    """The cells of all line-ups: each line-up gives one cell for every bot in it."""
    return tuple(cell for blocks in all_blocks for cell in cells(blocks, names, unit))


def cells(blocks: Blocks, names: list[str], unit: str = "points") -> list[Cell]:
    """The cells of one line-up."""
    line_up = blocks.line_up
    out = []
    for b in line_up.distinct:
        alone = line_up.bots.count(b) == 1 and not line_up.mirror
        others = [names[k] for k in line_up.distinct if k != b] or [names[b]]
        cell = Cell(
            line_up=line_up.index,
            bot=names[b],
            opponent=", ".join(others),
            share=blocks.share(f"bot{b}.share"),
            margin=blocks.mean(f"bot{b}.margin", unit),
            saved_share=variance_ratio(blocks, b, "share") if alone else None,
            saved_margin=variance_ratio(blocks, b, "margin") if alone else None,
        )
        out.append(cell)
    return out


def variance_ratio(blocks: Blocks, bot: int, what: str) -> Estimate | None:
    """(variance of one game's result / games in a block) / variance of the block mean, with its interval by the delta
    method.

    The variance of a game is taken over all games of the line-up, so it includes the seat's own effect, as unpaired
    games with random seats would have it. None where the results do not vary.
    """
    take = f"bot{bot}.{what}"
    per_block = blocks.seats
    mean, square, block2 = blocks.value(take), blocks.value(take + "2"), blocks.value(take + ".block2")
    game, block = (square - mean**2) / per_block, block2 - mean**2
    if blocks.blocks < 2 or block <= 1e-12 * (1 + mean**2) or game <= 0:
        return None
    ratio = game / block
    slopes = {
        take: -2 * mean / per_block / block + 2 * mean * ratio / block,
        take + "2": 1 / per_block / block,
        take + ".block2": -ratio / block,
    }
    return blocks.delta(ratio, slopes, "times")
