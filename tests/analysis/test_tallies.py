"""Tallied cards, against counts in plain Python and a planted association."""

import pytest

from analysis.blocks import line_ups
from analysis.tallies import TalliedTypes, tallies
from tests.analysis import fake_run
from tests.analysis.fake_market import CHARACTERS, TALLIES, FakeMarket, manifest, write


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write(tmp_path_factory.mktemp("tallies"), FakeMarket(blocks=600, blocks_per_shard=200))


def rows(frame, **only):
    return {row["type"]: row for row in frame.filter(**only).iter_rows(named=True)}


def test_the_types_are_the_tallied_cards():
    types = TalliedTypes.of(manifest(FakeMarket()))
    assert types.names == CHARACTERS
    assert types.ids == (("maid",), ("baker",), ("bard",))


def test_a_game_without_tallied_cards_has_none(tmp_path):
    run = fake_run.write(tmp_path, fake_run.FakeRun(blocks=20))
    assert tallies(run, line_ups(run.manifest)[0]) is None


def test_no_card_log_no_tallies(tmp_path):
    run = write(tmp_path, FakeMarket(blocks=20, log="games"))
    assert tallies(run, line_ups(run.manifest)[0]) is None


def test_rates_are_what_the_log_says(run):
    found = tallies(run, line_ups(run.manifest)[1])
    cards = run.scan("cards", line_up=1).collect()
    seats = run.scan("seats", line_up=1).collect()
    turns = dict(run.scan("games", line_up=1).collect().select("game", "turns").iter_rows())
    for b, bot in enumerate(("uniform", "expert")):
        mine = [i for i, who in enumerate(seats["bot"]) if who == b]
        own_turns = sum(turns[cards["game"][i]] / 2 for i in mine)
        for tally in TALLIES:
            for name, row in rows(found.rates, bot=bot, tally=tally).items():
                times = [cards[f"{name}_{tally}"][i] for i in mine]
                assert row["value"] == pytest.approx(sum(times) / len(mine))
                assert row["share"] == pytest.approx(sum(count > 0 for count in times) / len(mine))
                assert row["turn"] == pytest.approx(sum(times) / own_turns)
                assert row["low"] <= row["value"] <= row["high"]
    assert found.tallies == ("played", "hired")


def test_what_never_happens_has_an_upper_bound(run):
    row = rows(tallies(run, line_ups(run.manifest)[2]).rates, tally="played")["bard"]
    assert (row["value"], row["share"], row["share_low"]) == (0.0, 0.0, 0.0)
    assert row["share_high"] == pytest.approx(3 / 600)  # the two seats of the two games of a deal are one trial


def test_what_hardly_ever_happens_is_no_finding(tmp_path):
    """Of a card that came up once or twice nothing is known: it has no certain slope."""
    told = 0
    for seed in range(12):
        played = {"maid": 2.0, "baker": 0.5, "bard": 0.004}
        fake = FakeMarket(blocks=150, blocks_per_shard=150, line_ups=((1, 1),), played=played, seed=40 + seed)
        made = write(tmp_path / str(seed), fake)
        row = rows(tallies(made, line_ups(made.manifest)[0]).association, tally="played")["bard"]
        told += row["value"] is not None
        assert not row["flagged"]
    assert told > 6


def test_the_association_is_the_slope_of_the_margin(run):
    """One time more than the other seat goes with so many points: least squares through zero."""
    found = tallies(run, line_ups(run.manifest)[2])
    cards = run.scan("cards", line_up=2).collect()
    points, times = (
        cards["points"].to_numpy().reshape(-1, 2),
        cards["maid_played"].to_numpy().reshape(-1, 2).astype(int),
    )
    d, m = times[:, 0] - times[:, 1], points[:, 0] - points[:, 1]
    row = rows(found.association, tally="played")["maid"]
    assert row["value"] == pytest.approx(float((d * m).sum() / (d * d).sum()), rel=1e-4)
    assert row["low"] < 0 < row["high"]
    assert rows(found.association, tally="played")["bard"]["value"] is None


def test_shards_and_threads_change_nothing(run, tmp_path):
    line_up = line_ups(run.manifest)[1]
    one, many = tallies(run, line_up, threads=1), tallies(run, line_up, threads=3)
    assert one.rates.equals(many.rates)
    assert one.association.equals(many.association)


def test_rounds_of_a_game_are_added(run):
    """The card log has a row a seat and round; what is told is of the game."""
    from analysis.tallies import TallyReader

    reader = TallyReader(run, line_ups(run.manifest)[1])
    frame, games = reader.frames(next(iter(run.shards)))
    once = reader.sums(frame, games)
    twice = reader.sums(frame[[i for i in range(len(frame)) for _ in range(2)]], games)
    assert (twice.counts[..., 0] == 2 * once.counts[..., 0]).all()
    assert (twice.counts[..., 1] == once.counts[..., 1]).all()
