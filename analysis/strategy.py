"""The strategies of a run: who is best and how sure that is, whether everything has a counter, what each one does
otherwise than the favourite, how much is skill, and how the game feels.

`analyse(run)` gives a `Strategy`, put together from the modules that know the questions (balance, ladder, meta, skill,
feel, exploit). What a run cannot tell is not left out in silence: `Strategy.missing` says what is missing, and which
command would supply it.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis import balance, exploit, feel, ladder, meta, skill, stats, strategy_verdicts
from analysis.balance import Balance, Facts, LineUpBalance
from analysis.blocks import LineUp, line_ups, read_blocks
from analysis.feel import Choices, Kingmaking, Runaway, Spread
from analysis.ladder import Ladder, Match
from analysis.ladder_folder import LadderRuns
from analysis.meta import Meta
from analysis.skill import Skill
from analysis.stats import Estimate
from analysis.strategy_verdicts import command
from analysis.verdicts import Verdict
from simcore.errors import InputError
from simcore.runlog import Run

FORMAT = "fairdeal-strategy-report/1"
RATINGS, META, PROFILES, SKILL, FEEL = "ratings", "meta", "profiles", "luck", "feel"
"""The sections of the page that may miss something."""


@dataclass(frozen=True)
class Missing:
    """A sentence on what a run cannot tell, and which command would supply it; `section` says where it stands."""

    section: str
    text: str


@dataclass(frozen=True)
class Profile:
    """What `bot` does otherwise than `other`, on the same deals: each against itself (`mirrors`), or, where the run has
    no self-play, in the games in which the bot is alone against the other.

    `differences`, the surest of each kind first: kind ("score", "counter", "card", "time"), what, label, event, unit,
    own and other (means a game, or a mean time), value (own minus other), low, high, p, q (Benjamini-Hochberg over
    all of them), flagged (q <= 0.05), n (deals).
    """

    bot: str
    other: str
    mirrors: bool
    differences: pl.DataFrame


@dataclass(frozen=True)
class LineUpFeel:
    """What `analysis.feel` says of a line-up: `runaway` is None for two seats, `choices` are empty and `meaningful` is
    None without a log of moves; the latter also in self-play.
    """

    title: str
    spread: Spread
    runaway: Runaway | None
    choices: tuple[Choices, ...]
    meaningful: Estimate | None


@dataclass(frozen=True)
class Strategy:
    """The strategies of one run.

    `balance` has what is known of each line-up, `ladder` the ratings and match-ups, `meta` the game of choosing a bot,
    `skills` of what the wins and the margins of each pair are made (the stronger bot first; with more than two seats,
    either alone in a field of the other). `favourite` is the bot that is rated highest. `cycle` are three bots of which
    each surely beats the next, all match-ups together with 95 % confidence; None where there are none. `verdicts` are
    the sentences of page one. None and empty is what the run cannot tell; `missing` says why.
    """

    balance: Balance
    ladder: Ladder | None
    meta: Meta | None
    cycle: tuple[str, ...] | None
    profiles: tuple[Profile, ...]
    skills: tuple[Skill, ...]
    feels: tuple[LineUpFeel, ...]
    kingmaking: tuple[Kingmaking, ...]
    missing: tuple[Missing, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def facts(self) -> Facts:
        """What was played and by whom."""
        return self.balance.facts

    @property
    def names(self) -> tuple[str, ...]:
        """The bots, the strongest first."""
        return self.ladder.names if self.ladder else tuple(bot.name for bot in self.facts.bots)

    @property
    def favourite(self) -> str:
        """The bot that is rated highest; without ratings that of page one of a balance report."""
        return self.ladder.names[0] if self.ladder else self.balance.main.bots[0]

    def skill_of(self, bot: str, opponent: str, what: str = "share") -> Skill | None:
        """Of what the results of a bot alone in a field of another are made."""
        wanted = (bot, opponent, what)
        return next((found for found in self.skills if (found.bot, found.opponent, found.what) == wanted), None)

    def lacks(self, section: str) -> tuple[str, ...]:
        """The sentences on what is missing for a section."""
        return tuple(missing.text for missing in self.missing if missing.section == section)

    def to_dict(self) -> dict[str, Any]:
        """The whole result in plain JSON types. Of the balance, what is no card's."""
        rest = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in ("balance", "ladder")}
        kept = ("index", "title", "bots", "tier", "games", "deals", "distinct", "turn_order", "scores", "tempo", "pace")
        content = {
            "facts": self.facts,
            "favourite": self.favourite,
            "ratings": self.ladder and self.ladder.ratings,
            "matches": self.ladder and self.ladder.matches,
            "selves": self.ladder and self.ladder.selves,
            **rest,
            "line_ups": [{name: getattr(result, name) for name in kept} for result in self.balance.line_ups],
        }
        return {"format": FORMAT, **balance.plain_data(content)}


