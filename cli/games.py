"""`fairdeal games`: what can be played."""

import json
import sys
from typing import Any

import click

from cli import options


@click.command(epilog=options.examples("fairdeal games", "fairdeal games --format json"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="For people or for programs.",
)
def games(form: str) -> None:
    """Show what can be played: games, seats, card sets and bots.

    The first card set is the one that is played without --cards. In a pipe the table is plain: a line a
    game, tabs between the columns.
    """
    from simcore import request

    found = request.describe_games()
    if form == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    elif sys.stdout.isatty():
        _show(found)
    else:
        click.echo("\t".join(["game", "title", "seats", "card sets", "bots"]))
        for game in found:
            click.echo("\t".join(_cells(game)))


def _cells(game: dict[str, Any]) -> list[str]:
    bots = ",".join(bot["name"] for bot in game["bots"])
    return [game["name"], game["title"], ",".join(map(str, game["seats"])), ",".join(game["card_sets"]), bots]


def _show(games: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    for game in games:
        table = Table(box=box.SIMPLE_HEAD, title_justify="left")
        table.title = f"[bold]{escape(game['name'])}[/bold] ({escape(game['title'])})"
        for column in ("bot", "tier", "what it does"):
            table.add_column(column, overflow="fold")
        for bot in game["bots"]:
            table.add_row(*(escape(bot[key]) for key in ("name", "tier", "text")))
        console.print(table)
        console.print(f"  seats: {', '.join(map(str, game['seats']))}; card sets: {', '.join(game['card_sets'])}\n")
