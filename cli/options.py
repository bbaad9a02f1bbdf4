"""Flags and arguments that mean the same in every command, their types, and how a shell completes them."""

import math
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from simcore.errors import FairdealError
from simcore.places import SIGN

if TYPE_CHECKING:
    from simcore.plan import LogLevel

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

# Those of simcore.plan, which is not imported for --help.
LOG_LEVELS: tuple["LogLevel", ...] = ("games", "cards", "moves")
MULTIPLES = {"": 1, "k": 10**3, "m": 10**6}
LONGEST_COUNT = 100  # letters


class Count(click.ParamType[int]):
    """A whole number of at least 1, with the usual short forms: 50_000, 200k, 5M, 1.5M."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that the text means."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:_\d+)*)(?:\.(\d+))?([km]?)", value.strip(), re.ASCII | re.IGNORECASE)
        if match is None or len(value) > LONGEST_COUNT:
            raise click.BadParameter(
                f"{value!r} is not a count. Allowed: a whole number as in 5000, 50_000, 200k, 5M.", ctx, param
            )
        whole, decimals, unit = match[1].replace("_", ""), match[2] or "", match[3].lower()
        number: int
        number, rest = divmod(int(whole + decimals) * MULTIPLES[unit], 10 ** len(decimals))
        if rest or number < 1:
            raise click.BadParameter(f"{value!r} is not a whole number of at least 1.", ctx, param)
        return number


class Margin(click.FloatRange):
    """A number in a range that is open below: nan and inf lie in no range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that the text means."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            raise click.BadParameter(f"{number} is no number in the range {self._describe_range()}.", ctx, param)
        return number


class Folder(click.Path):
    """A folder to write, or where `stores` allows that the address of one in a store, as s3://bucket/run. A blank name
    (an unset variable of a shell) is not taken for the folder where one is.
    """

    def __init__(self, stores: bool = True) -> None:
        super().__init__(file_okay=False)
        self.stores = stores

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as it was given."""
        if not str(value).strip():
            raise click.BadParameter("the name is blank. Allowed: a folder, as in my-run.", ctx, param)
        protocol, sign, rest = str(value).partition(SIGN)
        if sign and not (protocol and rest.strip("/")):
            raise click.BadParameter(f"{value} names no place in a store, as s3://bucket/my-run does.", ctx, param)
        if sign and not self.stores:
            raise click.BadParameter(f"{value} is an address, and this command writes to folders only.", ctx, param)
        return super().convert(value, param, ctx)


# --- Completion ------------------------------------------------------------------------------------------------------


def _items(names: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=text) for name, text in names if name.startswith(incomplete)]


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of games."""
    from simcore import game

    return _items(((name, "") for name in game.names()), incomplete)


def _game_of(ctx: click.Context) -> str:
    """The game on an unfinished command line; while a flag still lacks its value, click has not told words apart."""
    name: str | None = ctx.params.get("game")
    return name or next(iter(ctx.args), "")


def complete_bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of bots of the game on the command line; after a comma, those that are not named yet."""
    from simcore import bots

    named, comma, last = incomplete.rpartition(",")
    try:
        known = bots.available(_game_of(ctx))
    except FairdealError:
        return []
    return [
        CompletionItem(named + comma + bot.name, help=bot.text)
        for bot in known
        if bot.name.startswith(last) and bot.name not in named.split(",")
    ]


def complete_cards(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of shipped card sets of the game on the command line; files and folders, where no name begins like that."""
    from simcore import game, request

    try:
        names = request.card_set_names(game.get(_game_of(ctx)))
    except FairdealError:
        names = []
    return _items(((name, "") for name in names), incomplete) or [CompletionItem(incomplete, type="file")]