def analyse(run: Run, margin_points: float = 1.0, margin_share: float = 0.01, threads: int | None = None) -> Strategy:
    """Analyse the strategies of a run folder within the designer's margins (points of score; share of the wins).

    Raises InputError where nothing is finished, a margin is not positive, or a file cannot be read.
    """
    found = balance.analyse(run, margin_points, margin_share, threads)
    played = [line_up for line_up in line_ups(run.manifest) if _result(found, line_up) is not None]
    told, missing = _ladder(run, found)
    full = told is not None and _all_met(told)
    enough = _fewest(found) >= stats.FEWEST
    if told is not None and not enough:
        missing += [Missing(section, _few_deals(found)) for section in (META, SKILL)]
    elif told is not None and not full:
        missing.append(Missing(META, _not_all_met(found.facts)))
    profiles, more = _profiles(run, found, told, played)
    made = Strategy(
        balance=found,
        ladder=told,
        meta=meta.meta(meta.read_field([run])) if full and enough else None,
        cycle=_cycle(told) if told else None,
        profiles=profiles,
        skills=_skills(run, told) if told and enough else (),
        feels=tuple(_feel(run, line_up, found.facts.score_unit, threads) for line_up in played),
        kingmaking=_kingmaking(run, told, played),
        missing=(*missing, *more, *_no_moves(run, found.facts)),
        verdicts=(),
    )
    return dataclasses.replace(made, verdicts=strategy_verdicts.page_one(made))


def _result(found: Balance, line_up: LineUp) -> LineUpBalance | None:
    return next((result for result in found.line_ups if result.index == line_up.index), None)


# --- what is missing -------------------------------------------------------------------------------------------------

UNFINISHED = "Finish the run with --resume."


def _one_bot(facts: Facts) -> str:
    bots = facts.bots[0].name
    return (
        f"Only {bots} has played, against itself, so there is nothing to compare it with. "
        f"{command(facts, bots=[bots, 'another'])} plays bots against each other."
        if len(facts.bots) == 1
        else f"No two bots have met yet, so there is nothing to compare. {command(facts)} plays all pairs."
    )


def _not_all_met(facts: Facts) -> str:
    how = f"{command(facts)} plays all pairs." if facts.complete else UNFINISHED
    return f"Not every bot has been alone against every other one, so what the meta would play is not known. {how}"


def _fewest(found: Balance) -> int:
    """The deals of the line-up that has played the fewest."""
    return min(result.deals for result in found.line_ups)


def _few_deals(found: Balance) -> str:
    deals, facts = _fewest(found), found.facts
    how = f"{command(facts, more='--games 20k')} plays more." if facts.complete else UNFINISHED
    return (
        f"{deals} deal{'s do' if deals > 1 else ' does'} not tell how deals differ, so neither what is luck nor how "
        f"sure a meta is. {how}"
    )


def _no_moves(run: Run, facts: Facts) -> tuple[Missing, ...]:
    if "moves" in run.tables:
        return ()
    text = (
        "Which decisions matter, and the median of their options, is not known: the run has no log of moves. "
        f"{command(facts, 'simulate', more='--log moves --games 2k')} writes one."
    )
    return (Missing(FEEL, text),)


# --- ratings and match-ups -------------------------------------------------------------------------------------------


def _ladder(run: Run, found: Balance) -> tuple[Ladder | None, list[Missing]]:
    """The ratings and match-ups of the run, or why there are none."""
    if not any(cell.bot != cell.opponent for cell in found.matchups):
        return None, [Missing(section, _one_bot(found.facts)) for section in (RATINGS, META, SKILL)]
    try:
        return ladder.of_balances(LadderRuns(run.path, {"cheap": run}, {}), {"cheap": found}), []
    except InputError as error:
        # The cause alone: where the folder lies is no part of the result.
        text = str(error.__cause__ or error)
        return None, [Missing(section, text[0].upper() + text[1:]) for section in (RATINGS, META, SKILL)]


def _all_met(told: Ladder) -> bool:
    """Whether every bot was alone against every other one."""
    return all(told.match(*pair) for pair in itertools.permutations(told.names, 2))


