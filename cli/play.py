"""`fairdeal play`: a game at the terminal, a person against bots."""

import re
import secrets
import sys
import threading
from typing import TYPE_CHECKING

import click

from cli import options
from cli.talk import say

if TYPE_CHECKING:
    from simcore.bots import Bot
    from simcore.sitting import Saved, Sitting

DEALS = 1_000_000
PATIENCE = 2.0  # seconds of silence while a game is compiled
COMMANDS = (
    ("1, 2, ...", "choose the option with this number"),
    ("u", "undo: back to your decision before this one"),
    ("h", "a hint: what {adviser} would do here"),
    ("p", "the position once more"),
    ("q", "quit"),
    ("?", "this help"),
)
BE = {"is": "are", "does": "do", "has": "have"}


@click.command(
    epilog=options.examples(
        "fairdeal play lost-cities",
        "fairdeal play valletta --seats 3 --seat 1 --against greedy",
        "fairdeal play lost-cities --seed 1 --deal 7",
        "fairdeal play vaalbara --seats 3 --against expert,linear",
    )
)
@options.game
@click.option(
    "--against",
    metavar="BOT[,BOT...]",
    shell_complete=options.complete_bots,
    help="Who plays the other seats: one bot, or one for each of them.  [default: the game's expert]",
)
@options.seats_to_play
@click.option("--seat", type=int, default=0, show_default=True, metavar="NUMBER", help="Your seat, counted from 0.")
@options.cards
@options.seed
@click.option(
    "--deal", type=int, metavar="NUMBER", help="The deal of this seed.  [default: one drawn at random, which is told]"
)
def play(
    game: str, against: str | None, seats: int | None, seat: int, cards: str | None, seed: int, deal: int | None
) -> None:
    """Play GAME at the terminal, against bots.

    You are shown what your seat may see, in words, and choose by number; `?` tells the other commands, undo among
    them. What to type can also come from a file or a pipe.
    """
    from simcore import game as games
    from simcore import request
    from simcore.errors import InputError
    from simcore.sitting import Sitting

    declared = games.get(game)
    places = request.seats_of(declared, declared.seats[0] if seats is None else seats)
    card_set = request.load_cards(game, cards)
    if seat not in range(places):
        raise InputError(f"--seat {seat}: the seats of this table are 0 to {places - 1}.")
    if deal is not None and deal < 0:
        raise InputError(f"--deal {deal}: deals are counted from 0.")
    adviser = _expert(game)
    others = request.opponents(game, adviser.name if against is None else against, places - 1)
    line_up = [*others[:seat], adviser.name, *others[seat:]]
    chosen = secrets.randbelow(DEALS) if deal is None else deal
    click.echo(f"{declared.title}, card set {card_set.name}. You are seat {seat}; the others:")
    for other, name in enumerate(line_up):
        if other != seat:
            click.echo(f"  seat {other}: {name}")
    click.echo(f"To play this game again: --seed {seed} --deal {chosen}. `?` tells what you can type.")
    soon = threading.Timer(PATIENCE, say, ["Getting ready (the first start on a machine compiles the game)."])
    soon.start()
    try:
        sitting = Sitting(game, card_set, line_up, seed)
    finally:
        soon.cancel()
    sitting.begin(chosen)
    Conversation(sitting, seat, line_up).hold()


def _expert(game: str) -> "Bot":
    """The first bot of the expert tier; where a game has none, the strongest that does not search."""
    from simcore import bots

    known = [bot for bot in bots.available(game) if not bot.playouts]
    return next((bot for bot in known if bot.tier == "expert"), known[-1])


