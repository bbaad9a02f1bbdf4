import dataclasses
import itertools
import math
import shutil

import numpy as np
import polars as pl
import pytest
from scipy import special

from analysis import stats
from analysis.comparison import BY_TIER, CARDS, IDENTICAL, MEASURES, NO_REACTION, PLAYED, ROWS, compare
from analysis.pairs import PairedMoments
from simcore import batch, request
from simcore import game as games
from simcore.cardset import build
from simcore.errors import InputError
from simcore.runlog import open_run
from tests.analysis import fake_run
from tests.analysis.fake_run import FakeBot, FakeRun, write, write_frames

BOTS = (FakeBot("weak", "random", 0.0, turns=90.0), FakeBot("strong", "expert", 9.0, deterministic=True))
BASE = FakeRun(blocks=900, bots=BOTS, blocks_per_shard=400, first_points=3.0, cut_off=0.02)
EDITED = dataclasses.replace(BASE, first_points=6.0, effects={"yellow-10": 8.0}, noise_sd=14.0)


def row(comparison, measure, subject="", line_up=0):
    found = comparison.rows.filter(measure=measure, subject=subject, line_up=line_up)
    assert len(found) == 1
    return found.row(0, named=True)


def changed(run, folder, edit, described=None, tables=None):
    """The same run with another manifest (a dict of what differs) and other tables ({name: function of a frame})."""
    tables = tables or {}

    def frames(number):
        entry = run.shards[number]
        whole = {name: run.scan(name, entry.line_up).collect() for name in run.tables}
        return {
            name: tables.get(name, lambda f: f)(
                frame.filter(frame["deal"].is_between(entry.first, entry.last, closed="left"))
            )
            for name, frame in whole.items()
        }

    return write_frames(folder, run.manifest | edit, frames, len(run.shards))


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return tuple(write(tmp_path_factory.mktemp(name), fake) for name, fake in (("base", BASE), ("variant", EDITED)))


@pytest.fixture(scope="module")
def found(pair):
    return compare(*pair)


# --- cards that an edit has renamed ---------------------------------------------------------------------------------


def renamed(pair, folder, **names):
    """The base run, and the variant with some cards called otherwise."""
    base, variant = pair
    shutil.copytree(variant.path, folder / "variant")
    return base, fake_run.edit_cards(open_run(folder / "variant"), **names)


def of_cards(comparison):
    return {name: tuple(rest) for name, *rest in comparison.cards.drop("group", "in_hand").rows()}


def test_a_card_whose_row_was_edited_is_the_same_card(pair, found, tmp_path):
    joined = compare(*renamed(pair, tmp_path, Y10="yellow 14"))
    assert of_cards(joined) == of_cards(found) | {"yellow-10": ("yellow 10 (now 14)", 1, 1, "both")}
    assert joined.moved == ()
    # Nothing but words has changed.
    assert joined.rows.drop("label").equals(found.rows.drop("label"))
    assert joined.by_tier.equals(found.by_tier)
    assert row(joined, "card_effect", "yellow-10")["label"] == "effect of yellow 10 (now 14) in the opening hand"


def test_all_copies_that_were_edited_alike_are_the_same_card(pair, tmp_path):
    cards = of_cards(compare(*renamed(pair, tmp_path, **dict.fromkeys(("YW1", "YW2", "YW3"), "yellow 1"))))
    assert cards["yellow-wager"] == ("yellow wager (now 1)", 3, 3, "both")
    assert len(cards) == 50


def test_one_of_several_copies_that_was_edited_is_a_new_card_and_that_is_told(pair, tmp_path):
    comparison = compare(*renamed(pair, tmp_path, YW3="yellow 14"))
    cards = of_cards(comparison)
    assert cards["yellow-wager"] == ("yellow wager", 3, 2, "both")
    assert cards["yellow-14"] == ("yellow 14", 0, 1, "added")
    assert comparison.moved == ("YW3 (yellow wager, now 14)",)
    assert not comparison.rows["subject"].str.contains("14").any()


