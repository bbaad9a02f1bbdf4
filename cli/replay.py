"""`fairdeal replay`: one game of a run, move by move."""

import json

import click

from cli import options


@click.command(
    epilog=options.examples(
        "fairdeal replay my-run", "fairdeal replay my-run 123", "fairdeal replay my-run 123 --json > game-123.json"
    )
)
@options.run
@click.argument("number", metavar="[GAME_NUMBER]", type=int, required=False)
@options.bots(required=False, text="Bots of the run that come from files of yours; the files are run.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON document for programs (format fairdeal-replay/1).")
def replay(run: str, number: int | None, bots: str | None, as_json: bool) -> None:
    """Tell one game of a run, move by move.

    Games of the run in the folder RUN are numbered from 0; without a GAME_NUMBER, this says which numbers are whose
    games. The game is played again from the run's seed; the run needs no log of moves.
    """
    from simcore import bots as bot_registry
    from simcore import replay as replays
    from simcore import request, runlog

    opened = runlog.open_run(run, checksums=False)  # the replay itself is held against the log
    for name in request.split_names(bots) if bots else ():
        bot_registry.admit(opened.manifest["game"], name)
    if number is None:
        from analysis.blocks import line_ups

        played = opened.blocks * opened.manifest["seats"]
        for line_up in line_ups(opened.manifest):
            first = line_up.index * opened.manifest["games_per_line_up"]
            click.echo(f"{first} to {first + played - 1}: {line_up}")
        return
    document = replays.document(opened, number)
    if as_json:
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        click.echo(replays.in_words(document))
