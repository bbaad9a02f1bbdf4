"""Card impact against brute force on the log, and on planted effects and on none."""

import dataclasses
import math

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

from analysis import cards, stats
from analysis.blocks import line_ups
from analysis.cards import CardTypes, card_impact
from simcore import manifest as manifests
from tests.analysis import fake_run
from tests.analysis.fake_run import COLOURS, FakeBot, FakeRun, manifest, shard, write, write_frames

ONE = (FakeBot("a", "expert"),)
PLANTED = {"yellow-10": 3.0, "red-wager": 1.5, "blue-2": -3.0}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """8,000 deals of self-play with three planted effects; the red wager is a trap: played mostly by those who lose."""
    fake = FakeRun(
        blocks=8000, bots=ONE, line_ups=((0, 0),), effects=PLANTED, trap=("red-wager",), dead=("green-2",), noise_sd=8.0
    )
    run = write(tmp_path_factory.mktemp("planted"), fake)
    return run, card_impact(run, line_ups(run.manifest)[0])


def effects(found, outcome="margin"):
    return {row["type"]: row for row in found.effects.filter(outcome=outcome).iter_rows(named=True)}


def relative_truth(planted):
    """Planted effects less their mean over all 60 cards."""
    copies = dict(zip(CardTypes.of(manifest(FakeRun())).names, CardTypes.of(manifest(FakeRun())).copies, strict=True))
    mean = sum(planted.get(name, 0.0) * count for name, count in copies.items()) / 60
    return {name: planted.get(name, 0.0) - mean for name in copies}


# --- the types -------------------------------------------------------------------------------------------------------


def test_copies_are_one_type():
    types = CardTypes.of(manifest(FakeRun()))
    assert len(types.names) == 50
    assert types.copies[:3] == (3, 1, 1)
    assert types.columns[:4] == ("YW1", "YW2", "YW3", "Y02")
    assert types.labels[0] == "yellow wager"


def test_cards_of_a_type_need_not_stand_together():
    rows = [
        {"id": "a", "label": "x", "type": "x", "group": "g", "in_hand": True, "tallied": False},
        {"id": "b", "label": "y", "type": "y", "group": "g", "in_hand": True, "tallied": False},
        {"id": "c", "label": "x too", "type": "x", "group": "g", "in_hand": True, "tallied": False},
        {"id": "d", "label": "z", "type": "z", "group": "g", "in_hand": False, "tallied": True},
    ]
    types = CardTypes.of({"cards": rows})
    assert (types.columns, types.starts, types.copies) == (("a", "c", "b"), (0, 2), (2, 1))
    assert types.labels == ("x", "y")  # the copies' labels differ, so the type's name is shown


# --- tier (b) --------------------------------------------------------------------------------------------------------


def test_planted_effects_are_found_and_no_others(planted):
    _, found = planted
    truth = relative_truth(PLANTED)
    for name, row in effects(found).items():
        assert abs(row["value"] - truth[name]) <= 4 * row["se"], name
        assert row["flagged"] == (name in PLANTED), name
    assert {name for name, row in effects(found, "share").items() if row["flagged"]} == set(PLANTED)
    assert effects(found)["yellow-10"]["wording"] == stats.MATTERS
    assert found.effects["type"][0] == "yellow-10"  # sorted by the lower bound
    assert found.spread["margin"] == pytest.approx(np.std([truth[n] for n in truth]), rel=0.4)


def test_effects_sum_to_zero_over_the_cards(planted):
    _, found = planted
    assert found.relative
    copies = dict(found.types.select("type", "copies").iter_rows())
    for outcome in ("margin", "share"):
        assert sum(row["value"] * copies[name] for name, row in effects(found, outcome).items()) == pytest.approx(
            0, abs=1e-6
        )