def test_a_row_that_joins_the_copies_of_another_card_is_gone_and_that_is_told(pair, tmp_path):
    comparison = compare(*renamed(pair, tmp_path, Y09="yellow 10"))
    cards = of_cards(comparison)
    assert cards["yellow-10"] == ("yellow 10", 1, 2, "both")
    assert cards["yellow-9"] == ("yellow 9", 1, 0, "removed")
    assert comparison.moved == ("Y09 (yellow 9, now 10)",)


def test_a_new_card_may_have_the_name_that_an_edited_one_had(pair, tmp_path):
    base, variant = renamed(pair, tmp_path, Y10="yellow 14", B02="yellow 10")
    told = [card | {"rows": ["cards.X1"]} if card["id"] == "B02" else card for card in variant.manifest["cards"]]
    comparison = compare(base, fake_run.edit_manifest(variant, cards=told))
    cards = of_cards(comparison)
    assert cards["yellow-10"] == ("yellow 10 (now 14)", 1, 1, "both")
    assert cards["yellow-10 (new)"] == ("yellow 10", 0, 1, "added")
    assert cards["blue-2"] == ("blue 2", 1, 0, "removed")


@pytest.mark.parametrize("older", [(0,), (1,), (0, 1)])
def test_runs_that_do_not_name_their_rows_are_compared_by_the_names_of_cards(pair, tmp_path, older):
    runs = list(renamed(pair, tmp_path, Y10="yellow 14"))
    shutil.copytree(runs[0].path, tmp_path / "base")
    runs[0] = open_run(tmp_path / "base")
    for arm in older:
        runs[arm] = fake_run.forget_rows(runs[arm])
    comparison = compare(*runs)
    cards = of_cards(comparison)
    assert cards["yellow-10"] == ("yellow 10", 1, 0, "removed")
    assert cards["yellow-14"] == ("yellow 14", 0, 1, "added")
    assert comparison.moved == ()
    assert len(comparison.rows.filter(measure="card_held", line_up=0)) == 49


# --- a set against itself --------------------------------------------------------------------------------------------


def test_a_set_against_a_copy_of_itself_is_identical_throughout(tmp_path, pair):
    again = compare(pair[0], write(tmp_path / "copy", BASE))
    rows = again.rows
    assert set(rows["wording"]) == {IDENTICAL}
    assert set(rows["verdict"]) == {IDENTICAL}
    assert set(rows["more_deals"]) == {0}
    assert rows.select(pl.col("difference").fill_null(0.0).abs().max()).item() == 0.0
    assert rows.filter(pl.col("se") != 0).is_empty()
    assert again.played["all_identical"].all()
    assert not again.played["no_reaction"].any()
    assert again.played["text"].str.contains("played identically and scored alike").all()


def test_the_same_comparison_twice_gives_the_same_bits(pair, found):
    again = compare(*pair, threads=1)
    assert again.rows.equals(found.rows)


# --- shape -----------------------------------------------------------------------------------------------------------


def test_tables_have_the_documented_columns(found):
    assert found.rows.schema == pl.Schema(ROWS)
    assert found.played.schema == pl.Schema(PLAYED)
    assert found.cards.schema == pl.Schema(CARDS)
    assert found.by_tier.schema == pl.Schema(BY_TIER)
    assert set(found.rows["measure"]) <= set(MEASURES)
    assert found.rows.select("line_up", "measure", "subject").is_unique().all()
    assert (found.deals, found.games) == (900, 3 * 1800)


def test_every_line_up_answers_and_mixed_ones_have_no_tier(found):
    tiers = dict(found.rows.select("line_up", "tier").unique().iter_rows())
    assert tiers == {0: "random", 1: None, 2: "expert"}
    assert set(found.rows.filter(measure="bot_share")["subject"]) == {"weak", "strong"}
    assert found.by_tier.filter(measure="order_share", subject="0")["tier"].to_list() == ["random", "expert"]


