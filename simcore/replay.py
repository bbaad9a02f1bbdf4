"""Replays: one game of a run as a document that anyone can check by hand, or in words (format fairdeal-replay/1).

The game is played again from the run's seed. Its result is compared with the run's log, so a replay never shows a game
other than the one that was logged.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

from simcore import bots as bot_registry
from simcore import cardset
from simcore import game as games
from simcore.errors import InputError, JobError
from simcore.game import Game
from simcore.play import Step, Table
from simcore.runlog import Run
from simcore.traces import hashed

FORMAT = "fairdeal-replay/1"
Document = dict[str, Any]


def document(run: Run, number: int) -> Document:
    """The replay of a game of a run, ready for JSON.

    Raises InputError for a number that the run does not have and for a bot that has changed since; JobError where the
    game does not come out as it was logged.
    """
    game = games.get(run.manifest["game"])
    with run.card_set_folder as folder:
        plan = run.plan(cardset.load(game.schema, folder))
    line_up, deal, rotation = plan.locate(number)
    names = tuple(plan.bots[place] for place in plan.line_ups[line_up])
    for entry in run.manifest["bots"]:
        if entry["name"] in names and bot_registry.get(game.name, entry["name"]).hash != entry["hash"]:
            raise InputError(f"the bot {entry['name']} has changed since the run {run.path} was made")
    table = Table(game.name, plan.card_set, plan.seats, names, plan.seed)
    steps = tuple(table.steps(deal, rotation))
    result = _result(game, table, run, number, steps)
    return {
        "format": FORMAT,
        "game": game.name,
        "seats": plan.seats,
        "card_set": run.manifest["card_set"],
        "bots": [names[(seat + rotation) % plan.seats] for seat in range(plan.seats)],
        "run": run.manifest["plan_hash"],
        "game_number": number,
        "seed": plan.seed,
        "events": list(in_events(table, steps)),
        "result": result,
    }


def play(table: Table, deal: int, rotation: int) -> Iterator[dict[str, Any]]:
    """The events of one game in the order in which they happen."""
    yield from in_events(table, table.steps(deal, rotation))


def in_events(table: Table, steps: Iterable[Step]) -> Iterator[dict[str, Any]]:
    """The events of the steps of one game."""
    game, words = table.game, table.words
    for step in steps:
        if step.seat >= 0:
            word = words.action(step.action, step.public)
            options = list(dict.fromkeys(words.action(action, step.public) for action in step.options))
            yield {
                "seat": step.seat,
                "decision": game.decisions[step.decision],
                "options": options,
                "action": word,
                "forced": len(options) == 1,  # also where a bot was asked which of two equal cards
                "text": words.sentence(step.seat, step.decision, word, step.public),
            }
        yield from words.events(step.events)


def _result(game: Game, table: Table, run: Run, number: int, steps: Iterable[Step]) -> dict[str, Any]:
    """The result as it was logged, once the replay has been found to end in the same way."""
    public, seats = table.state.public, table.seats
    logged, rows = _logged(run, "games", number), _logged(run, "seats", number).sort("seat")
    if logged.is_empty() and run.stopped is not None:
        raise InputError(
            f"game {number} of the run {run.path} was not played: the run was ended after {run.stopped.blocks:,} deals "
            "of each line-up"
        )
    if logged.is_empty():
        raise InputError(f"game {number} of the run {run.path} has not been played yet; finish the run with --resume")
    scores = [int(table.out.points[seat]) for seat in range(seats)]
    if scores != rows["score"].to_list() or _play_hash(steps) != logged["play_hash"].item():
        raise JobError(
            f"game {number} does not come out as it was logged ({scores}, logged {rows['score'].to_list()}): "
            f"the run was made by another version of the game or its bots"
        )
    winners = int(logged["winners"].item())
    return {
        "scores": scores,
        "winners": [seat for seat in range(seats) if winners >> seat & 1],
        "win_share": rows["win_share"].to_list(),
        "turns": int(public.turns),
        "end": game.ends[int(public.end)],
        "truncated": bool(public.truncated),
        "parts": rows.select(pl.col(f"part_{part.name}").alias(part.name) for part in game.parts).to_dicts(),
    }


def _logged(run: Run, table: str, number: int) -> pl.DataFrame:
    """The rows of one game in a table of the run's log, none where its shard is not finished. Raises InputError where a
    file cannot be read.
    """
    line_up, rest = divmod(number, run.manifest["games_per_line_up"])
    deal = rest // run.manifest["seats"]
    names = [column.name for column in run.columns[table]]
    for shard, entry in run.shards.items():
        if entry.line_up == line_up and entry.first <= deal < entry.last:
            return run.read_part(table, shard, names).filter(pl.col("game") == number)
    return pl.DataFrame(schema=names)


def _play_hash(steps: Iterable[Step]) -> int:
    word = np.uint64(0)
    for step in steps:
        if step.seat >= 0:
            word = np.uint64(hashed(word, step.action))
    return int(word)


def in_words(replay: Document) -> str:
    """A replay as text for people: a line an event, then the result."""
    bots = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(replay["bots"]))
    lines = [
        f"{replay['game']}, card set {replay['card_set']['name']}",
        f"game {replay['game_number']}, seed {replay['seed']}: {bots}",
        "",
    ]
    for event in replay["events"]:
        if "decision" in event:
            choice = "forced" if event["forced"] else f"one of {len(event['options'])}"
            lines.append(f"{event['text']} ({choice})")
        else:
            lines.append(f"  {event['text']}")
    result = replay["result"]
    winners = " and ".join(f"seat {seat}" for seat in result["winners"])
    scores = " to ".join(str(score) for score in result["scores"])
    verb = "wins" if len(result["winners"]) == 1 else "share the win"
    lines += ["", f"{scores} after {result['turns']} turns (end: {result['end']}): {winners} {verb}"]
    return "\n".join(lines)
