"""`fairdeal tune`: a card set that meets its targets, with few edits."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import options
from cli.job import can_go_on, folder_for
from cli.talk import duration, now_and_then, speaker

if TYPE_CHECKING:
    from analysis.studies.tune import Progress, TunePlan

# That of analysis.studies.tune, which is not imported for --help.
CANDIDATES = 200


@click.command(
    epilog=options.examples(
        "fairdeal tune lost-cities --cards my-set --vary cards.Y10.value=5:15 --targets targets.toml",
        "fairdeal tune lost-cities --vary 'cards.*.value=0:15' --vary rules.expedition_cost=10:30:5 --candidates 100",
        "fairdeal tune lost-cities --vary 'cards.*.value=0:15' --bots trained --minutes 30 --out my-tuning --resume",
    )
)
@options.all_of(
    options.game,
    click.option(
        "--vary",
        "words",
        required=True,
        multiple=True,
        metavar="PATH=VALUES",
        help="What may vary, numbers only: TABLE.ROW.COLUMN=LOW:HIGH or =LOW:HIGH:STEP or =1,2,5; * as ROW means every "
        "row; a value of the rules is rules.NAME. Can be given several times. See `fairdeal cards schema`.",
    ),
    options.targets,
    options.cards,
    options.bots(required=False, text="Who plays.  [default: the bots of the targets file, else one of each tier]"),
    options.seats_or_each,
    options.games_count_of("Games per line-up and candidate", "4k, or 200 where a search bot plays"),
    click.option(
        "--candidates",
        type=options.Count(),
        help=f"How many candidates are played at most.  [default: {CANDIDATES}, or with --minutes as many as fit]",
    ),
    click.option(
        "--minutes",
        type=options.Margin(0, min_open=True),
        metavar="MINUTES",
        help="Begin no candidate after so long. What follows (the finalists, on fresh deals) is not counted.",
    ),
    click.option(
        "--retrain/--no-retrain",
        default=None,
        help="Re-train the trained bots on the cards of each finalist, or leave them as they are.  [default: re-train "
        "those that play]",
    ),
    click.option("--workbook", is_flag=True, help="Write the card set that was found as a workbook, too."),
    options.seed,
    options.run_out_in_a_folder,
    options.resume,
    options.threads,
    options.cluster_of(
        "All its machines must see the tuning's folder. The search, and re-training with its games, stay on this "
        "machine."
    ),
    options.as_json,
    options.quiet,
)
@click.pass_context
def tune(
    ctx: click.Context,
    game: str,
    words: tuple[str, ...],
    targets: str | None,
    cards: str | None,
    bots: str | None,
    seats: int | None,
    games: int | None,
    candidates: int | None,
    minutes: float | None,
    retrain: bool | None,
    workbook: bool,
    seed: int,
    out: str | None,
    resume: bool,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Which edit of the cards of GAME meets its targets? Exit status 0 if one does, 1 if not.

    Searches over the values that may vary, on common deals; of edits that meet the targets, few and small ones are
    preferred. The best few are played again on fresh deals, and the best there is judged as by `fairdeal check` on
    deals that chose nothing. The folder holds the card set (`card-set`), the report, and the runs of the finalists.
    """
    from analysis.studies import tune as studies
    from analysis.tune_folder import CARD_SET, REPORT
    from reports import tune as reports

    plan = studies.plan(game, words, targets, bots, games, cards, seats, seed, retrain)
    folder = folder_for(ctx, plan.card_set.game, out, resume)
    tell = speaker(quiet)
    tell(_summary(plan, folder))
    progress = (lambda progress: None) if quiet else now_and_then(_in_words, _in_words)
    with can_go_on(ctx, folder):
        found = studies.result(plan, folder, candidates, minutes, workbook, threads, resume, progress)
        reports.write(found.tuning, folder / REPORT)
    if as_json:
        click.echo(reports.render_json(found.tuning), nl=False)
    else:
        for sentence in found.sentences:
            click.echo(sentence)
    tell(f"Card set: {folder / CARD_SET}")
    return 0 if found.tuning.passed else 1


def _in_words(progress: "Progress") -> str:
    of = "" if progress.of is None else f" of at most {progress.of:,}"
    edits = f"{progress.edits} edit{'' if progress.edits == 1 else 's'}"
    best = f"the best misses by {progress.miss:.3f} margins with {edits}"
    return f"{progress.stage}: {progress.candidates:,}{of} candidates in {duration(progress.seconds)}; {best}"


def _summary(plan: "TunePlan", folder: Path) -> str:
    first = plan.plans[0]
    who = f"{first.game}, card set {plan.card_set.name}, bots {', '.join(plan.bots)}"
    ups = f"{len(first.line_ups)} line-up{'s' if len(first.line_ups) > 1 else ''} of {plan.games:,} games"
    count = len(plan.axes)
    what = f"{count} value{'s' if count > 1 else ''} may vary, each candidate plays {ups}, seed {first.seed}"
    return "\n".join([*plan.card_set.notices, f"{who}: {what}, into {folder}"])
