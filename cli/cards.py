"""`fairdeal cards`: card sets as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import options
from cli.talk import say

if TYPE_CHECKING:
    from simcore.cardset import CardSet


@click.group(
    epilog=options.examples(
        "fairdeal cards export lost-cities base --out my-set",
        "fairdeal cards check lost-cities my-set",
        "fairdeal cards diff lost-cities base my-set",
    )
)
def cards() -> None:
    """Card sets as files: export, check, compare.

    A card set is a folder: rules.toml with every number of the rules, and a CSV file for each table of cards,
    to be edited in a spreadsheet.
    """


def _card_set(name: str) -> options.Decorator:
    return click.argument(name, metavar=name.upper(), shell_complete=options.complete_cards)


@cards.command(epilog=options.examples('fairdeal cards export lost-cities base --out my-set --name "my set"'))
@options.game
@_card_set("set")
@click.option("--out", required=True, type=click.Path(file_okay=False), help="The folder to write, new or empty.")
@click.option("--name", help="A name of its own for the copy.  [default: the set's]")
@options.quiet
def export(game: str, set: str, out: str, name: str | None, quiet: bool) -> None:
    """Write a card set as a folder of files, to be edited."""
    from simcore import cardset

    cardset.export(_load(game, set, quiet), out, name)
    click.echo(Path(out))


@cards.command(epilog=options.examples("fairdeal cards check lost-cities my-set"))
@options.game
@_card_set("set")
@options.quiet
def check(game: str, set: str, quiet: bool) -> None:
    """Check a card set, and list everything that is wrong with it."""
    found = _load(game, set, quiet)
    rows = ", ".join(f"{len(table)} rows in {name}" for name, table in found.tables.items())
    click.echo(f"{found.name} is a card set of {game} ({rows}).")


@cards.command(epilog=options.examples("fairdeal cards diff lost-cities base my-set"))
@options.game
@_card_set("a")
@_card_set("b")
@options.quiet
def diff(game: str, a: str, b: str, quiet: bool) -> None:
    """Say what changes from card set A to card set B.

    A line a change; nothing where both play alike.
    """
    from simcore import cardset

    changes = cardset.diff(_load(game, a, quiet), _load(game, b, quiet))
    for change in changes:
        click.echo(change)
    if not changes and not quiet:
        say("No difference.")


@cards.command(epilog=options.examples("fairdeal cards schema lost-cities > lost-cities-cards.md"))
@options.game
def schema(game: str) -> None:
    """Explain the files of a card set of GAME, as Markdown.

    Every value and column, its unit, and what is allowed.
    """
    from simcore import cardset
    from simcore import game as games

    click.echo(cardset.document(games.get(game).schema), nl=False)


def _load(game: str, where: str, quiet: bool) -> "CardSet":
    from simcore import request

    card_set = request.load_cards(game, where)
    if not quiet:
        for notice in card_set.notices:
            say(notice)
    return card_set
