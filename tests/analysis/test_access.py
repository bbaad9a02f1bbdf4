"""Access: what a study plays, and that its table says what was planted."""

import dataclasses
import re

import numpy as np
import polars as pl
import pytest

import fairdeal
from analysis import access, stats
from analysis.access import TABLE, AccessSums, Piece
from analysis.comparison import IDENTICAL
from analysis.studies import access as studies
from simcore import cardset, game, request
from simcore.cardset import CardSet, vary
from simcore.errors import InputError
from simcore.play import Table, play_shard
from tests.analysis.fake_access import NAMES, FakeAccess, interventions
from tests.simcore.conftest import bids  # noqa: F401  # a fixture

# --- the table -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def typical():
    return FakeAccess().made()


def row_of(a, label, outcome="margin", kind="ban"):
    return a.table.filter(label=label, outcome=outcome, kind=kind).row(0, named=True)


def test_a_table_has_its_columns_and_a_row_for_each_card_kind_and_outcome(typical):
    assert dict(typical.table.schema) == TABLE
    assert len(typical.table) == 2 * len(NAMES)
    assert (typical.deals, typical.games, typical.arms) == (4000, 8000, 6)


def test_planted_worths_are_found_and_judged(typical):
    for label, worth, wording in (
        ("Bank", 4.0, stats.MATTERS), ("Inn", 2.0, stats.MATTERS), ("Nun", 0.1, stats.EQUIVALENT),
        ("Quarry", -2.0, stats.MATTERS),
    ):  # fmt: skip
        row = row_of(typical, label)
        assert row["low"] < worth < row["high"]
        assert row["wording"] == wording
        assert row["flagged"] == (label != "Nun")
        assert row["variant"] - row["base"] == pytest.approx(row["value"])
        assert row["used"] == pytest.approx(1 / 3, abs=0.001)
        assert 0.4 < row["differed"] < 0.6


def test_rows_stand_by_the_lower_end_of_the_interval(typical):
    for outcome in ("margin", "share"):
        assert typical.table.filter(outcome=outcome)["low"].is_sorted(descending=True)
    assert typical.rows()[0]["label"] == "Bank"


def test_one_card_that_an_edit_has_changed_stands_first_among_many_that_it_has_not():
    """Under one normal law it would be drawn to the others, with an interval down to below theirs."""
    names = tuple(f"card {i}" for i in range(23))
    before = dict.fromkeys(names, 0.0)
    fake = FakeAccess(worth=(before, before | {"card 7": 2.5}), names=names, blocks=500, apart=11.0, noise_sd=0.0)
    first = fake.made().rows()[0]
    assert (first["label"], first["flagged"], first["wording"]) == ("card 7", True, stats.MATTERS)
    assert first["shrunk"] < first["value"]


def test_a_card_that_changes_nothing_is_worth_exactly_nothing(typical):
    for outcome in ("margin", "share"):
        row = row_of(typical, "Maid", outcome)
        exact = ("value", "se", "low", "high", "shrunk", "shrunk_low", "shrunk_high", "differed")
        assert [row[name] for name in exact] == [0.0] * len(exact)
        assert (row["p"], row["q"], row["flagged"], row["wording"]) == (1.0, 1.0, False, IDENTICAL)


def test_equal_scores_leave_no_rounding_behind():
    """Means over three rotations are no exact floats; in whole units their differences are exactly 0 all the same."""
    rng = np.random.default_rng(2)
    free = rng.integers(-50, 50, (1, 1, 2, 400))
    edited = np.concatenate([free, free - 7], axis=1)
    results = np.concatenate([edited, edited + 3])
    sums = AccessSums(1)
    sums.add(Piece(results, np.array([5]), np.array([5]), 1200, 0))
    table, _ = access.tabulate(FakeAccess(names=("Bank",)).interventions, sums, 3)
    assert table["value"].to_list() == [0.0, 0.0]
    assert table["wording"].to_list() == [IDENTICAL] * 2


