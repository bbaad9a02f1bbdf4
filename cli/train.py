"""`fairdeal train`: fit a bot's weights by self-play."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import fit, options
from cli.job import can_go_on
from cli.talk import speaker

if TYPE_CHECKING:
    from analysis.studies.train import TrainingPlan
    from strategies.court import Goal


@click.command(
    epilog=options.examples(
        "fairdeal train lost-cities --cards my-set --minutes 8 --out mine.toml",
        "fairdeal train valletta --seats 3 --against greedy,rush --held-out expert",
        "fairdeal train lost-cities --bot expert --goal wins --generations 200 --out mine.toml --resume",
    )
)
@options.all_of(
    options.game,
    click.option(
        "--bot",
        default="linear",
        show_default=True,
        shell_complete=options.complete_bots,
        help="Whose weights are fitted: a bot with weights, or a weights file to start from.",
    ),
    options.cards,
    fit.seats("; needed only where the game allows several."),
    click.option(
        "--against",
        metavar="NAME,NAME,...",
        shell_complete=options.complete_bots,
        help="The bots of the league, beside earlier states of the fit.  [default: the first simple, expert and "
        "trained bot, but the weakest]",
    ),
    click.option(
        "--held-out",
        metavar="NAME",
        shell_complete=options.complete_bots,
        help="The bot that never plays in the league, by which the result is measured.  [default: the weakest left]",
    ),
    click.option(
        "--goal",
        type=click.Choice(["points", "wins"]),
        default="points",
        show_default=True,
        help="What is raised: the margin in points, or the share of wins.",
    ),
    click.option(
        "--imitate",
        metavar="NAME",
        shell_complete=options.complete_bots,
        help="Start from the weights that explain this bot's choices best.",
    ),
    *fit.search,
    options.games_count_of("Games against each opponent by which the result is measured", "10k"),
    options.seed,
    fit.weights_out,
    fit.resume,
    options.threads,
    options.quiet,
)
@click.pass_context
def train(
    ctx: click.Context,
    game: str,
    bot: str,
    cards: str | None,
    seats: tuple[int, ...],
    against: str | None,
    held_out: str | None,
    goal: "Goal",
    imitate: str | None,
    generations: int | None,
    minutes: float | None,
    population: int,
    deals: int,
    step: float,
    games: int | None,
    seed: int,
    weights: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Fit the weights of a bot of GAME to its card set.

    After an edit of the cards, bots that were fitted to the old ones may play the new ones badly. This fits a bot anew:
    it plays against a league of bots and against its own earlier states, keeps what scores more, and in the end says
    how strong it is on deals that it has not seen, against an opponent that it has not met too. The weights file that
    it writes can be named wherever a bot is named. All is played on this machine. Ctrl-C stops it without loss
    (--resume).
    """
    from analysis.studies import train as studies

    measured = games or studies.GAMES
    made = studies.plan(
        game, bot, seats or None, cards, against, held_out, goal, imitate, population, deals, step, measured, seed
    )
    path = fit.file_for(ctx, made.settings.game, weights, resume)
    speaker(quiet)(_summary(made, path))
    with can_go_on(ctx, path), fit.showing_progress(quiet) as show:
        found = studies.result(made, fit.generations_of(generations, minutes), minutes, path, resume, threads, show)
    for sentence in found.sentences:
        click.echo(sentence)
    click.echo(f"Weights: {path}")


def _summary(made: "TrainingPlan", path: Path) -> str:
    settings = made.settings
    seats = ", ".join(map(str, settings.seats))
    who = f"{settings.game}, card set {settings.card_set.name}, {seats} seats"
    what = f"fitting {settings.bot}, seed {settings.seed}, into {path}"
    league = ", ".join([*settings.against, "earlier states of the fit"])
    apart = made.held_out or "nobody"
    return "\n".join([*settings.card_set.notices, f"{who}: {what}", f"League: {league}. Held out: {apart}."])