def test_the_regression_is_that_of_statsmodels_on_the_raw_log(two_seats):
    # 900 deals are fewer than the most batches: every deal is its own cluster, as the definition has it.
    line_up = line_ups(two_seats.manifest)[1]
    found = card_impact(two_seats, line_up)
    log = two_seats.scan("cards").filter(pl.col("line_up") == 1).collect()
    types = CardTypes.of(two_seats.manifest)
    own, other = log.filter(pl.col("seat") == 0), log.filter(pl.col("seat") == 1)

    def hands(rows):
        codes = rows.select(types.columns).to_numpy() >> 6 == 1
        return np.add.reduceat(codes.astype(int), types.starts, axis=1)

    cards_x = hands(own) - hands(other)
    order = np.where(own["order"].to_numpy() == 0, 1, -1)
    bot = np.where(own["rotation"].to_numpy() == 0, -1, 1)
    # The last card is dropped: its coefficient is 0, and all others are relative to it.
    x = np.column_stack([cards_x[:, :-1], order, bot])
    copies = np.array(types.copies)
    for outcome, y in (
        ("margin", (own["points"] - other["points"]).to_numpy()),
        ("share", own["win_share"].to_numpy().astype(float) - 0.5),
    ):
        known = sm.OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": own["deal"].to_numpy()})
        raw = np.append(known.params[:-2], 0)
        centred = raw - raw @ copies / copies.sum()
        found_by_type = effects(found, outcome)
        assert [found_by_type[name]["value"] for name in types.names] == pytest.approx(centred, abs=1e-4)
        shift = np.eye(50) - np.outer(np.ones(50), copies / copies.sum())
        covariance = np.zeros((50, 50))
        covariance[:49, :49] = known.cov_params()[:-2, :-2]
        # Another factor for small samples (see clustered_ols): G/(G-p) instead of G/(G-1) (N-1)/(N-p).
        factor = 899 / (900 - 51) * (1800 - 51) / 1799
        se = np.sqrt(factor * np.diag(shift @ covariance @ shift.T))
        assert [found_by_type[name]["se"] for name in types.names] == pytest.approx(se, rel=1e-4)


def test_batches_of_deals_give_the_same_effects_and_nearly_the_same_errors(planted, monkeypatch):
    run, by_deal = planted
    monkeypatch.setattr(cards, "MOST_BATCHES", 700)
    batched = card_impact(run, line_ups(run.manifest)[0])
    for outcome in ("margin", "share"):
        a, b = effects(by_deal, outcome), effects(batched, outcome)
        assert [b[n]["value"] for n in a] == pytest.approx([a[n]["value"] for n in a], abs=1e-4)
        ratios = np.array([b[n]["se"] / a[n]["se"] for n in a])
        assert np.mean(ratios) == pytest.approx(1, abs=0.05)
        assert ratios.std() < 0.08
    left, right = (r.association.sort("type", "category", "outcome") for r in (by_deal, batched))
    assert right["value"].to_numpy() == pytest.approx(left["value"].to_numpy(), rel=1e-5)


def test_threads_change_nothing(planted):
    run, found = planted
    line_up = line_ups(run.manifest)[0]
    assert card_impact(run, line_up, threads=1).effects.equals(card_impact(run, line_up, threads=4).effects)
    assert found.n == 8000