def complete_denied(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Groups, then cards, that the game on the command line can deny in its first card set."""
    from analysis.studies.access import names_of
    from simcore import game, request

    try:
        declared = game.get(_game_of(ctx))
        found = declared.interventions(request.load_cards(declared.name), max(declared.seats))
    except FairdealError:
        return []
    groups = [(one.group, "group") for one in found]
    return _items(dict([*groups, *((names_of(one)[0], one.label) for one in found)]).items(), incomplete)


# --- Arguments and flags ---------------------------------------------------------------------------------------------


def games_count_of(what: str, default: str) -> Decorator:
    """The flag --games of a command whose default is another than that of `games_count`."""
    return click.option(
        "--games",
        type=Count(),
        help=f"{what}, rounded up so that each deal is played with the bots in all seats; 50_000, 200k and 5M are "
        f"understood.  [default: {default}]",
    )


def _seats(text: str) -> Decorator:
    return click.option("--seats", type=int, metavar="NUMBER", help=text)


game = click.argument("game", shell_complete=complete_game)
run = click.argument("run", type=click.Path())
seats = _seats("How many play; needed only where the game allows several.")
seats_or_each = _seats("How many play.  [default: each number that the game allows, one after the other]")
seats_to_play = _seats("How many play, you included.  [default: the fewest that the game allows]")
seed = click.option(
    "--seed",
    type=int,
    metavar="NUMBER",
    default=0,
    show_default=True,
    help="Names the luck of all deals: the same seed plays the same games again.",
)
threads = click.option("--threads", type=Count(), help="How many processor cores work.  [default: all]")


def _played_by_cluster(ctx: click.Context, param: click.Parameter, address: str | None) -> None:
    """Until the command ends, what it plays is played by the cluster."""
    if address and not ctx.resilient_parsing:
        from simcore.cluster import cluster

        ctx.with_resource(cluster(address))


def cluster_of(condition: str) -> Decorator:
    """The flag --cluster of a command that plays on a cluster on some condition, or plays a part of its games there."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        expose_value=False,
        callback=_played_by_cluster,
        help=f"Play on the Dask cluster whose scheduler has this address, as tcp://host:8786. {condition}",
    )


cluster = cluster_of("All its machines must see the run's folder.")
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print the whole result as JSON, for programs, instead of sentences."
)
quiet = click.option("--quiet", "-q", is_flag=True, help="Say nothing but results and errors.")
resume = click.option("--resume", is_flag=True, help="Go on with the run that --out holds, where it was stopped.")


def _run_out(stores: bool) -> Decorator:
    return click.option(
        "--out", type=Folder(stores), help="The run's folder, new or empty.  [default: fairdeal-runs/GAME-TIME]"
    )


run_out, run_out_in_a_folder = _run_out(True), _run_out(False)
report_out = click.option("--out", type=Folder(), help="The report's folder.  [default: fairdeal-runs/GAME-TIME]")
part = click.option(
    "--part",
    metavar="NUMBER/PARTS",
    help="Play only this part of the deals, as in 2/5, so that several machines play one plan; see fairdeal merge.",
)
games_count = games_count_of(
    "Games per line-up (a bot against itself, or one against another)", "200k, or 2k where a search bot plays"
)
cards = click.option(
    "--cards",
    metavar="SET",
    shell_complete=complete_cards,
    help="The card set: a shipped one's name, a workbook or a folder.  "
    "[default: the game's first, see `fairdeal games`]",
)
targets = click.option(
    "--targets",
    type=click.Path(),
    metavar="FILE",
    help="What the card set is to be, as TOML; see README.  [default: what is stated for the game's standard set]",
)
log = click.option(
    "--log",
    type=click.Choice(LOG_LEVELS),
    default="cards",
    show_default=True,
    help="How much is kept: scores only; what became of each card, too; every decision, too.",
)
formats = click.option(
    "--format",
    "formats",
    type=click.Choice(["html", "json", "md"]),
    multiple=True,
    help="What to write; can be given several times.  [default: all three]",
)
margins = (
    click.option(
        "--margin-points",
        type=Margin(0, min_open=True),
        default=1.0,
        show_default=True,
        metavar="POINTS",
        help="Your margin: up to so many points of score, a difference does not matter.",
    ),
    click.option(
        "--margin-share",
        type=Margin(0, 1, min_open=True),
        default=0.01,
        show_default=True,
        metavar="SHARE",
        help="The same for shares of the wins; 0.01 is one percentage point.",
    ),
)


def bots(required: bool, text: str) -> Decorator:
    """The flag --bots."""
    return click.option("--bots", required=required, metavar="NAME,NAME,...", shell_complete=complete_bots, help=text)


def examples(*lines: str) -> str:
    """The last part of a command's help: examples, one a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def all_of(*decorators: Decorator) -> Decorator:
    """Several arguments and flags as one decorator; help shows them in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate
