"""The front door of a notebook: a run's tables as lazy frames, with names in place of codes."""

import polars as pl
import pytest

import analysis
from analysis.log import Log
from simcore.errors import InputError
from tests.analysis import fake_market, fake_run
from tests.analysis.fake_run import FakeBot, FakeRun
from tests.analysis.test_feel import TWO, with_moves

THREE = FakeRun(
    blocks=20, seats=3, bots=(FakeBot("a", "random"), FakeBot("b", "expert")), line_ups=((0, 1, 1), (1, 1, 1)),
    rounds=2, blocks_per_shard=7,
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return fake_run.write(tmp_path_factory.mktemp("run"), THREE)


@pytest.fixture(scope="module")
def log(run):
    return analysis.load(run)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    return analysis.load(fake_market.write(tmp_path_factory.mktemp("market"), fake_market.FakeMarket(blocks=10)))


def test_a_path_and_an_open_run_give_the_same(run, log):
    for given in (run.path, str(run.path)):
        other = analysis.load(given)
        assert other.seats.collect().equals(log.seats.collect())
        assert other.manifest == log.manifest == run.manifest
    assert (log.game, log.bots["bot"].to_list()) == ("made-up", ["a", "b"])
    assert repr(log) == (
        "A made-up game, card set base: 120 games of 3 seats; bots a, b; tables games, seats, cards"
    )


def test_tables_are_lazy_and_hold_what_was_logged(run, log):
    for name in ("games", "seats"):
        frame, raw = getattr(log, name), run.scan(name)
        assert isinstance(frame, pl.LazyFrame)
        same = [column for column in raw.collect_schema() if column not in ("line_up", "bot", "end")]
        assert frame.select(same).collect().equals(raw.select(same).collect())


def test_line_ups_bots_and_ends_are_words(run, log):
    assert log.line_ups.rows() == [("1 a against 2 b", False, ["a", "b", "b"]), ("b against itself", True, ["b"] * 3)]
    seats, raw = log.seats.collect(), run.scan("seats").collect()
    assert seats["bot"].to_list() == [["a", "b"][code] for code in raw["bot"]]
    assert seats["line_up"].to_list() == [["1 a against 2 b", "b against itself"][code] for code in raw["line_up"]]
    assert set(seats.select("bot", "against", "self_play").rows()) == {
        ("a", "b, b", False), ("b", "a, b", False), ("b", "b, b", True),
    }  # fmt: skip
    games = log.games.collect()
    assert games["end"].to_list() == [run.manifest["ends"][code] for code in run.scan("games").collect()["end"]]


def test_cards_are_told_one_by_one(run, log):
    raw, told = run.scan("cards").collect(), run.manifest
    rows = []
    for card in told["cards"]:
        for row in raw.iter_rows(named=True):
            came, left, when = row[card["id"]] >> 6, row[card["id"]] >> 4 & 3, row[card["id"]] & 15
            if came:
                gone = ["kept", *told["fates"]][left]
                key = [row[name] for name in ("game", "seat", "round", "points")]
                said = (card["id"], card["label"], card["type"], card["group"])
                rows.append((*key, *said, told["gains"][came - 1], gone, when * told["when_unit"]))
    cards = log.cards.collect()
    names = ["game", "seat", "round", "points", "id", "card", "type", "group", "came", "left", "turn"]
    assert sorted(cards.select(names).rows()) == sorted(rows)
    assert "bot" in cards.columns
    assert log.tallies.collect().height == 0


def test_who_held_a_card_is_who_sat_there(log):
    who = log.seats.select("game", "seat", "bot", "against", "line_up").collect()
    cards = log.cards.collect()
    assert cards.join(who, on=["game", "seat", "bot", "against", "line_up"], how="semi").height == cards.height > 0


def test_cards_that_are_only_counted(counted):
    raw = counted.run.scan("cards").collect()
    tallies = counted.tallies.collect()
    assert tallies.height == raw.height * len(fake_market.CHARACTERS) * len(fake_market.TALLIES)
    for (card, tally), rows in tallies.group_by("id", "tally"):
        assert rows["times"].sum() == raw[f"{card}_{tally}"].sum()
        assert rows["card"].unique().to_list() == [card.capitalize()]
    assert set(counted.cards.collect()["type"]) & set(fake_market.CHARACTERS) == set()


def test_moves_say_who_decided(tmp_path):
    moves = {(deal, rotation): [(0, 3, 1), (1, 1, 0)] for deal in range(3) for rotation in range(2)}
    log = analysis.load(with_moves(tmp_path, TWO, moves))
    rows = log.moves.select("deal", "rotation", "seat", "bot", "against", "options", "decision").collect()
    names = [bot.name for bot in TWO.bots]
    (kind,) = set(rows["decision"])
    assert kind in log.manifest["decisions"]
    assert rows.drop("decision").rows() == [
        (deal, rotation, seat, names[(seat + rotation) % 2], names[1 - (seat + rotation) % 2], 3 - 2 * seat)
        for deal in range(3)
        for rotation in range(2)
        for seat in range(2)
    ]


@pytest.mark.parametrize("which", ["log", "counted"])
def test_every_column_is_documented(which, request):
    log: Log = request.getfixturevalue(which)
    told = log.columns
    for table in told["table"].unique():
        schema = getattr(log, table).collect_schema()
        assert told.filter(table=table)["column"].to_list() == schema.names()
        assert getattr(log, table).collect().schema == schema
    assert told.filter(pl.col("meaning") == "").height == 0
    assert ("tallies" in set(told["table"])) == (which == "counted")


def test_frames_become_those_of_pandas(log):
    told = log.seats.collect().to_pandas()
    assert told.groupby("bot")["win_share"].mean().index.to_list() == ["a", "b"]


def test_what_was_not_logged_is_told(tmp_path):
    log = analysis.load(fake_run.write(tmp_path, FakeRun(blocks=2, log="games")))
    for table in ("cards", "tallies", "moves"):
        with pytest.raises(InputError, match=r"it was logged at level 'games'.*Play it again with a higher level"):
            getattr(log, table)


def test_a_folder_that_is_no_run_is_told(tmp_path, run):
    with pytest.raises(InputError, match="there is no such folder"):
        analysis.load(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"it has no manifest\.json"):
        analysis.load(tmp_path)
    with pytest.raises(InputError, match=f"there are runs in it: load .*{run.path.name}"):
        analysis.load(run.path.parent)


def test_an_unfinished_run_says_so(tmp_path):
    assert "not finished" in repr(analysis.load(fake_run.write(tmp_path, FakeRun(blocks=40, blocks_per_shard=20), 2)))