# --- planted changes -------------------------------------------------------------------------------------------------


def test_planted_changes_are_found(found):
    # Who goes first has half of the 3 points more, the other one half of them less.
    margin = row(found, "order_margin", "0")
    assert abs(margin["difference"] - 3.0) < 4 * margin["se"] + 0.1
    assert margin["wording"] == stats.MATTERS
    spread = row(found, "score_spread", "weak")
    truth = math.sqrt(14**2 + 100 + 9 + 1 / 12) - math.sqrt(12**2 + 100 + 2.25 + 1 / 12)
    assert abs(spread["difference"] - truth) < 4 * spread["se"] + 0.3
    assert spread["low"] < spread["low90"] < spread["high90"] < spread["high"]
    card = row(found, "card_effect_points", "yellow-10")
    assert card["q"] < 0.05
    assert card["wording"] == stats.MATTERS
    assert abs(card["difference"] - 8 * 59 / 60) < 4 * card["se"]


def test_pairing_saves_deals_and_says_how_many(found):
    score = row(found, "score", "weak")
    assert score["correlation"] > 0.5
    assert score["variance_ratio"] > 2


@pytest.mark.parametrize("measure", ["order_share", "score_spread"])
def test_a_planted_change_is_covered(tmp_path, measure):
    """A small version of benchmarks/studies/comparison.py: 120 replicates, one a shard."""
    points = float(special.ndtri(0.52)) * math.sqrt(2 * (100 + 144 + 1 / 12))
    base = FakeRun(
        blocks=120 * 300, blocks_per_shard=300, bots=(FakeBot("a", "expert"),), line_ups=((0, 0),), log="games"
    )
    edit = {"first_points": points} if measure == "order_share" else {"noise_sd": 14.0}
    runs = [write(tmp_path / str(i), fake) for i, fake in enumerate((base, dataclasses.replace(base, **edit)))]
    truth = 0.02 if measure == "order_share" else math.sqrt(196 + 100 + 1 / 12) - math.sqrt(144 + 100 + 1 / 12)
    hits = 0
    for number in runs[0].shards:
        one = [dataclasses.replace(run, shards={number: run.shards[number]}) for run in runs]
        answer = row(compare(*one, threads=1), measure, "0" if measure == "order_share" else "a")
        hits += answer["low"] <= truth <= answer["high"]
    assert stats.clopper_pearson(hits, 120, 0.999)[1] >= 0.95
    assert hits >= 105


# --- against a brute-force recomputation -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Lost Cities with a cheaper expedition and without one card, on the same deals."""
    base = request.load_cards("lost-cities", "single_round")
    inputs = ("id", "color", "kind", "value")
    rows = [{name: card[name] for name in inputs} for card in base.tables["cards"]]
    edited = build(
        games.get("lost-cities").schema,
        "edited",
        base.scalars | {"expedition_cost": 17},
        {"cards": [*rows[:30], *rows[31:]]},
    )
    runs = []
    for cards in (base, edited):
        plan = request.make_plan(
            "lost-cities", cards, 2, ("uniform", "heuristic"), ((0, 0), (0, 1)), games=1200, seed=3
        )
        folder = tmp_path_factory.mktemp("real")
        batch.run(plan, folder / "run", threads=1)
        runs.append(open_run(folder / "run"))
    return runs, compare(*runs)


def deals(run, table, line_up, column):
    """{deal: mean of a column (an expression) over the games or seats of the deal}."""
    frame = run.scan(table, line_up).group_by("deal").agg(column.cast(pl.Float64).mean().alias("x")).collect()
    return dict(frame.sort("deal").iter_rows())