def permuted(run, monkeypatch, seed):
    """Let the card log's outcomes be those of other deals: the null, with the real hands and the real outcomes."""
    whole = run.scan("cards").collect()
    per_deal = len(whole) // whole["deal"].n_unique()
    deals = np.random.default_rng(seed).permutation(len(whole) // per_deal)
    rows = (deals[:, None] * per_deal + np.arange(per_deal)).ravel()
    shuffled = whole.with_columns(whole[rows].select("points", "win_share"))
    monkeypatch.setattr(cards, "read_part", lambda *_: shuffled)
    return dataclasses.replace(run, shards={0: run.shards[0]})


def test_outcomes_permuted_over_deals_flag_nothing_too_often(tmp_path, monkeypatch):
    run = write(tmp_path, FakeRun(blocks=500, bots=ONE, line_ups=((0, 0),), effects=PLANTED))
    runs, flagged = 40, {"margin": 0, "share": 0}
    z = []
    for seed in range(runs):
        null = card_impact(permuted(run, monkeypatch, seed), line_ups(run.manifest)[0], threads=1)
        for outcome in flagged:
            flagged[outcome] += any(row["flagged"] for row in effects(null, outcome).values())
        z += [row["value"] / row["se"] for row in effects(null).values()]
        monkeypatch.undo()
    for count in flagged.values():
        assert stats.clopper_pearson(count, runs, 0.99)[0] <= 0.05
    # 2,000 intervals: 95 % of them cover the truth, which is 0.
    assert np.mean(np.abs(z) <= 1.96) == pytest.approx(0.95, abs=0.02)


def test_two_names_for_one_card_get_equal_effects(tmp_path):
    fake = FakeRun(blocks=6000, bots=ONE, line_ups=((0, 0),), effects={"yellow-10": 3.0, "blue-10": 3.0}, noise_sd=8.0)
    run = write(tmp_path, fake)
    found = effects(card_impact(run, line_ups(run.manifest)[0]))
    a, b = found["yellow-10"], found["blue-10"]
    assert abs(a["value"] - b["value"]) <= 3 * math.hypot(a["se"], b["se"])
    assert a["flagged"]
    assert b["flagged"]


def test_a_match_of_rounds_and_three_seats(tmp_path):
    fake = FakeRun(
        blocks=4000, bots=ONE, line_ups=((0, 0, 0),), seats=3, rounds=3, effects={"yellow-10": 6.0}, noise_sd=8.0
    )
    run = write(tmp_path, fake)
    found = card_impact(run, line_ups(run.manifest)[0])
    top = effects(found)["yellow-10"]
    assert abs(top["value"] - 5.9) <= 4 * top["se"]
    assert found.effects["type"][0] == "yellow-10"
    # A round's margin is the round's, the win is the whole match's.
    share = effects(found, "share")["yellow-10"]
    assert share["flagged"]
    assert share["value"] < 0.2


# --- cards of a later deck, and cards that hardly come up ------------------------------------------------------------

RED = tuple(f"red-{value}" for value in ("wager", *range(2, 11)))


def test_types_that_are_never_dealt_are_left_out_and_the_others_judged(tmp_path):
    planted = PLANTED | {"red-5": 20.0}
    fake = FakeRun(blocks=5000, bots=ONE, line_ups=((0, 0),), effects=planted, undealt=RED, noise_sd=8.0)
    run = write(tmp_path, fake)
    found = card_impact(run, line_ups(run.manifest)[0])
    assert (found.undealt, found.rare) == (RED, ())
    assert found.relative
    assert found.why_not is None
    by_type = effects(found)
    assert set(by_type) == set(CardTypes.of(run.manifest).names) - set(RED)
    mean = (3.0 - 3.0) / 48  # of the 48 cards that are dealt; the red wager is none of them
    for name, row in by_type.items():
        assert abs(row["value"] - (PLANTED.get(name, 0.0) - mean)) <= 4 * row["se"], name
        assert row["flagged"] == (name in PLANTED), name
    assert "drawn" in set(found.association.filter(type="red-5")["category"])


def test_without_planted_effects_nothing_is_flagged_where_types_are_left_out(tmp_path):
    run = write(tmp_path, FakeRun(blocks=1500, bots=ONE, line_ups=((0, 0),), undealt=RED, seed=4))
    found = card_impact(run, line_ups(run.manifest)[0])
    assert not found.effects["flagged"].any()
    assert not found.effects["alarm"].any()


@pytest.mark.parametrize("seats", [2, 3])
def test_types_that_are_dealt_too_rarely_are_not_judged_and_spoil_nothing(tmp_path, seats):
    # An effect as large as this would be seen in the twenty deals in which the card comes up.
    fake = FakeRun(
        blocks=3000, bots=ONE, line_ups=((0,) * seats,), seats=seats, undealt=RED[2:], seldom=RED[:2], noise_sd=8.0,
        effects={"yellow-10": 4.0, "red-2": 90.0},
    )  # fmt: skip
    run = write(tmp_path, fake)
    found = card_impact(run, line_ups(run.manifest)[0])
    assert (found.undealt, found.rare) == (RED[2:], RED[:2])
    assert found.relative
    by_type = effects(found)
    assert not set(by_type) & set(RED)
    assert {name for name, row in by_type.items() if row["flagged"]} == {"yellow-10"}
    copies = dict(found.types.select("type", "copies").iter_rows())
    assert sum(row["value"] * copies[name] for name, row in by_type.items()) == pytest.approx(0, abs=1e-6)


def test_types_of_which_play_decides_how_many_are_dealt_are_left_out(tmp_path):
    fake = FakeRun(blocks=1500, bots=ONE, line_ups=((0, 0),), effects={"yellow-10": 5.0}, undealt=RED, noise_sd=8.0)
    plain = write(tmp_path / "plain", fake)

    def frames(number):
        made = shard(fake, 0, number, *manifests.cut(plain.manifest).blocks_of(number)[1:])
        # Red cards come later, some players get more than others, and the log calls that dealt too.
        red = [card["id"] for card in fake_run.cards() if card["group"] == "red"]
        drawn = pl.col(red) // 64 == 2
        made["cards"] = made["cards"].with_columns(pl.when(drawn).then(pl.col(red) - 64).otherwise(pl.col(red)))
        return made

    run = write_frames(tmp_path / "later", plain.manifest, frames, len(plain.shards))
    found, known = (card_impact(r, line_ups(r.manifest)[0]) for r in (run, plain))
    assert (found.uneven, found.undealt, found.rare) == (RED, (), ())
    assert found.effects.equals(known.effects)
    assert found.effects["type"][0] == "yellow-10"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_of_two_decks_are_judged_each_against_its_own_average(seats):
    # Everybody is dealt three of the first 36 cards and two of the others.
    dice = np.random.default_rng(seats)
    described = manifest(FakeRun(seats=seats, line_ups=((0,) * seats,), bots=ONE))
    reader = cards.CardReader(
        dataclasses.make_dataclass("R", ["manifest", "blocks"])(described, 800), line_ups(described)[0]
    )
    types, deals = reader.types, 800
    type_of = np.repeat(np.arange(50), types.copies)
    truth = np.zeros(50)
    truth[[0, 9, 40]] = 4.0, -4.0, 6.0
    xx, xy = (
        np.zeros((deals, reader.parameters, reader.parameters), dtype=np.float32),
        np.zeros((deals, reader.parameters, 2)),
    )
    for deal in range(deals):
        decks = (dice.permutation(36), 36 + dice.permutation(24))
        hands = [
            np.bincount(
                type_of[np.concatenate([decks[0][3 * s : 3 * s + 3], decks[1][2 * s : 2 * s + 2]])], minlength=50
            )
            for s in range(seats)
        ]
        for s in reader.viewpoints:
            other = sum(hands[k] for k in range(seats) if k != s) / (seats - 1)
            x = np.concatenate([hands[s] - other, dice.choice([-1.0, 1.0], reader.parameters - 50)]).astype(np.float32)
            y = x[:50] @ truth + dice.normal(0, 2.0)
            xx[deal] += np.outer(x, x)
            xy[deal] += np.outer(x, [y, y])
    found = cards.opening_hands(xx, xy, reader, deals)
    first = np.isin([types.groups[i] for i in found.types], COLOURS[:3])
    assert len(found.types) == 50
    assert len({s for s, of in zip(found.sets, first, strict=True) if of}) == 1
    assert len(set(found.sets)) == 2
    copies = np.array(types.copies)
    for of in (first, ~first):
        value = found.fit.coefficients[:50, 0][of]
        assert copies[of] @ value == pytest.approx(0, abs=1e-4)
        relative = truth[of] - copies[of] @ truth[of] / copies[of].sum()
        assert (np.abs(value - relative) <= 4.5 * found.fit.se()[:50, 0][of]).all()


def test_the_shared_column_of_rare_types_is_the_regression_without_them_where_they_never_come(tmp_path):
    run = write(tmp_path, FakeRun(blocks=600, bots=ONE, line_ups=((0, 0),), undealt=RED))
    reader = cards.CardReader(run, line_ups(run.manifest)[0])
    sums = [reader.read(shard) for shard in run.shards]
    xx, xy = (np.concatenate([getattr(part, name) for part in sums]) for name in ("xx", "xy"))
    found = cards.opening_hands(xx, xy, reader, 600)
    kept = [i for i in range(reader.parameters) if i not in found.undealt]
    copies = [reader.types.copies[i] for i in found.types] + [0]
    plain = stats.clustered_ols(xx[:, kept][:, :, kept], xy[:, kept], copies)
    assert found.fit.coefficients == pytest.approx(plain.coefficients)
    assert found.fit.se() == pytest.approx(plain.se())


def test_where_all_hands_are_alike_there_is_nothing_to_judge(tmp_path):
    run = write(tmp_path, FakeRun(blocks=40, bots=ONE, line_ups=((0, 0),)))
    reader = cards.CardReader(run, line_ups(run.manifest)[0])
    p = reader.parameters
    found = cards.opening_hands(np.zeros((40, p, p)), np.zeros((40, p, 2)), reader, 40)
    assert found.fit is None
    assert found.why_not == "All first hands hold the same cards."


# --- tier (a) --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run_name", ["two_seats", "three_seats"])
def test_associations_are_the_means_of_the_log(run_name, request):
    run = request.getfixturevalue(run_name)
    n = run.manifest["seats"]
    found = card_impact(run, line_ups(run.manifest)[1])
    log = run.scan("cards").filter(pl.col("line_up") == 1).collect()
    others = (pl.col("points").sum().over("game", "round") - pl.col("points")) / (n - 1)
    log = log.with_columns(margin=pl.col("points") - others)
    ids = ["GW1", "GW2", "GW3"]
    codes = log.select(ids).to_numpy()
    counts = {
        "never seen": (codes >> 6 == 0).sum(axis=1),
        "dealt": (codes >> 6 == 1).sum(axis=1),
        "drawn": (codes >> 6 == 2).sum(axis=1),
        "taken": (codes >> 6 == 3).sum(axis=1),
        "kept": ((codes >> 6 > 0) & (codes >> 4 & 3 == 0)).sum(axis=1),
        "played": (codes >> 4 & 3 == 1).sum(axis=1),
        "discarded": (codes >> 4 & 3 == 2).sum(axis=1),
    }
    table = found.association.filter(type="green-wager")
    assert set(table["category"]) == set(counts)
    for category, count in counts.items():
        for outcome, column in (("margin", "margin"), ("share", "win_share")):
            row = table.filter(category=category, outcome=outcome).row(0, named=True)
            y = log[column].to_numpy()
            mean = (count * y).sum() / count.sum()
            assert row["value"] == pytest.approx(mean, rel=1e-4, abs=1e-4)
            assert row["cases"] == count.sum()
            by_deal = (
                log.select("deal", u=pl.Series((y - mean) * count / count.sum())).group_by("deal").agg(pl.sum("u"))
            )
            u = by_deal["u"].to_numpy()
            k = log.filter(pl.Series(count > 0))["deal"].n_unique()
            half = float(stats.t_value(k - 1)) * math.sqrt(k / (k - 1) * (u**2).sum())
            assert (row["high"] - row["low"]) / 2 == pytest.approx(half, rel=1e-3)


@pytest.mark.parametrize("cases", [2, 3, 5, 20])
def test_what_few_have_played_is_known_from_those_few(cases):
    rng = np.random.default_rng(cases)
    hits = []
    for _ in range(2000):
        over, under = np.zeros((400, 1)), np.zeros((400, 1))
        under[:cases], over[:cases, 0] = 1, rng.normal(size=cases)
        mean, influence = cards.ratio(over, under)
        se, free = cards.error_of_cases(influence, (under > 0).sum(axis=0))
        hits.append(abs(mean[0]) <= stats.t_value(free)[0] * se[0])
    assert np.mean(hits) == pytest.approx(0.95, abs=0.02)


def test_a_card_that_hardly_anyone_has_played_has_wide_intervals(tmp_path):
    run = write(tmp_path, FakeRun(blocks=100, bots=ONE, line_ups=((0, 0),), dead=("green-2",), seed=3))
    rows = card_impact(run, line_ups(run.manifest)[0]).association.filter(type="green-2", category="played")
    margin, share = (rows.filter(outcome=outcome).row(0, named=True) for outcome in ("margin", "share"))
    assert margin["cases"] == 1
    assert (margin["low"], margin["relative_low"]) == (None, None)  # one margin tells nothing about others
    assert (share["low"], share["high"]) == (0, 1)
    assert share["relative_high"] - share["relative_low"] == pytest.approx(1)


def test_use_is_the_share_of_held_copies_that_are_played(planted):
    run, found = planted
    codes = run.scan("cards").select("G02").collect().to_numpy().ravel()
    row = found.types.filter(type="green-2").row(0, named=True)
    held = (codes >> 6 > 0).sum()
    assert row["use"] == pytest.approx(((codes >> 4) & 3 == 1).sum() / held)
    assert row["held"] == pytest.approx(held / len(codes))
    assert row["use_low"] <= row["use"] <= row["use_high"] < 0.01
    assert found.types.filter(type="green-3")["use"][0] > 0.5


def test_a_card_that_is_never_played_is_as_sure_as_its_deals(tmp_path):
    # Both legs of a deal are one game played twice: 3/n counts each held copy once.
    bots = (FakeBot("a", "expert", deterministic=True),)
    run = write(tmp_path, FakeRun(blocks=100, bots=bots, line_ups=((0, 0),), dead=("green-2",)))
    row = card_impact(run, line_ups(run.manifest)[0]).types.filter(type="green-2").row(0, named=True)
    held = (run.scan("cards").select("G02").collect().to_numpy() >> 6 > 0).sum()
    assert (row["use"], row["use_low"]) == (0, 0)
    assert row["use_high"] == pytest.approx(3 / (held / 2))


def test_the_alarm_sounds_where_playing_and_owning_disagree(planted):
    _, found = planted
    assert set(found.effects.filter("alarm")["type"]) == {"red-wager"}
    played = found.association.filter(type="red-wager", category="played", outcome="margin").row(0, named=True)
    assert played["relative_high"] < 0 < effects(found)["red-wager"]["low"]


# --- what cannot be had ----------------------------------------------------------------------------------------------


def test_too_few_deals_give_no_effects_but_say_why(tmp_path):
    run = write(tmp_path, FakeRun(blocks=30, bots=ONE, line_ups=((0, 0),)))
    found = card_impact(run, line_ups(run.manifest)[0])
    assert len(found.effects) == 0
    assert "Too few deals: 30" in found.why_not
    assert len(found.association)


def test_without_an_opening_hand_there_is_no_randomised_tier(planted):
    run, _ = planted
    renamed = dataclasses.replace(run, manifest=run.manifest | {"gains": ["bought", "drawn", "taken"]})
    found = card_impact(renamed, line_ups(run.manifest)[0])
    assert "dealt to a hand" in found.why_not
    assert "bought" in set(found.association["category"])


def test_without_a_card_log_there_is_nothing(tmp_path):
    run = write(tmp_path, FakeRun(blocks=30, bots=ONE, line_ups=((0, 0),), log="games"))
    assert card_impact(run, line_ups(run.manifest)[0]) is None