class Conversation:
    """One game with one person, on stdin and stdout."""

    def __init__(self, sitting: "Sitting", seat: int, line_up: list[str]) -> None:
        self.sitting = sitting
        self.seat = seat
        self.line_up = line_up
        self._before: list[Saved] = []  # the own decisions so far
        self._heard = 0  # sentences that have been shown
        self._looked = False  # whether the position has been shown since others decided

    def hold(self) -> None:
        """Play until the game is over or the person leaves."""
        while True:
            menu = self._next_choice()
            self._show_news()
            if not menu:
                self._show_result()
                return
            if not self._looked:
                self._show_position()
            if not self._ask(menu):
                click.echo("You leave the game here.")
                return

    def _next_choice(self) -> dict[str, int]:
        """Let the others, and who has no choice, decide. The person's options in words, none when the game is over."""
        sitting = self.sitting
        while sitting.actor >= 0:
            if sitting.actor == self.seat:
                menu: dict[str, int] = {}
                for action, text in sitting.sentences().items():
                    menu.setdefault(self._option(text), action)  # equal cards are one option
                if len(menu) > 1:
                    return menu
                sitting.act(next(iter(menu.values())))
            else:
                sitting.let_bot_decide()
                self._looked = False
        return {}

    def _option(self, text: str) -> str:
        """An option as it stands in the menu: "draw from the deck"."""
        return addressed(text, self.seat).removeprefix("you ")

    def _ask(self, menu: dict[str, int]) -> bool:
        """Ask until a decision is taken, or taken back; False where the person leaves."""
        texts = list(menu)
        for number, text in enumerate(texts, 1):
            click.echo(f"{number:>3}  {text}")
        while True:
            word = _read()
            if word is None or word == "q":
                return False
            if word.isdecimal() and 1 <= int(word) <= len(texts):
                self._before.append(self.sitting.save())
                self.sitting.act(menu[texts[int(word) - 1]])
                return True
            if word == "u" and self._before:
                self._undo()
                return True
            self._answer(word, menu)

    def _answer(self, word: str, menu: dict[str, int]) -> None:
        """What changes nothing."""
        if word == "u":
            click.echo("This is your first decision: there is nothing to undo.")
        elif word == "h":
            action = self.sitting.advice()
            advised = self._option(self.sitting.sentences()[action])
            click.echo(f"{self.line_up[self.seat]} advises: {advised} ({list(menu).index(advised) + 1})")
        elif word == "p":
            self._show_position()
        elif word == "?":
            self._help()
        else:
            click.echo(f"{word!r} is not understood: a number from 1 to {len(menu)}, or u, h, p, q, ?.")

    def _undo(self) -> None:
        self.sitting.restore(self._before.pop())
        self._heard = len(self.sitting.told(self.seat))
        self._looked = False
        click.echo("Back to your decision before:")

    def _help(self) -> None:
        for key, text in COMMANDS:
            click.echo(f"  {key:<10} {text.format(adviser=self.line_up[self.seat])}")
        click.echo(f"All cards and numbers of the rules: fairdeal cards show {self.sitting.game.name}")

    def _show_news(self) -> None:
        told = self.sitting.told(self.seat)
        for text in told[self._heard :]:
            click.echo(f"- {addressed(text, self.seat)}")
        self._heard = len(told)

    def _show_position(self) -> None:
        click.echo()
        for line in self.sitting.position(self.seat):
            click.echo(line)
        self._looked = True

    def _show_result(self) -> None:
        points, winners = self.sitting.points, self.sitting.winners
        named = [f"seat {seat} ({name})" for seat, name in enumerate(self.line_up)]
        named[self.seat] = "you"
        scores = ", ".join(f"{name} {score}" for name, score in zip(named, points, strict=True))
        click.echo(f"\nThe game is over. {self.sitting.game.score_unit.capitalize()}: {scores}.")
        verb = "win" if len(winners) == 1 and winners[0] == self.seat else "wins"
        if len(winners) > 1:
            verb = "share the win"
        who = " and ".join(named[seat] for seat in winners)
        click.echo(f"{who[0].upper()}{who[1:]} {verb}.")


def _read() -> str | None:
    """The next word that is typed, None at the end of the input. What a pipe gives is shown, as a terminal would."""
    click.echo("> ", nl=False)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        click.echo(line.strip())
    elif not line:
        click.echo()
    return line.strip().lower() if line else None


# --- Addressing the person -------------------------------------------------------------------------------------------


def addressed(text: str, seat: int) -> str:
    """A sentence about seats as one of them is told it: "seat 0 draws a card" is "you draw a card"."""
    text = text.replace(f"the turn of seat {seat} ", "your turn ")
    subject = f"seat {seat} "
    if text.startswith(subject):
        verb, _, rest = text.removeprefix(subject).partition(" ")
        rest = re.sub(r"\bits\b", "your", rest)
        if verb == "neither":
            rest = re.sub(r"\w+", lambda word: _plain(word[0]), rest, count=3)  # "dismisses nor hires"
        text = f"you {_plain(verb)} {rest}".rstrip()
    return re.sub(rf"\bseat {seat}\b", "you", text)


def _plain(verb: str) -> str:
    """The verb after "you": "draws" is "draw"."""
    if verb in BE or not verb.endswith("s"):
        return BE.get(verb, verb)
    return verb[:-2] if verb.endswith(("sses", "ches", "shes", "xes")) else verb[:-1]
