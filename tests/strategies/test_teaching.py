"""The trained bot and its teaching: untaught it is the expert, the net in the kernel is the one that was taught,
planted truth is learned and luck is not, and a course that was stopped ends as one that was not.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import check_grad

from simcore import bots, cardset, game, request, weights
from simcore.bots import Bot
from simcore.errors import InputError
from simcore.play import Table
from strategies import course, teaching
from strategies.course import Progress, Settings
from strategies.lessons import FEW, MANY, Lessons, School, _Desk
from strategies.trained import DOUBT, REACH, UNITS, UNTAUGHT, WIDTH

SINGLE = cardset.load(game.get("lost-cities").schema, "single_round")
SETTINGS = Settings("lost-cities", "trained", SINGLE, (2,), lessons=400)
ACTIONS, KINDS, POSITIONS = 4, 2, 3


def with_net(bot: Bot, doubt: float, reach: float, net: np.ndarray) -> Bot:
    """The bot with another net."""
    head = bot.parameters.index("doubt")
    return replace(bot, weights=(*bot.weights[:head], doubt, reach, *net), seat_weights={})


def hashes(table: Table, blocks: int = 6) -> list[int]:
    """What tells the games of a table from others."""
    return [int(number) for played in table.play(0, blocks, "games") for number in played.rows["play_hash"]]


# --- The bot ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game.BUILT_IN)
def test_untaught_it_plays_as_its_expert(name: str) -> None:
    bot = bots.get(name, "trained")
    head = bot.parameters.index("doubt")
    expert = replace(bots.get(name, "expert"), weights=bot.weights[:head])
    untaught = with_net(bot, UNTAUGHT, 0.0, np.zeros(len(bot.weights) - head - 2))
    tables = [Table(name, request.load_cards(name, None), 2, (one, "uniform"), 5) for one in (expert, untaught)]
    assert hashes(tables[0]) == hashes(tables[1])


@pytest.mark.parametrize("name", game.BUILT_IN)
def test_all_weights_have_room_in_the_mind(name: str) -> None:
    bot = bots.get(name, "trained")
    assert len(bot.weights) == len(bot.parameters) <= game.get(name).mind["weights"].shape[0]


@pytest.mark.engine
def test_the_net_of_the_kernel_is_that_of_the_teaching() -> None:
    """With a random net, the choices are those that `appraise_all` says."""
    plain = bots.get("lost-cities", "trained")
    size = len(plain.parameters) - plain.parameters.index("doubt") - 2
    net = np.random.default_rng(3).normal(size=size)
    bot = with_net(plain, 0.3, 6.0, net)
    desk = _Desk(School(bot, SINGLE, 2, 7))
    table = Table("lost-cities", SINGLE, 2, (bot, bot), 7)
    seen = left = 0
    for step in table.steps(1, 0):
        if step.seat >= 0 and len(step.options) > 1:
            estimates = table.minds[step.seat]["estimates"][list(step.options)]
            if not (estimates < -1e29).any():
                own = int(estimates.argmax())
                chosen = said_by(net, desk, step.decision, own, estimates, 0.3, 6.0)
                assert step.action == step.options[chosen]
                seen, left = seen + 1, left + (chosen != own)
        if table.state.public.actor >= 0:
            for kernel, rows in zip(desk.describe, (desk.options, desk.position), strict=True):
                kernel(table.state, table.cards, table.options, desk.mind, rows)
        if seen == 12:
            break
    assert seen == 12
    assert left > 2


def said_by(
    net: np.ndarray, desk: _Desk, kind: int, own: int, estimates: np.ndarray, doubt: float, reach: float
) -> int:
    """The option that the net chooses by the functions of the teaching."""
    count = len(estimates)
    points, sums = np.zeros(count), np.zeros((count, WIDTH))
    behind = estimates[own] - estimates
    one = np.array
    arguments = (one([0]), one([count]), one([own]), one([kind]), desk.position, desk.options[:count])
    teaching.appraise_all(net, 2, *arguments, behind, np.ones(count, bool), points, sums)
    points[own] += doubt
    points[behind > reach] = -np.inf
    return int(points.argmax())


# --- The teaching ----------------------------------------------------------------------------------------------------


def made_up(decisions: int, seed: int, truth: float) -> tuple[Lessons, float]:
    """Lessons in which an option ends ahead by what one of its features says, times `truth`, and luck; and what the
    truth itself would gain.
    """
    random = np.random.default_rng(seed)
    count = random.integers(2, 7, decisions)
    rows = int(count.sum())
    own = random.integers(0, count)
    first = np.cumsum(count) - count
    features = random.normal(size=(rows, ACTIONS)).astype(np.float32)
    position = random.normal(size=(decisions, POSITIONS)).astype(np.float32)
    decision = np.repeat(np.arange(decisions), count)
    worth = truth * np.where(position[decision, 0] > 0, np.abs(features[:, 1]), -features[:, 2])
    worlds = np.where(random.random(rows) < 0.5, FEW, MANY).astype(np.float32)
    lead = worth - worth[first + own][decision] + random.normal(size=rows) * 8 / np.sqrt(worlds)
    lead[first + own] = 0
    estimate = -np.abs(random.normal(size=rows))
    estimate[first + own] = 0
    best = float((np.maximum.reduceat(worth, first) - worth[first + own]).mean())
    made = Lessons(
        deal=np.arange(decisions) // 5,
        count=count,
        own=own,
        kind=random.integers(0, KINDS, decisions),
        position=position,
        features=features,
        estimate=estimate,
        lead=lead.astype(np.float32),
        worlds=worlds,
    )
    return made, best


def taught_by(made: Lessons) -> teaching.Taught:
    with ThreadPoolExecutor(2) as pool:
        return teaching.teach(pool, made, KINDS, 1, lambda step: None)


@pytest.mark.jitted
def test_planted_truth_is_learned_and_luck_is_not() -> None:
    """What is planted depends on the position, so a straight line could not say it."""
    made, best = made_up(8000, 1, truth=4.0)
    found = taught_by(made).gains[0.25]
    assert found.points > 20 * found.error
    assert found.points > 0.85 * best
    assert found.changed > 0.6
    nothing = taught_by(made_up(8000, 2, truth=0.0)[0])
    assert all(abs(gain.points) < 3.5 * gain.error for gain in nothing.gains.values() if gain.changed > 0)
    assert nothing.gains[2.0].changed < 0.05


@pytest.mark.jitted
def test_the_slope_is_that_of_the_error() -> None:
    book = teaching._book(made_up(40, 3, truth=2.0)[0], KINDS)
    (part,) = book.decisions(np.ones(40, bool))
    start = np.random.default_rng(4).normal(size=len(book.size) * WIDTH + UNITS) * 0.3

    def error(at: np.ndarray) -> float:
        return float(teaching.error_of(at, *part, np.zeros(len(at))))

    def slope(at: np.ndarray) -> np.ndarray:
        found = np.zeros(len(at))
        teaching.error_of(at, *part, found)
        return found

    assert check_grad(error, slope, start) < 1e-5


def test_options_out_of_reach_are_left_out() -> None:
    made, _ = made_up(30, 5, truth=1.0)
    first = np.cumsum(made.count) - made.count
    far = made.estimate.copy()
    far[first + (made.own + 1) % made.count] = -teaching.REACH - 1
    book = teaching._book(replace(made, estimate=far), KINDS)
    assert (book.count == made.count - 1).all()
    assert (book.lead[book.start + book.own] == 0).all()
    assert (book.behind[book.start + book.own] == 0).all()


# --- Lessons and the course ------------------------------------------------------------------------------------------


@pytest.mark.jitted
def test_lessons_are_about_the_options() -> None:
    found = School(bots.get("lost-cities", "trained"), SINGLE, 2, 3).deal(4)
    first = np.cumsum(found.count) - found.count
    assert len(found.count) >= 3
    assert found.count.sum() == len(found.lead) == len(found.features) == len(found.worlds)
    assert (found.count > 1).all()
    assert (found.lead[first + found.own] == 0).all()
    best = np.maximum.reduceat(found.estimate, first)
    assert (found.estimate[first + found.own] == best).all()  # the expert's choice


def test_any_number_of_threads_and_any_interruption_give_the_same_weights(tmp_path: Path) -> None:
    whole = course.take(SETTINGS, threads=1)
    assert 400 <= len_of(whole) < 1000
    folder = tmp_path / "weights.toml.lessons"

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        course.take(SETTINGS, folder=folder, progress=stop)
    resumed = course.take(SETTINGS, folder=folder, resume=True, threads=2)
    assert resumed.weights.tolist() == whole.weights.tolist()
    head = bots.get("lost-cities", "trained").parameters.index("doubt")
    assert whole.weights[head + REACH] == teaching.REACH
    assert whole.weights[head + DOUBT] == whole.doubt in (*teaching.DOUBTS, UNTAUGHT)


def len_of(taken: course.Course) -> float:
    """Lessons of a course, about: a share was kept apart."""
    return taken.taught.lessons / (1 - teaching.APART)


def test_lessons_of_another_course_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "lessons"
    course._open(folder, SETTINGS, resume=False)
    with pytest.raises(InputError, match="there already"):
        course.take(SETTINGS, folder=folder)
    with pytest.raises(InputError, match="another course: its seed is 0, not 1"):
        course.take(replace(SETTINGS, seed=1), folder=folder, resume=True)
    (folder / "seats-2-part-00000.npz").write_bytes(b"PK no archive")
    with pytest.raises(InputError, match=r"part-00000\.npz is damaged"):
        course.take(SETTINGS, folder=folder, resume=True)
    (folder / course.SETTINGS).write_text("{")
    with pytest.raises(InputError, match="damaged"):
        course.take(SETTINGS, folder=folder, resume=True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bot": "linear"}, "no net that could be taught"),
        ({"bot": "search"}, "no net that could be taught"),
        ({"seats": (2, 7)}, "cannot be played with 2, 7 seats"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        course.check(replace(SETTINGS, **changes))  # type: ignore[arg-type]


def test_weights_in_lists(tmp_path: Path) -> None:
    """Parameters with numbers are a list in the file, and come back as they were."""
    path = tmp_path / "w.toml"
    names = {"doubt": 0.5, "net_play.0": 1.0, "net_play.1": -2.0, "net_out.0": 3.0}
    weights.write(path, weights.Weights("lost-cities", "trained", names))
    assert "net_play = [1.0, -2.0]" in path.read_text()
    assert dict(weights.read(path).weights) == names
    path.write_text('game = "lost-cities"\n[weights]\nnet_play = [1.0, "two"]\n')
    with pytest.raises(InputError, match=r"net_play.1 is a number, not 'two'"):
        weights.read(path)