def _cycle(told: Ladder) -> tuple[str, ...] | None:
    """Three bots of which each surely beats the next: of several such, those whose narrowest win is the clearest."""
    fair = 1 / told.facts.seats
    alone = [m for m in told.matches if m.alone]
    together = stats.sidak(stats.CONFIDENCE, len(alone))
    sure = {(m.bot, m.opponent): low for m in alone if (low := _low(m, together)) > fair}
    found = [
        (min(sure[a, b], sure[b, c], sure[c, a]), (a, b, c))
        for a, b, c in itertools.permutations(told.names, 3)
        # Of the three ways to name a cycle, the one that begins with the strongest.
        if told.names.index(a) < min(told.names.index(b), told.names.index(c))
        and {(a, b), (b, c), (c, a)} <= sure.keys()
    ]
    return max(found)[1] if found else None


def _low(m: Match, confidence: float) -> float:
    return stats.share_interval(m.share.value, m.share.se, m.share.n, confidence)[0]


# --- profiles --------------------------------------------------------------------------------------------------------


def _profiles(
    run: Run, found: Balance, told: Ladder | None, played: Sequence[LineUp]
) -> tuple[tuple[Profile, ...], list[Missing]]:
    """What each bot does otherwise than the favourite, and what cannot be told of that."""
    if told is None:
        return (), []
    favourite, *others = told.names
    profiles = [profile for name in others if (profile := _profile(run, name, favourite, played)) is not None]
    missing = []
    if len(profiles) < len(others):
        without = [name for name in others if name not in {profile.bot for profile in profiles}]
        said = f"What {', '.join(without)} does otherwise than {favourite} is not known: they have not played alike."
        missing.append(Missing(PROFILES, f"{said} {command(found.facts)} plays each against itself, too."))
    if "cards" not in run.tables:
        how = f"{command(found.facts)} writes one."
        text = f"Which cards each strategy plays, and when, is not known: the run has no log of cards. {how}"
        missing.append(Missing(PROFILES, text))
    return tuple(profiles), missing


def _profile(run: Run, bot: str, favourite: str, played: Sequence[LineUp]) -> Profile | None:
    mirrors = {line_up.names[0]: line_up for line_up in played if line_up.mirror}
    both = [mirrors[name] for name in (bot, favourite) if name in mirrors]
    if len(both) == 2 and _deals(run, both[0]) == _deals(run, both[1]):
        places = [exploit.Place(run, line_up.index) for line_up in both]
        return Profile(bot, favourite, True, _renamed(exploit.differences(run, *places)))
    for line_up in played:
        if set(line_up.names) == {bot, favourite} and line_up.names.count(bot) == 1:
            places = [exploit.Place(run, line_up.index, line_up.names.index(name)) for name in (bot, favourite)]
            return Profile(bot, favourite, False, _renamed(exploit.differences(run, *places)))
    return None


def _deals(run: Run, line_up: LineUp) -> list[tuple[int, int]]:
    """The finished deals of a line-up; an unfinished run may have others of another one."""
    return [(entry.first, entry.last) for entry in run.shards.values() if entry.line_up == line_up.index]


def _renamed(differences: pl.DataFrame) -> pl.DataFrame:
    return differences.rename({"exploiter": "own", "bot": "other"})


# --- skill and feel --------------------------------------------------------------------------------------------------


def _skills(run: Run, told: Ladder) -> tuple[Skill, ...]:
    """Wins, then margins, of every pair that has met."""
    pairs = itertools.combinations(told.names, 2) if told.facts.seats == 2 else itertools.permutations(told.names, 2)
    met = [pair for pair in pairs if told.match(*pair)]
    whats: tuple[skill.What, ...] = ("share", "margin")
    return tuple(skill.skill(skill.read_pair([run], *pair, what)) for what in whats for pair in met)


def _feel(run: Run, line_up: LineUp, unit: str, threads: int | None) -> LineUpFeel:
    blocks = read_blocks(run, line_up, threads)
    assert blocks is not None
    logged = "moves" in run.tables
    return LineUpFeel(
        title=str(line_up),
        spread=feel.spread(blocks, unit),
        runaway=feel.runaway(blocks),
        choices=feel.choices(run, line_up) if logged else (),
        meaningful=feel.meaningful(run, line_up) if logged else None,
    )


def _kingmaking(run: Run, told: Ladder | None, played: Sequence[LineUp]) -> tuple[Kingmaking, ...]:
    """Kingmaking of each other bot at a table of favourites, instead of one of these."""
    if told is None or told.facts.seats < 3:
        return ()
    favourite = told.names[0]
    field = next((line_up for line_up in played if line_up.mirror and line_up.names[0] == favourite), None)
    if field is None:
        return ()
    near = [up for up in played if up.names.count(favourite) == len(up.names) - 1]
    found = [feel.kingmaking(run, line_up, field) for line_up in near]
    return tuple(one for one in found if one is not None)