def by_hand(runs, table, line_up, column):
    """Estimates of both arms and the error of their difference, deal by deal."""
    base, variant = (deals(run, table, line_up, column) for run in runs)
    assert list(base) == list(variant)
    differences = [variant[deal] - base[deal] for deal in base]
    return (
        sum(base.values()) / len(base),
        sum(variant.values()) / len(variant),
        np.std(differences, ddof=1) / math.sqrt(len(base)),
        pl.select(pl.corr(pl.Series(base.values()), pl.Series(variant.values()))).item(),
    )


MEANS = {
    **{("order_share", str(o)): ("seats", pl.col("win_share").filter(pl.col("order") == o)) for o in (0, 1)},
    ("score", "uniform"): ("seats", pl.col("score").filter(pl.col("bot") == 0)),
    **{
        (kind, f"uniform: {name}"): ("seats", pl.col(f"{column}_{name}").filter(pl.col("bot") == 0))
        for kind, column, name in (
            ("part", "part", "numbers"),
            ("part", "part", "costs"),
            ("part", "part", "bonuses"),
            ("counter", "count", "expeditions"),
            ("counter", "count", "played"),
            ("counter", "count", "discarded"),
            ("counter", "count", "taken"),
        )
    },
    ("turns", ""): ("games", pl.col("turns")),
    ("decisions", ""): ("games", pl.col("decisions")),
    ("tie", ""): ("games", pl.col("winners") == 3),
    ("lead_changes", ""): ("games", pl.col("lead_changes")),
}


@pytest.mark.parametrize("line_up", [0, 1])
@pytest.mark.parametrize(("measure", "subject"), list(MEANS))
def test_means_by_hand(real, measure, subject, line_up):
    runs, comparison = real
    table, column = MEANS[measure, subject]
    base, variant, se, correlation = by_hand(runs, table, line_up, column)
    got = row(comparison, measure, subject, line_up)
    assert got["base"] == pytest.approx(base, rel=1e-9, abs=1e-9)
    assert got["variant"] == pytest.approx(variant, rel=1e-9, abs=1e-9)
    assert got["difference"] == pytest.approx(variant - base, rel=1e-7, abs=1e-9)
    assert got["se"] == pytest.approx(se, rel=1e-6, abs=1e-9)
    assert got["high"] - got["low"] == pytest.approx(2 * 1.959964 * se, rel=1e-6, abs=1e-9)
    assert got["high90"] - got["low90"] == pytest.approx(2 * 1.644854 * se, rel=1e-6, abs=1e-9)
    assert got["n"] == 600
    if not math.isnan(correlation):
        assert got["correlation"] == pytest.approx(correlation, abs=1e-6)
    # The verdict of STATISTICS 2, written out once more.
    m, low, high = got["margin"], got["low"], got["high"]
    if got["wording"] != IDENTICAL:
        inside, beyond, real_effect = -m < low and high < m, low > m or high < -m, low > 0 or high < 0
        inside90 = -m < got["low90"] and got["high90"] < m
        expected = (
            stats.MATTERS
            if beyond
            else (stats.NEGLIGIBLE if inside else stats.UNCLEAR)
            if real_effect
            else stats.EQUIVALENT
            if inside90
            else stats.UNKNOWN
        )
        assert got["wording"] == expected


