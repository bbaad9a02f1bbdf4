"""The public Python face of fairdeal: what a notebook needs, under one name. README.md shows it at work.

The functions take the words that the command line takes: names of games and bots, a card set's name or folder. Every
error that a user can cause is a `FairdealError`.
"""

from analysis.balance import Balance, analyse
from analysis.studies.balance import BalanceStudy
from analysis.studies.balance import study as balance
from reports.balance import write as write_balance
from simcore.cardset import CardSet
from simcore.cardset import diff as diff_cards
from simcore.cardset import export as export_cards
from simcore.errors import FairdealError, InputError, JobError
from simcore.manifest import version as _version
from simcore.replay import document as replay
from simcore.replay import in_words
from simcore.request import describe_games as games
from simcore.request import load_cards, simulate
from simcore.runlog import Run, open_run

__version__ = _version()

__all__ = [
    "Balance",
    "BalanceStudy",
    "CardSet",
    "FairdealError",
    "InputError",
    "JobError",
    "Run",
    "analyse",
    "balance",
    "diff_cards",
    "export_cards",
    "games",
    "in_words",
    "load_cards",
    "open_run",
    "replay",
    "simulate",
    "write_balance",
]
