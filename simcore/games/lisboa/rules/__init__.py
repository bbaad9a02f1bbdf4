"""Lisboa: the rules as kernels, a module a section of rules.md."""

from simcore import game
from simcore.games.lisboa.rules.driver import apply, legal
from simcore.games.lisboa.rules.scoring import score
from simcore.games.lisboa.rules.setup import setup
from simcore.games.lisboa.state import PUBLIC, STATE

game.implement(setup=(STATE, setup), legal=(PUBLIC, legal), apply=(STATE, apply), score=(PUBLIC, score))