@pytest.mark.parametrize("measure", ["winning", "losing", "order_margin", "margin_spread", "score_spread"])
def test_what_needs_whole_games_by_hand(real, measure):
    runs, comparison = real
    values = []
    for run in runs:
        seats = run.scan("seats", 1).collect()
        found = []
        for (_, _), game in seats.group_by("deal", "rotation", maintain_order=True):
            scores = dict(zip(game["seat"], game["score"], strict=True))
            first = game.filter(order=0)["seat"].item()
            uniform = game.filter(bot=0)["seat"].item()
            found.append(
                {
                    "winning": max(scores.values()),
                    "losing": min(scores.values()),
                    "order_margin": scores[first] - scores[1 - first],
                    "margin_spread": scores[uniform] - scores[1 - uniform],
                    "score_spread": scores[uniform],
                }[measure]
            )
        values.append(found)
    subject = {"order_margin": "0", "margin_spread": "uniform", "score_spread": "uniform"}.get(measure, "")
    got = row(comparison, measure, subject, 1)
    ask = np.std if measure.endswith("spread") else np.mean
    assert (got["base"], got["variant"]) == pytest.approx((ask(values[0]), ask(values[1])), rel=1e-9)
    if measure.endswith("spread"):
        # The bootstrap by another road: leave one deal out.
        blocks = np.array(values).reshape(2, -1, 2)
        left = [np.std(np.delete(blocks, i, axis=1), axis=(1, 2)) for i in range(blocks.shape[1])]
        changes = np.array(left)[:, 1] - np.array(left)[:, 0]
        n = len(changes)
        jackknife = math.sqrt((n - 1) / n * ((changes - changes.mean()) ** 2).sum())
        assert got["se"] == pytest.approx(jackknife, rel=0.15)


def test_play_hashes_by_hand(real):
    runs, comparison = real
    keys = ["line_up", "deal", "rotation"]
    games = [run.scan("games").collect().select(*keys, "play_hash") for run in runs]
    joined = games[0].join(games[1], on=keys, suffix="_variant")
    for line_up in (0, 1):
        of = joined.filter(line_up=line_up)
        share = (of["play_hash"] == of["play_hash_variant"]).mean()
        assert comparison.played["identical"][line_up] == pytest.approx(share)


def test_cards_by_hand(real):
    runs, comparison = real
    removed = comparison.cards.filter(change="removed")["type"].to_list()
    assert len(removed) == 1
    assert not set(removed) & set(comparison.rows["subject"])
    gains, fates = runs[0].manifest["gains"], runs[0].manifest["fates"]
    assert gains[0] == "dealt"
    played = fates.index("played") + 1
    logs = [run.scan("cards", 0).collect() for run in runs]
    for kind in ("yellow-wager", "blue-7"):
        values = {"card_held": [], "card_played": [], "card_win": []}
        for run, log in zip(runs, logs, strict=True):
            ids = [card["id"] for card in run.manifest["cards"] if card["type"] == kind]
            held = used = won = 0.0
            for seat in log.select(*ids, "win_share").iter_rows(named=True):
                for code in (seat[i] for i in ids):
                    held += (code >> 6) > 0
                    used += (code >> 4) & 3 == played
                    won += seat["win_share"] * ((code >> 4) & 3 == played)
            values["card_held"].append(held / len(log) / len(ids))
            values["card_played"].append(used / held)
            values["card_win"].append(won / used)
        for measure, expected in values.items():
            got = row(comparison, measure, kind)
            assert [got["base"], got["variant"]] == pytest.approx(expected, rel=1e-6)


def test_card_effects_by_hand(real):
    """Least squares of the margin on hand minus the other's hand, effects relative to the mean of the common cards."""
    runs, comparison = real
    common = comparison.cards.filter(change="both")
    effects = []
    for run in runs:
        log = run.scan("cards", 0).collect()
        types = list(dict.fromkeys(card["type"] for card in run.manifest["cards"]))
        hands = np.zeros((len(log), len(types)))
        for card in run.manifest["cards"]:
            hands[:, types.index(card["type"])] += (log[card["id"]].to_numpy() >> 6) == 1
        first = log["seat"].to_numpy() == 0
        order = (log["order"].to_numpy() == 0).astype(float)
        x = np.column_stack([hands[first] - hands[~first], order[first] - order[~first]])
        points = log["points"].to_numpy().astype(float)
        b = np.linalg.lstsq(x, points[first] - points[~first], rcond=None)[0]
        of = np.array([b[types.index(kind)] for kind in common["type"]])
        effects.append(of - np.average(of, weights=common["base"].to_numpy()))
    for i, kind in enumerate(common["type"]):
        got = row(comparison, "card_effect_points", kind)
        assert [got["base"], got["variant"]] == pytest.approx([effects[0][i], effects[1][i]], rel=1e-4, abs=1e-4)


