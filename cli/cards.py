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
        "fairdeal cards export lost-cities my-set.xlsx",
        "fairdeal cards check lost-cities my-set.xlsx",
        "fairdeal cards diff lost-cities base my-set.xlsx",
    )
)
def cards() -> None:
    """Card sets as files: export, check, show, compare.

    A card set is a workbook (.xlsx or .ods) with every number of the rules in the sheet `rules` and a sheet for
    each table of cards; or a folder with rules.toml and a CSV file for each table.
    """


def _card_set(name: str, required: bool = True) -> options.Decorator:
    metavar = name.upper() if required else f"[{name.upper()}]"
    return click.argument(name, metavar=metavar, required=required, shell_complete=options.complete_cards)


@cards.command(
    epilog=options.examples(
        "fairdeal cards export lost-cities my-set.xlsx",
        'fairdeal cards export lost-cities long my-folder --name "my long game"',
    )
)
@options.game
@click.argument("set_and_out", metavar="[SET] OUT", nargs=-1, required=True, shell_complete=options.complete_cards)
@click.option("--name", help="A name of its own for the copy.  [default: the set's]")
@options.quiet
@click.pass_context
def export(ctx: click.Context, game: str, set_and_out: tuple[str, ...], name: str | None, quiet: bool) -> None:
    """Write a card set as files, to be edited.

    OUT is a new workbook, where it ends in .xlsx or .ods, else a folder, new or empty. Without SET, the game's
    first card set is written.
    """
    from simcore import cardset
    from simcore import game as games

    *sets, out = set_and_out
    if len(sets) > 1:
        raise click.UsageError(f"too many words: {' '.join(set_and_out)}. Give a card set and where to write it.", ctx)
    if not sets and out in games.get(game).schema.shipped:
        raise click.UsageError(f"say where to write the card set {out}, as in {out} my-set.xlsx.", ctx)
    cardset.export(_load(game, sets[0] if sets else None, quiet), out, name)
    click.echo(Path(out))


@cards.command(epilog=options.examples("fairdeal cards check lost-cities my-set.xlsx"))
@options.game
@_card_set("set")
@options.quiet
def check(game: str, set: str, quiet: bool) -> None:
    """Check a card set, and list everything that is wrong with it."""
    from simcore import cardset

    found = _load(game, set, quiet)
    click.echo(f"{found.name} is a card set of {game} ({cardset.sizes(found)}).")


@cards.command(
    epilog=options.examples("fairdeal cards show lost-cities", "fairdeal cards show lost-cities my-set.xlsx")
)
@options.game
@_card_set("set", required=False)
@options.quiet
def show(game: str, set: str | None, quiet: bool) -> None:
    """Show what is played with a card set, as Markdown.

    Every rule and every card, as fairdeal has understood them, and the hash that stands in the runs.
    """
    from simcore import cardset

    click.echo(cardset.in_words(_load(game, set, quiet)), nl=False)


@cards.command(epilog=options.examples("fairdeal cards diff lost-cities base my-set.xlsx"))
@options.game
@_card_set("a")
@_card_set("b")
@options.quiet
def diff(game: str, a: str, b: str, quiet: bool) -> None:
    """Say what changes from card set A to card set B.

    A line a change; nothing where both play alike. Names and notes do not count.
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


def _load(game: str, where: str | None, quiet: bool) -> "CardSet":
    from simcore import request

    card_set = request.load_cards(game, where)
    if not quiet:
        for notice in card_set.notices:
            say(notice)
    return card_set
