"""The public Python face of fairdeal: what a notebook needs, under one name. README.md shows it at work.

The functions take the words that the command line takes: names of games and bots, a card set's name or path. Every
error that a user can cause is a `FairdealError`.
"""

from analysis.access import Access
from analysis.answer import Answer
from analysis.balance import Balance, analyse
from analysis.check import Check
from analysis.exploit import Exploit
from analysis.ladder import Ladder
from analysis.ladder import analyse as analyse_ladder
from analysis.ladder_folder import open_ladder
from analysis.log import Log, load
from analysis.planning import Planning
from analysis.strategy import Strategy
from analysis.strategy import analyse as analyse_strategy
from analysis.studies.access import study as access
from analysis.studies.balance import BalanceStudy
from analysis.studies.balance import study as balance
from analysis.studies.balance import study_by_seats as balance_by_seats
from analysis.studies.check import CheckStudy
from analysis.studies.check import study as check
from analysis.studies.check import study_runs as check_runs
from analysis.studies.compare import ComparisonStudy
from analysis.studies.compare import between as compare_runs
from analysis.studies.compare import study as compare
from analysis.studies.compare import study_by_seats as compare_by_seats
from analysis.studies.exploit import ExploitStudy
from analysis.studies.exploit import study as exploit
from analysis.studies.ladder import LadderStudy
from analysis.studies.ladder import study as ladder
from analysis.studies.plan import study as plan
from analysis.studies.sweep import SweepStudy
from analysis.studies.sweep import study as sweep
from analysis.studies.teach import Teaching
from analysis.studies.teach import study as teach
from analysis.studies.train import Training
from analysis.studies.train import study as train
from analysis.studies.trend import study as trend
from analysis.studies.tune import TuneStudy
from analysis.studies.tune import study as tune
from analysis.sweep import Sweep
from analysis.sweep import analyse as analyse_sweep
from analysis.sweep_folder import open_sweep
from analysis.trend import Trend
from analysis.tune import Tuning
from reports import tables
from reports.access import write as write_access
from reports.balance import write as write_balance
from reports.by_seats import BySeats
from reports.by_seats import write as write_by_seats
from reports.check import render as render_check
from reports.comparison import write as write_comparison
from reports.exploit import write as write_exploit
from reports.ladder import write as write_ladder
from reports.plan import render as render_plan
from reports.strategy import write as write_strategy
from reports.sweep import write as write_sweep
from reports.trend import write as write_trend
from reports.tune import write as write_tune
from simcore.bots import bot
from simcore.cardset import CardSet
from simcore.cardset import diff as diff_cards
from simcore.cardset import export as export_cards
from simcore.cardset import in_words as cards_in_words
from simcore.cluster import cluster
from simcore.environment import env, observation_names
from simcore.errors import FairdealError, InputError, JobError
from simcore.manifest import version as _version
from simcore.merge import merge
from simcore.replay import document as replay
from simcore.replay import in_words
from simcore.request import describe_games as games
from simcore.request import load_cards, simulate
from simcore.runlog import Run, open_run

__version__ = _version()

__all__ = [
    "Access",
    "Answer",
    "Balance",
    "BalanceStudy",
    "BySeats",
    "CardSet",
    "Check",
    "CheckStudy",
    "ComparisonStudy",
    "Exploit",
    "ExploitStudy",
    "FairdealError",
    "InputError",
    "JobError",
    "Ladder",
    "LadderStudy",
    "Log",
    "Planning",
    "Run",
    "Strategy",
    "Sweep",
    "SweepStudy",
    "Teaching",
    "Training",
    "Trend",
    "TuneStudy",
    "Tuning",
    "access",
    "analyse",
    "analyse_ladder",
    "analyse_strategy",
    "analyse_sweep",
    "balance",
    "balance_by_seats",
    "bot",
    "cards_in_words",
    "check",
    "check_runs",
    "cluster",
    "compare",
    "compare_by_seats",
    "compare_runs",
    "diff_cards",
    "env",
    "exploit",
    "export_cards",
    "games",
    "in_words",
    "ladder",
    "load",
    "load_cards",
    "merge",
    "observation_names",
    "open_ladder",
    "open_run",
    "open_sweep",
    "plan",
    "render_check",
    "render_plan",
    "replay",
    "simulate",
    "sweep",
    "tables",
    "teach",
    "train",
    "trend",
    "tune",
    "write_access",
    "write_balance",
    "write_by_seats",
    "write_comparison",
    "write_exploit",
    "write_ladder",
    "write_strategy",
    "write_sweep",
    "write_trend",
    "write_tune",
]