# --- many cards at once ----------------------------------------------------------------------------------------------


def test_false_discoveries_are_controlled_over_the_cards_of_a_question(found):
    cards = found.rows.filter(pl.col("q").is_not_null())
    assert set(cards["measure"]) == {name for name in MEASURES if name.startswith("card_")}
    for _, family in cards.group_by("line_up", "measure"):
        assert family["q"].to_numpy() == pytest.approx(stats.benjamini_hochberg(family["p"].to_numpy()))
    real = cards["wording"].is_in([stats.MATTERS, stats.UNCLEAR, stats.NEGLIGIBLE])
    assert (cards.filter(real)["q"] <= 0.05).all()
    assert (cards.filter(~real & (cards["wording"] != IDENTICAL))["q"] > 0.05).all()
    assert found.rows.filter(~pl.col("measure").str.starts_with("card_"))["q"].is_null().all()
    unknown = cards.filter(wording=stats.UNKNOWN)
    assert len(unknown)
    assert (unknown["more_deals"] > 0).all()


def test_a_card_that_hardly_anyone_plays_is_not_said_to_have_changed(tmp_path):
    """With a play or two in an arm there is no error to go by, and there must be no certainty either."""
    asked = []
    for seed in range(1, 16):
        base = FakeRun(blocks=150, bots=(FakeBot("a", "expert"),), line_ups=((0, 0),), dead=("green-2",), seed=seed)
        runs = [
            write(tmp_path / f"{seed}-{noise}", dataclasses.replace(base, noise_seed=noise)) for noise in (0, 9)
        ]
        asked.append(compare(*runs, threads=1).rows.filter(measure="card_win", subject="green-2"))
    told = pl.concat(asked)
    assert told.filter(pl.col("difference").abs() > 0).height > 0
    assert told.filter(pl.col("q") <= 0.05).is_empty()
    assert set(told["wording"]) <= {stats.UNKNOWN, IDENTICAL}


def test_cards_that_are_not_dealt_to_hands_are_asked_only_how_often_they_are_held(pair):
    cards = [card | {"in_hand": card["type"] != "yellow-2"} for card in pair[0].manifest["cards"]]
    table = [dataclasses.replace(run, manifest=run.manifest | {"cards": cards}) for run in pair]
    rows = compare(*table, blocks=400).rows
    assert set(rows.filter(subject="yellow-2")["measure"]) == {"card_held"}
    effects = rows.filter(measure="card_effect_points", line_up=0)
    assert len(effects) == 49
    best = effects.sort("difference", descending=True).row(0, named=True)
    assert best["subject"] == "yellow-10"


# --- reaction --------------------------------------------------------------------------------------------------------


def one_point_more(frame):
    return frame.with_columns(pl.col("score") + 1)


def test_types_that_are_never_dealt_are_left_out_of_the_effects_alone(tmp_path):
    later = ("red-9", "red-10")
    fakes = [dataclasses.replace(fake, undealt=later, line_ups=((0, 0),)) for fake in (BASE, EDITED)]
    found = compare(*(write(tmp_path / str(i), fake) for i, fake in enumerate(fakes)))
    judged = set(found.rows.filter(measure="card_effect_points")["subject"])
    assert len(judged) == 48
    assert not judged & set(later)
    assert set(later) < set(found.rows.filter(measure="card_held")["subject"])
    assert any(note.startswith("2 cards are left out of the effects in the opening hand") for note in found.notes)
    assert row(found, "card_effect_points", "yellow-10")["low"] > 4
    others = found.rows.filter((pl.col("measure") == "card_effect_points") & (pl.col("subject") != "yellow-10"))
    assert not others["wording"].is_in([stats.MATTERS]).any()


