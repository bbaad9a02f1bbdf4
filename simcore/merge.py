"""Making one run of runs that hold different shards of one plan: the parts that several machines have played.

The merged run is the run that one machine would have played: the same files, byte for byte, and the same lines in
shards.jsonl, here in the order of the shards. Every file is compared with its checksum on the way.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from simcore import cardset, runlog
from simcore import game as games
from simcore import manifest as manifests
from simcore.batch import Progress
from simcore.errors import InputError
from simcore.places import place
from simcore.plan import Plan
from simcore.runlog import Run

MOST_NAMED = 5  # ranges of shards in a message


def merge(
    runs: Sequence[str | Path],
    out: str | Path,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Copy the shards of runs of one plan into the run folder `out`, and return that run. Each may lie in a store.

    It may have gaps: resuming the plan's job there plays them. The runs stay as they are.
    resume: go on with the run that `out` may hold: shards that are there already are not copied again.
    progress: called at the start and after each shard; its games are those of all the runs.

    Raises InputError where the runs are not of one plan (what differs is named), hold the same shards, are damaged, or
    were ended before their plan, and as `simcore.runlog.writing` does; JobError where the disk fails. After any of
    these and after a kill, `resume` goes on.
    """
    opened = _opened([place(run) for run in runs], place(out))
    first = opened[0]
    with first.card_set_folder as folder:
        plan = first.plan(cardset.load(games.get(first.manifest["game"]).schema, folder))
    _refuse_overlaps(opened, plan)
    homes = sorted((number, run) for run in opened for number in run.shards)
    with runlog.writing(out, plan, first.manifest, resume) as writer:
        _copy(plan, dict(homes), writer, progress or _silent)
    return runlog.open_run(out, checksums=False)


def missing(run: Run) -> str:
    """The shards of the plan that a run does not hold, in words: "shards 3 to 7 and 12", or nothing."""
    return _in_words(set(range(manifests.cut(run.manifest).shards)) - run.shards.keys())


def _silent(_: Progress) -> None:
    pass


def _opened(paths: Sequence[Path], out: Path) -> list[Run]:
    """The runs, which are of one plan, unlike each other and `out`, and not ended before it."""
    if not paths:
        raise InputError("name the runs that are to be merged.")
    resolved = [path.resolve() for path in paths]
    for path, its_place in zip(paths, resolved, strict=True):
        if resolved.count(its_place) > 1:
            raise InputError(f"{path} is named twice. Name each run once.")
        if its_place == out.resolve():
            raise InputError(f"{path} cannot be merged into itself. Choose another folder for the merged run.")
    runs = [runlog.open_run(path, checksums=False) for path in paths]
    for run in runs:
        if run.stopped is not None:
            raise InputError(
                f"{run.path} was ended after {run.stopped.blocks:,} deals of each line-up ({run.stopped.why}), so it "
                "is complete as it stands and no part of a larger run. Leave it out."
            )
        differences = manifests.differences(runs[0].manifest, run.manifest, (str(runs[0].path), str(run.path)))
        if differences:
            raise InputError(
                f"{runs[0].path} and {run.path} are not of one plan, so they cannot be merged. What differs: "
                f"{'; '.join(differences)}."
            )
    return runs


def _refuse_overlaps(runs: Sequence[Run], plan: Plan) -> None:
    for at, run in enumerate(runs):
        for other in runs[at + 1 :]:
            both = run.shards.keys() & other.shards.keys()
            if both:
                raise InputError(
                    f"{run.path} and {other.path} both hold {_in_words(both)}, so they are not different parts of one "
                    f"plan. The first is {plan.shard(min(both))}. Leave one of them out, or play other parts (--part)."
                )


def _copy(plan: Plan, homes: dict[int, Run], writer: runlog.Writer, progress: Callable[[Progress], None]) -> None:
    """Copy each shard from the run that holds it, unless it is there."""
    begin = time.perf_counter()
    total = sum(plan.shard(number).games for number in homes)
    played = sum(plan.shard(number).games for number in homes if number in writer.finished)
    new = 0
    progress(Progress(played, total, new, 0.0))
    for number, run in homes.items():
        if number not in writer.finished:
            shard = plan.shard(number)
            new += writer.write([(shard, runlog.read_parts(run, number))])
            progress(Progress(played + new, total, new, time.perf_counter() - begin))


def _in_words(shards: set[int]) -> str:
    """Numbers of shards as ranges: "shards 3 to 7 and 12"."""
    ranges: list[list[int]] = []
    for number in sorted(shards):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    words = [str(first) if first == last else f"{first} to {last}" for first, last in ranges]
    if len(words) > MOST_NAMED:
        words = [*words[:MOST_NAMED], f"{len(words) - MOST_NAMED} more ranges"]
    head = ", ".join(words[:-1])
    return f"shard{'s' if len(shards) > 1 else ''} {f'{head} and {words[-1]}' if head else words[-1]}" if words else ""