def test_the_errors_are_those_of_the_paired_blocks():
    fake = FakeAccess(blocks=300, names=("Bank",))
    (piece,) = fake.pieces()
    row = row_of(fake.made(), "Bank")
    point, _ = access.units(2)
    difference = (piece.results[0, 0, 0] - piece.results[0, 1, 0]) / point
    assert row["value"] == pytest.approx(difference.mean())
    assert row["se"] == pytest.approx(difference.std(ddof=1) / np.sqrt(300))
    degrees = np.count_nonzero(difference) - 1
    assert row["p"] == pytest.approx(float(stats.two_sided_p(row["value"] / row["se"], degrees)))


def test_units_divide_every_win_share_and_margin():
    for seats in range(1, 6):
        point, win = access.units(seats)
        assert point % seats == 0
        assert all(win // seats % winners == 0 for winners in range(1, seats + 1))


def test_two_card_sets_give_the_difference_of_the_worths():
    fake = FakeAccess(
        worth=({"Bank": 1.0, "Inn": 2.0}, {"Bank": 4.0, "Inn": 2.0}), apart=0.5, changes=("Bank: 1 -> 4",)
    )
    a = fake.made()
    bank, inn = row_of(a, "Bank"), row_of(a, "Inn")
    assert bank["low"] < 3.0 < bank["high"]
    assert bank["wording"] == stats.MATTERS
    assert bank["variant"] - bank["base"] == pytest.approx(bank["value"])
    assert abs(inn["value"]) < 0.1
    # The noise that both sets share has cancelled.
    assert bank["se"] < 0.6 * row_of(FakeAccess().made(), "Bank")["se"]
    assert a.sentences[0] == "What changed from standard to edited: Bank: 1 -> 4."
    (said,) = [text for text in a.sentences if text.startswith("Being denied")]
    assert re.match(
        r"Being denied the Bank costs \d\.\d+ points more than before \(95 % interval \d\.\d+ to \d\.\d+; \d\.\d with "
        r"edited, \d\.\d with standard; 4,000 deals, expert against itself\)\.$",
        said,
    )


def test_a_set_against_itself_is_identical():
    worth = {"Bank": 1.0, "Inn": 2.0}
    a = FakeAccess(worth=(worth, worth), apart=0.0, reacted=0.0).made()
    assert set(a.table["value"]) == {0.0}
    assert set(a.table["wording"]) == {IDENTICAL}
    assert "The card sets standard and edited say the same." in a.sentences


def test_bots_that_did_not_react_to_an_edit_are_spoken_of():
    a = FakeAccess(worth=({"Bank": 1.0}, {"Bank": 4.0}), reacted=0.0, changes=("Bank: 1 -> 4",)).made()
    assert any(text.startswith("No bot reacted: scored differently, played identically") for text in a.sentences)
    assert a.reacted == 0


def test_a_card_stands_out_by_the_ends_of_the_intervals_and_the_factor_is_told():
    def told(low):
        first = {"label": "Bank", "value": 4.0, "low": low, "high": 4.3}
        second = {"label": "Inn", "value": 1.9, "low": 1.8, "high": 2.0}
        return access.stands_out(first, second)

    assert told(3.79) == " The Bank stands out: surely worth more than 1.8 times the next."
    assert told(2.5) == ""


def test_page_one_says_what_matters(typical):
    first, second = (text for text in typical.sentences if text.startswith("Being denied"))
    assert re.match(
        r"Being denied the Bank costs [34]\.\d points \(95 % interval \d\.\d to \d\.\d; 4,000 deals, expert against "
        r"itself\)\. One more card costs more than your margin of 1 point: Inn .* \(interval .*\)\. The Bank stands",
        first,
    )
    assert re.match(r"Being denied the Quarry gains [12]\.\d+ points ", second)
    assert any(text.startswith("Nobody would miss Maid: never used in 8,000 free games") for text in typical.sentences)
    assert 4 <= len(typical.sentences) <= access.MOST


def test_a_card_that_harms_its_player_may_be_played_badly_or_help_the_others(typical):
    """A card can give to others by its rules: its worth alone tells no bad play."""
    (said,) = [text for text in typical.sentences if text.startswith("Being denied the Quarry")]
    assert said.endswith(
        "Such a card is too dear, or these bots play it badly, or it helps the others more than its player, as one "
        "does that gives to them by its rules: the numbers cannot tell which."
    )


def test_where_there_are_no_others_a_harmful_card_helps_nobody():
    said = " ".join(FakeAccess(seats=1).made().sentences)
    assert "Such a card is too dear, or these bots play it badly: the numbers cannot tell which." in said


def test_a_sentence_names_a_card_in_short():
    label = "DK01: stores gold, 2 wigs each, at most 6"
    a = FakeAccess(names=(label,), worth=({label: 4.0},)).made()
    assert any(text.startswith("Being denied the DK01 costs") for text in a.sentences)
    assert row_of(a, label)["label"] == label


def test_what_was_left_out_is_counted_and_said(typical):
    assert typical.coverage.rows() == [("cards", "ban", 5, 0)]
    assert not [verdict for verdict in typical.verdicts if verdict.topic == "chosen"]
    a = FakeAccess(left_out=interventions(("Mill", "Gate"), ("ban", "blank"))).made()
    assert a.coverage.rows() == [("cards", "ban", 5, 2), ("cards", "blank", 0, 2)]
    assert (
        "As asked, 5 of 9 ways to deny a card were tried. Nothing is said of the other 4: cards (2 by ban), "
        "cards (2 by blank)."
    ) in a.sentences


def test_where_no_card_passes_the_margin_page_one_says_so():
    a = FakeAccess(margins={"margin_points": 9.0}).made()
    (said,) = [text for text in a.sentences if text.startswith("Denied one at a time")]
    assert "no card surely is worth more than your margin of 9 points; the farthest is Bank +" in said


def test_too_few_deals_say_nothing():
    a = FakeAccess(blocks=8).made()
    assert not a.table["wording"].is_in([stats.MATTERS, stats.NEGLIGIBLE]).any()
    one = FakeAccess(blocks=1).made()
    assert one.table.filter(pl.col("wording") != IDENTICAL)["q"].null_count() > 0
    assert access.sentences(one)


def test_the_false_discovery_rate_is_kept_among_cards_that_are_worth_nothing():
    names = tuple(f"card {i}" for i in range(20))
    fake = FakeAccess(worth=(dict.fromkeys(names, 0.0),), names=names, blocks=200, differs=0.1)
    flagged = [
        dataclasses.replace(fake, seed=seed).made().table.filter(outcome="margin")["flagged"].any()
        for seed in range(120)
    ]
    low, _ = stats.clopper_pearson(sum(flagged), len(flagged), 0.99)
    assert low <= 0.05


# --- play ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def toy(bids: CardSet):  # noqa: F811
    """A study of Bids with every kind of denial."""
    made = studies.plan("bids", bids, "greedy,dice", games=90, seats=3, seed=5)
    return made, studies.result(made, threads=1)


def test_same_tables_for_any_number_of_threads(toy):
    whole, _ = toy
    made = dataclasses.replace(whole, blocks_per_piece=7)
    assert made.pieces == [(0, 7), (7, 14), (14, 21), (21, 28), (28, 30)]
    alone = studies.result(made, threads=1)
    for threads in (2, 3):
        assert studies.result(made, threads=threads).table.equals(alone.table)


def test_how_it_is_cut_changes_no_number(toy):
    made, a = toy
    other = studies.result(dataclasses.replace(made, blocks_per_piece=4))
    numbers = [name for name, kind in TABLE.items() if kind == pl.Float64]
    for name in numbers:
        assert other.table.sort("kind", "type", "outcome")[name].to_numpy() == pytest.approx(
            a.table.sort("kind", "type", "outcome")[name].to_numpy(), abs=1e-9, nan_ok=True
        )


def test_the_arms_are_the_games_of_ordinary_runs(toy):
    """Free and denied margins of place 0 are those that a log of the same deals tells."""
    made, a = toy
    plan = made.plans[0]
    seats = play_shard(dataclasses.replace(plan.shard(0), last=plan.blocks))["seats"]
    own = (pl.col("seat") + pl.col("rotation")) % 3 == 0
    others = (pl.col("score").sum() - pl.col("score")) / 2
    margins = seats.with_columns(margin=(pl.col("score") - others.over("game"))).filter(own)
    for outcome, column in (("margin", "margin"), ("share", "win_share")):
        (free,) = {row["variant"] for row in a.rows(outcome=outcome)}
        assert free == pytest.approx(float(margins[column].mean()))
    assert a.line_up.names == ("greedy", "dice", "dice")


def played(made, kind, type_):
    """The card log of place 0 in the arm of a denial: how many games show the card."""
    plan = made.plans[0]
    (number,) = [i for i, one in enumerate(made.interventions) if (one.kind, one.type) == (kind, type_)]
    table = Table(plan.game, plan.card_set, plan.seats, tuple(plan.bots[i] for i in plan.line_ups[0]), plan.seed)
    table.intervene(made.interventions[number].fields)
    (done,) = table.play(0, plan.blocks, "cards")
    return int(studies._used(made, 0, table, done.stamps)[number])


def test_a_banned_card_is_used_by_others_only(toy):
    made, a = toy
    used = {row["type"]: row["used"] for row in a.rows("ban")}
    assert used["value-12"] > 0.5
    assert played(made, "blank", "value-12") > 0
    # Greedy bids its last card; with a value banned it bids that one only if nothing else is left in its hand.
    assert played(made, "ban", "value-12") < used["value-12"] * a.games / 4


def test_use_is_counted_alike_by_fates_and_by_tallies(toy):
    """Both tell in which games place 0 has shown a card of a value."""
    made, a = toy
    plan = made.plans[0]
    table = Table(plan.game, plan.card_set, plan.seats, tuple(plan.bots[i] for i in plan.line_ups[0]), plan.seed)
    (done,) = table.play(0, plan.blocks, "cards")
    tallied = dataclasses.replace(made)
    tallied.__dict__["asked"] = [
        studies.Denial((dataclasses.replace(one, type=one.type.replace("value-", "any-")),), frozenset())
        for one in made.interventions
    ]
    by_fate = studies._used(made, 0, table, done.stamps)
    assert studies._used(tallied, 0, table, done.stamps).tolist() == by_fate.tolist()
    assert len(set(by_fate.tolist())) > 3
    assert {row["type"]: round(row["used"] * a.games) for row in a.rows("ban")} == {
        one.type: count for one, count in zip(made.interventions, by_fate.tolist(), strict=True) if one.kind == "ban"
    }


def test_progress_counts_all_arms_and_an_error_from_it_ends_the_study(toy):
    made, _ = toy
    seen = []
    studies.play(made, 2, seen.append)
    assert [now.played for now in seen] == sorted(now.played for now in seen)
    assert seen[0].played == 0
    assert seen[-1].played == made.games == made.arms * 90

    def stop(now):
        if now.played:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        studies.play(made, 2, stop)


def test_a_shared_record_is_never_written(toy):
    made, _ = toy
    plan = made.plans[0]
    names = tuple(plan.bots[i] for i in plan.line_ups[0])
    one, two = (Table(plan.game, plan.card_set, plan.seats, names, plan.seed) for _ in range(2))
    one.intervene((("ban_place", 0), ("banned", 1 << 63)))
    assert one.cards.banned == 1 << 63
    assert two.cards.banned == 0
    one.intervene()
    assert one.cards.banned == 0


def test_a_set_beside_itself_is_worth_exactly_the_same(bids: CardSet):  # noqa: F811
    a = studies.study("bids", [bids, bids], "dice", games=40, seats=2, kind="blank")
    assert set(a.table["value"]) == {0.0}
    assert set(a.table["wording"]) == {IDENTICAL}
    assert a.kinds == ("blank",)
    assert a.reacted == 0.0


def test_a_few_cards_are_worth_what_they_are_worth_among_all(toy, bids: CardSet):  # noqa: F811
    """The deals are the same; only what is drawn from all cards together is another."""
    _, every = toy
    made = studies.plan("bids", bids, "greedy,dice", games=90, seats=3, seed=5, kind="ban", only=["value-12", "A 3"])
    a = studies.result(made)
    chosen = every.table.filter(pl.col("label").is_in(["a 12", "a 3"]), kind="ban")
    alone = [name for name in TABLE if name not in ("q", "flagged") and not name.startswith("shrunk")]
    assert a.table.select(alone).equals(chosen.select(alone))
    for outcome in ("margin", "share"):
        table = a.table.filter(outcome=outcome)
        assert table["q"].to_numpy() == pytest.approx(stats.benjamini_hochberg(table["p"].to_numpy()))
    assert (a.arms, a.games) == (3, 90)
    assert a.coverage.rows() == [("cards", "ban", 2, 11), ("cards", "blank", 0, 13)]


# --- what is declared ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game.BUILT_IN)
def test_interventions_name_cards_and_fields_that_there_are(name):
    declared = game.get(name)
    card_set = cardset.load(declared.schema, declared.default_card_set)
    for seats in declared.seats:
        logged = {card.type: card for card in declared.log_cards(card_set, seats)}
        found = declared.interventions(card_set, seats)
        assert len({(one.kind, one.type) for one in found}) == len(found)
        for one in found:
            card = logged[one.types[0] if one.types else one.type]
            assert one.kind in game.KINDS
            assert one.group == card.group
            assert one.types or one.label == card.label
            assert {logged[kind].group for kind in one.types} <= {one.group}
            assert one.uses
            assert set(one.uses) <= {*(declared.tallies if card.tallied else (*declared.gains, *declared.fates))}
            assert {field for field, _ in one.fields} <= set(declared.cards.names)


def test_valletta_denies_every_type_of_building_and_every_character():
    declared = game.get("valletta")
    card_set = cardset.load(declared.schema, "standard")
    found = declared.interventions(card_set, 4)
    letters = dict.fromkeys(row["letter"] for row in card_set.tables["buildings"])
    bans = [one for one in found if one.kind == "ban"]
    assert [one.type for one in bans] == [f"building_{letter}" for letter in letters]
    banned = [dict(one.fields)["banned"] for one in bans]
    assert sum(banned) == 2 ** len(card_set.tables["buildings"]) - 1
    bank = next(one for one in bans if one.label == "Bank")
    assert dict(bank.fields)["banned"].bit_count() == 3
    characters = [one for one in found if "blanked" in dict(one.fields)]
    assert len(characters) == len(card_set.tables["characters"])
    bare = [one for one in found if "bare" in dict(one.fields)]
    assert [(one.type, dict(one.fields)["bare"]) for one in bare] == [
        (one.type, dict(one.fields)["banned"]) for one in bans
    ]
    assert len(found) == len(bans) + len(bare) + len(characters)


@pytest.mark.parametrize(
    ("only", "kind", "count"),
    [
        ("Ships", None, 4),
        ("dk01", None, 2),
        ("dk01", "blank", 1),
        ("decree_dk01", "ban", 1),
        ("DK01: stores gold, 2 wigs each, at most 6", "ban", 1),
        ("block row *", None, 25),
        (["ships", "block row A", "CK0*"], None, 4 + 5 + 9),
        (["decree", "DK01"], "ban", 35),
        ((), "ban", 60),
        ("*", None, 200),
    ],
)
def test_cards_are_chosen_by_their_name_or_group_and_kind(only, kind, count):
    made = studies.plan("lisboa", bots="uniform", games=3, seats=3, only=only, kind=kind)
    assert len(made.interventions) == count
    assert len(made.interventions) + len(made.left_out) == 200


# --- two card sets -------------------------------------------------------------------------------------------------


def of_lost_cities(*changes, **others):
    """A study of the base set of Lost Cities and of an edit of it."""
    base = request.load_cards("lost-cities", "base")
    edited = vary.edited(base, {vary.read(base, [f"{path}={value}"])[0].path: value for path, value in changes})
    return studies.plan("lost-cities", [base, edited], "uniform", games=20, **others)


def test_a_card_whose_row_was_edited_is_denied_in_both_sets():
    made = of_lost_cities(("cards.Y10.value", 14), kind="ban")
    assert len(made.interventions) == 50
    ((number, one),) = [(i, one) for i, one in enumerate(made.interventions) if one.type == "yellow-14"]
    assert one.label == "yellow 10 (now 14)"
    # In either set its own card is denied.
    for plan, fields in zip(made.plans, made.fields, strict=True):
        code = {card.id: card.code for card in game.get("lost-cities").log_cards(plan.card_set, 2)}
        assert fields[1 + number] == (("ban_place", 0), ("ban_code", code["Y10"]))
    first = studies.result(made, threads=1).rows()
    assert sum(row["label"] == "yellow 10 (now 14)" for row in first) == 1


def test_a_row_that_joins_other_cards_is_not_compared_with_the_card_that_it_was():
    made = of_lost_cities(("cards.Y10.value", 9), kind="ban")
    labels = [one.label for one in made.interventions]
    assert len(labels) == 49
    assert "yellow 9" in labels
    assert not [label for label in labels if "10" in label and label.startswith("yellow")]
    assert made.unmatched == ("yellow 10 (in base alone)",)
    assert (
        "Not compared: yellow 10 (in base alone). Only what both card sets have is: cards that stand for the same "
        "rows, else cards of the same name."
    ) in studies.result(made, threads=1).sentences


def test_what_was_not_asked_for_is_not_told_as_missing():
    assert of_lost_cities(("cards.Y10.value", 9), only="blue").unmatched == ()
    assert of_lost_cities(("cards.Y10.value", 14)).unmatched == ()
    made = of_lost_cities(("cards.YW3.value", 0))
    assert (made.unmatched, len(made.interventions)) == ((), 100)


@pytest.mark.parametrize("word", ["yellow 10", "yellow 14", "yellow-14", "Y10", "yellow 10 (now 14)"])
def test_a_renamed_card_is_chosen_by_either_name_or_by_its_row(word):
    (one,) = of_lost_cities(("cards.Y10.value", 14), kind="ban", only=word).interventions
    assert one.type == "yellow-14"


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_a_game_without_interventions_is_refused(monkeypatch):
    without = dataclasses.replace(game.get("vaalbara"), interventions=game.Game.interventions)
    monkeypatch.setitem(game._games, "vaalbara", without)
    with pytest.raises(InputError, match=r"Vaalbara declares no way to deny .* Games that have: .*valletta"):
        studies.plan("vaalbara", seats=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"kind": "burn"}, "no kind 'burn' of denying a card. Allowed: ban, blank"),
        ({"seats": None}, "say how many seats"),
        ({"bots": "uniform,uniform,uniform"}, "about one bot, in self-play or in a field of a second one; 3 are named"),
        ({"bots": "experd"}, "unknown bot 'experd'"),
        ({"games": 0}, "at least 1, not 0"),
        ({"cards": ["standard"] * 3}, "one card set or two, not 3"),
        ({"only": "bonk"}, r"unknown card or group 'bonk'. Did you mean Bank.* Known: green buildings, .*, Bank, "),
        ({"only": ["Bank", ""]}, "unknown card or group ''. Known: green buildings, "),
        ({"only": "characters", "kind": "ban"}, "there is no ban of 'characters'. Known: green buildings, "),
        ({"only": "bonk", "cards": ["standard"] * 2}, "Only what both card sets have is compared"),
    ],
)
def test_mistakes_are_told(words, message):
    with pytest.raises(InputError, match=message):
        studies.plan("valletta", **{"seats": 2, **words})


@pytest.mark.parametrize("margins", [{"margin_points": 0.0}, {"margin_share": -1.0}, {"margin_points": float("nan")}])
def test_a_margin_must_be_positive(margins):
    with pytest.raises(InputError, match="above 0 and finite"):
        fairdeal.access("valletta", bots="uniform", games=2, seats=2, **margins)


def test_who_plays():
    line_ups = {
        None: 1, "uniform": 1, "uniform,greedy": 2, ("greedy", "uniform"): 2,
    }  # fmt: skip
    for bots, distinct in line_ups.items():
        plan = studies.plan("valletta", bots=bots, seats=3).plans[0]
        assert len(plan.bots) == distinct
        assert plan.line_ups == (((0, 1, 1) if distinct == 2 else (0, 0, 0)),)