def test_scored_differently_and_played_identically_is_said_where_it_is_due(tmp_path, pair):
    base = pair[0]
    richer = compare(base, changed(base, tmp_path / "a", {}, tables={"seats": one_point_more}))
    assert richer.played["no_reaction"].all()
    assert richer.played["text"].str.starts_with(NO_REACTION).all()
    score = row(richer, "score", "weak")
    assert (score["difference"], score["se"]) == (1.0, 0.0)

    def other_play(frame):
        first = pl.col("deal") == 0
        return frame.with_columns(play_hash=pl.when(first).then(pl.col("play_hash") ^ 1).otherwise("play_hash"))

    one = compare(base, changed(base, tmp_path / "b", {}, tables={"seats": one_point_more, "games": other_play}))
    assert not one.played["no_reaction"].any()
    assert one.played["identical"].to_list() == [1 - 2 / 1800] * 3


# --- what cannot be compared -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"game": "chess"}, r"the game \(made-up and chess\)"),
        ({"seed": 2}, r"the seed \(1 and 2\)"),
        ({"score_unit": "francs"}, r"the unit of the score \(points and francs\)"),
        ({"parts": []}, r"score parts \(expeditions in points, bonus in points and none\)"),
        ({"line_ups": [[0, 0], [1, 0], [1, 1]]}, r"line-ups \(.*weak against strong.* and .*strong against weak"),
        ({"ends": ["deck", "time"]}, r"reasons for the end \(deck, cap and deck, time\)"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(pair, edit, said):
    base = pair[0]
    other = dataclasses.replace(base, manifest=base.manifest | edit)
    with pytest.raises(InputError, match=rf"cannot be compared\. They differ in: {said}"):
        compare(base, other)


def test_all_reasons_are_given_at_once(pair):
    base = pair[0]
    bots = [bot | {"hash": "f" * 64} for bot in base.manifest["bots"]]
    other = dataclasses.replace(base, manifest=base.manifest | {"seed": 2, "bots": bots})
    with pytest.raises(InputError) as error:
        compare(base, other)
    for reason in ("the seed (1 and 2)", "code or weights of the bot weak", "code or weights of the bot strong"):
        assert reason in str(error.value)


def test_margins_must_be_positive(pair):
    with pytest.raises(InputError, match="A margin must be above 0"):
        compare(*pair, margin_share=0.0)


def test_nothing_in_common_is_refused(pair):
    first, last = (
        dataclasses.replace(pair[0], shards={k: v for k, v in pair[0].shards.items() if v.first == first})
        for first in (0, 800)
    )
    with pytest.raises(InputError, match="no finished deal in common"):
        compare(first, last)


# --- unequal runs ----------------------------------------------------------------------------------------------------


def test_the_common_deals_are_compared_and_a_note_says_so(tmp_path, pair, found):
    variant = pair[1]
    only = {number: entry for number, entry in variant.shards.items() if entry.first < 800}
    partial = compare(pair[0], dataclasses.replace(variant, shards=only))
    whole = compare(*pair, blocks=800)
    assert partial.deals == whole.deals == 800
    assert partial.rows.equals(whole.rows)
    assert any("800 first deals" in note for note in partial.notes)
    assert any("not finished" in note for note in partial.notes)
    assert not found.notes


def test_another_cut_into_shards_changes_nothing(tmp_path, pair, found):
    """The same games in shards of another size: the same numbers up to rounding."""
    variant = pair[1]
    tables = {name: variant.scan(name).collect() for name in variant.tables}
    described = variant.manifest | {"blocks_per_shard": 250}
    pieces = [(line_up, first, min(first + 250, 900)) for line_up in range(3) for first in range(0, 900, 250)]

    def frames(number):
        line_up, first, last = pieces[number]
        return {
            name: frame.filter(line_up=line_up).filter(pl.col("deal").is_between(first, last, closed="left"))
            for name, frame in tables.items()
        }

    again = compare(pair[0], write_frames(tmp_path / "recut", described, frames, len(pieces)))
    columns = [pl.selectors.float()]
    a, b = (c.rows.filter(pl.col("measure") != "card_effect").select(columns).to_numpy() for c in (found, again))
    assert a == pytest.approx(b, rel=1e-3, abs=1e-4, nan_ok=True)
    assert again.rows["wording"].equals(found.rows["wording"])


def test_logs_without_cards_leave_cards_out(tmp_path):
    fake = FakeRun(blocks=60, bots=BOTS, log="games")
    run = write(tmp_path / "run", fake)
    answer = compare(run, run)
    assert not answer.rows["measure"].str.starts_with("card_").any()
    assert any("Cards are not compared" in note for note in answer.notes)


def test_three_seats(tmp_path):
    fake = FakeRun(blocks=300, bots=BOTS, line_ups=((0, 0, 0), (1, 0, 0)), seats=3, rounds=2, blocks_per_shard=250)
    runs = [write(tmp_path / str(i), f) for i, f in enumerate((fake, dataclasses.replace(fake, first_points=9.0)))]
    answer = compare(*runs)
    shares = answer.rows.filter(measure="order_share", line_up=0)
    assert shares["base"].sum() == pytest.approx(1.0, abs=1e-6)
    assert shares["difference"].sum() == pytest.approx(0.0, abs=1e-6)
    assert row(answer, "order_margin", "0")["wording"] == stats.MATTERS
    assert set(answer.rows.filter(measure="margin_spread", line_up=1)["subject"]) == {"weak", "strong"}


def test_fewer_than_thirty_deals_say_nothing(tmp_path):
    fake = FakeRun(blocks=20, bots=BOTS, log="games")
    runs = [write(tmp_path / str(i), f) for i, f in enumerate((fake, dataclasses.replace(fake, first_points=90.0)))]
    got = row(compare(*runs), "order_margin", "0")
    assert got["wording"] == stats.UNKNOWN
    assert got["more_deals"] == 10


# --- sums ------------------------------------------------------------------------------------------------------------


def test_paired_moments_in_pieces():
    rng = np.random.default_rng(1)
    base = rng.normal(5, 2, (3, 1000))
    variant = base + rng.normal(0.1, 0.5, (3, 1000))
    variant[2] = base[2]
    moments = PairedMoments(3)
    for first, last in itertools.pairwise((0, 1, 400, 1000)):
        moments.add(base[:, first:last], variant[:, first:last])
    expected = [base, variant, variant - base]
    assert moments.mean == pytest.approx(np.array([x.mean(axis=1) for x in expected]))
    assert moments.variance == pytest.approx(np.array([x.var(axis=1, ddof=1) for x in expected]))
    assert moments.differs.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("value", "se", "wording"),
    [
        (0.03, 0.001, stats.MATTERS),
        (-0.03, 0.001, stats.MATTERS),
        (0.0119, 0.001, stats.UNCLEAR),
        (0.012, 0.001, stats.MATTERS),
        (0.005, 0.001, stats.NEGLIGIBLE),
        (0.0009, 0.001, stats.EQUIVALENT),
        (0.0, 0.006, stats.EQUIVALENT),
        (0.0, 0.0061, stats.UNKNOWN),
        (0.009, 0.006, stats.UNKNOWN),
    ],
)
def test_thresholds_of_the_verdict(value, se, wording):
    assert stats.judge(value, se, 1000, 0.01).wording == wording


def test_fake_runs_share_their_luck():
    """What the tests above rest on: the same seed gives both arms the same deals."""
    a, b = (fake_run.shard(fake, 0, 0, 0, 50)["seats"]["score"] for fake in (BASE, EDITED))
    assert np.corrcoef(a, b)[0, 1] > 0.5
