"""The command `fairdeal`."""

import click


@click.group()
def main() -> None:
    """Tell whether a card game is fair, and which cards and strategies break it."""
