"""Page one on made-up games whose truth is known."""

import dataclasses
import re

import pytest

from analysis import verdicts
from analysis.balance import analyse
from analysis.seats import Compensation
from analysis.stats import Estimate
from tests.analysis.fake_run import COLOURS, FakeBot, FakeRun, write

EXPERT = FakeBot("expert", "expert", 12.0)
NOVICE = FakeBot("novice", "simple", 6.0)
RANDOM = FakeBot("uniform", "random", 0.0)
SELF = ((0, 0),)


def page(folder, shards=None, margin_points=1.0, margin_share=0.01, **planted):
    defaults = {"bots": (EXPERT,), "line_ups": SELF, "blocks": 8000, "noise_sd": 6.0, "luck_sd": 6.0, "log": "games"}
    run = write(folder, FakeRun(**(defaults | planted)), shards)
    balance = analyse(run, margin_points, margin_share)
    texts = {verdict.topic: verdict for verdict in balance.verdicts}
    assert len(texts) == len(balance.verdicts) <= verdicts.MOST
    assert [v.weight for v in balance.verdicts] == sorted((v.weight for v in balance.verdicts), reverse=True)
    return texts


def test_an_unfair_start(tmp_path):
    found = page(tmp_path, first_points=4.0)
    first = found["going first"]
    assert re.match(
        r"Going first is worth \+\d+\.\d percentage points of wins \(95 % interval \+\d+\.\d to \+\d+\.\d; 16,000 "
        r"games, expert against itself\)\. Your margin is 1 percentage point: not fair\.",
        first.text,
    )
    assert first.tone == verdicts.BAD
    assert re.match(r"Give the second player [345] points to even it out \(interval ", found["compensation"].text)


def test_a_start_that_costs(tmp_path):
    found = page(tmp_path, first_points=-4.0)
    text = found["going first"].text
    assert re.match(r"Going first costs \d+\.\d percentage points of wins \(95 % interval \d+\.\d to \d+\.\d; ", text)
    assert re.match(
        r"Give the first player [345] points to even it out \(interval [34] to [45];", found["compensation"].text
    )


def test_the_points_that_are_advised_and_those_that_were_checked_are_told_apart(tmp_path):
    fake = FakeRun(blocks=400, bots=(EXPERT,), line_ups=SELF, first_points=20.0, log="games")
    balance = analyse(write(tmp_path / "run", fake))
    e = Estimate(4.0, 3.0, 5.0, 400, 800, "points")
    share = Estimate(0.51, 0.49, 0.53, 200, 400, "share")

    def told(k):
        turn_order = dataclasses.replace(balance.main.turn_order, compensation=Compensation(e, (), k, share))
        main = dataclasses.replace(balance.main, turn_order=turn_order)
        return verdicts.compensation(dataclasses.replace(balance, line_ups=(main,))).text

    then = "the first one then wins 51.0 % of the other half, which chose nothing (95 % interval 49.0 to 53.0)."
    assert told(4.0).startswith("Give the second player 4 points to even it out (interval 3 to 5; ")
    assert f"). Checked: half of the deals alone advise as much, and {then} Players" in told(4.0)
    assert told(3.0).startswith("Give the second player 4 points to even it out (interval 3 to 5; ")
    assert (
        "). This number is by all deals; checked was that by half of them alone, 3 points for the second player: "
        f"{then} Players"
    ) in told(3.0)


def test_a_fair_start(tmp_path):
    found = page(tmp_path, margin_share=0.03)
    assert found["going first"].tone == verdicts.GOOD
    assert found["going first"].text.endswith("fair.")
    assert "compensation" not in found


def test_an_unknown_start(tmp_path):
    found = page(tmp_path, blocks=150)
    text = found["going first"].text
    assert text.startswith("Not yet known: whether going first passes your margin of 1 percentage point.")
    assert re.search(r"About [\d,]+0 more games a line-up \([\d,]+0 deals\) would tell\.$", text)


def test_one_strong_card(tmp_path):
    found = page(tmp_path, log="cards", effects={"white-7": 4.0})
    text = found["strong cards"].text
    assert text.startswith(
        "One card is stronger than the rest by more than your margin of 1 point: in the opening hand, "
    )
    assert re.search(
        r"against an average card, white 7 \+[34]\.\d points \(interval \+3\.\d to \+4\.\d\); 16,000 games", text
    )
    assert "weak cards" not in found


def test_many_weak_cards_are_counted_and_three_are_named(tmp_path):
    weak = {f"white-{v}": -5.0 for v in (2, 3, 4, 5)}
    text = page(tmp_path, log="cards", effects=weak)["weak cards"].text
    assert text.startswith(
        "Four cards are weaker than the rest by more than your margin of 1 point: first of all in the opening hand"
    )
    assert len(re.findall(r"white \d -", text)) == 3


def test_no_strong_card(tmp_path):
    found = page(tmp_path, log="cards", margin_points=2.0)
    assert found["strong cards"].text.startswith("No card surely passes your margin of 2 points")
    assert found["strong cards"].tone == verdicts.GOOD


def test_cards_that_are_not_known_yet(tmp_path):
    found = page(tmp_path, log="cards", blocks=400)
    assert re.match(r"Not yet known: whether .* pass your margin of 1 point ", found["unknown cards"].text)
    few = page(tmp_path / "few", log="cards", blocks=20)["unknown cards"].text
    assert few.startswith("What single cards are worth is not known. Too few deals: 20")


def test_a_dead_card(tmp_path):
    bots, line_ups = (RANDOM, EXPERT), ((0, 0), (1, 1))
    found = page(tmp_path, log="cards", blocks=1500, dead=("red-5",), bots=bots, line_ups=line_ups)
    text = found["dead cards"].text
    assert text.startswith("Nobody plays red 5: at most 0.")
    assert "and so at every skill" in text
    assert text.endswith("It is dead, or its price is too high.")


def test_cards_that_differ_by_design_are_a_note(tmp_path):
    apart = {f"{colour}-{value}": float(value - 5) for colour in COLOURS for value in (2, 3, 8, 9)}
    found = page(tmp_path, log="cards", effects=apart, noise_sd=8.0, blocks=6000)
    assert found["strong cards"].tone == found["weak cards"].tone == verdicts.PLAIN
    assert found["strong cards"].text.endswith("a wider margin would tell more about this game.")


def test_a_card_that_stands_out_is_a_problem_all_the_same(tmp_path):
    apart = {f"{colour}-{value}": float(value - 5) for colour in COLOURS for value in (2, 3, 8, 9)} | {"red-10": 12.0}
    found = page(tmp_path, log="cards", effects=apart, noise_sd=8.0, blocks=6000)
    assert found["strong cards"].tone == verdicts.BAD
    assert "red 10 +1" in found["strong cards"].text


def test_several_dead_cards(tmp_path):
    found = page(tmp_path, log="cards", blocks=1500, dead=("red-5", "red-6", "red-7", "red-8"))
    assert re.match(r"Nobody plays red \d, red \d, red \d and 1 more: .* held", found["dead cards"].text)
    assert "at every skill" not in found["dead cards"].text  # one tier cannot say


def test_a_card_that_looks_worse_than_it_is(tmp_path):
    found = page(tmp_path, log="cards", effects={"red-wager": 3.0}, trap=("red-wager",), noise_sd=10.0)
    text = found["sign alarm"].text
    assert re.match(r"Do not judge red wager by the games in which it was played: those end -\d", text)
    assert "yet being dealt it is worth +" in text


def test_games_that_are_cut_off_come_first(tmp_path):
    found = page(tmp_path, cut_off=0.05, first_points=4.0)
    assert next(iter(found)) == "cut off"
    assert re.match(r"[45]\.\d % of the games were cut off at the length cap", found["cut off"].text)
    rare = page(tmp_path / "rare", cut_off=0.003)
    assert "that is rare" in rare["cut off"].text


def test_a_bot_that_breaks_another(tmp_path):
    bots = (FakeBot("novice", "simple", 0.0), FakeBot("expert", "expert", 40.0))
    found = page(tmp_path, bots=bots, line_ups=((0, 0), (0, 1), (1, 1)), blocks=1000)
    assert re.match(r"expert breaks novice with (9\d|100)\.\d+ % of the wins", found["breaks"].text)
    assert found["breaks"].tone == verdicts.UNSURE
    weak = (RANDOM, FakeBot("expert", "expert", 40.0))
    found = page(tmp_path / "weak", bots=weak, line_ups=((0, 0), (0, 1), (1, 1)), blocks=1000)
    assert found["breaks"].text.endswith("balance among such weak bots says little.")


def test_a_simple_plan_that_beats_the_expert(tmp_path):
    bots = (FakeBot("rush", "simple", 5.0), FakeBot("expert", "expert", 0.0))
    found = page(tmp_path, bots=bots, line_ups=((0, 0), (0, 1), (1, 1)), blocks=1000)
    assert found["upset"].text.startswith("rush beats expert with")
    assert found["upset"].tone == verdicts.BAD


def test_page_one_speaks_of_the_bot_that_was_strongest_in_this_run(tmp_path):
    bots = (RANDOM, FakeBot("expert", "expert", 25.0), FakeBot("linear", "trained", 15.0))
    line_ups = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    found = page(tmp_path, bots=bots, line_ups=line_ups, blocks=1000)
    assert "expert against itself" in found["going first"].text
    assert "upset" not in found  # a trained bot promises no more than an expert


def test_a_better_bot(tmp_path):
    found = page(tmp_path, bots=(NOVICE, EXPERT), line_ups=((0, 0), (0, 1), (1, 1)), blocks=1000)
    assert re.match(r"expert beats novice with \d\d\.\d % of the wins .* and \+\d\.\d points", found["match-ups"].text)


def test_one_tier_is_a_hint(tmp_path):
    assert page(tmp_path, blocks=500)["skill"].text == (
        "Measured with one tier of bots only (expert): treat it as a hint."
    )
    weak = page(tmp_path / "weak", blocks=500, bots=(RANDOM,))
    assert weak["skill"].text.endswith("Balance among random bots says little.")


def test_tables_of_mixed_tiers_say_nothing_about_skill(tmp_path):
    found = page(tmp_path, blocks=500, bots=(NOVICE, EXPERT), line_ups=((0, 1),))
    assert found["skill"].text.startswith("All tables mixed tiers of bots")
    assert "novice against expert" in found["going first"].text


def test_skill_that_changes_nothing(tmp_path):
    found = page(tmp_path, bots=(NOVICE, EXPERT), line_ups=((0, 0), (1, 1)), first_points=4.0)
    assert found["skill"].text.startswith("The worth of going first shows no steady change with skill")
    assert "with novice (simple)" in found["skill"].text


def test_an_unfinished_run_says_so(tmp_path):
    found = page(tmp_path, shards=2)
    assert found["unfinished"].text.startswith("This run is not finished: everything here rests on the 4,000 games")


def test_three_seats_name_the_places(tmp_path):
    found = page(tmp_path, seats=3, line_ups=((0, 0, 0),), first_points=9.0, blocks=3000)
    assert re.match(
        r"Place 1 in turn order does best with \d\d\.\d % .* where 33\.3 % would be even", found["places"].text
    )
    assert found["places"].tone == verdicts.BAD


@pytest.mark.parametrize(
    ("apart", "half", "tone", "start"),
    [
        (0.0, 0.01, verdicts.GOOD, "No seat is favoured by more than your margin of 1 percentage point: nobody goes "),
        (0.0, 0.02, verdicts.UNSURE, "Not yet known: whether a seat is favoured by more than your margin of 1 "),
        (0.015, 0.01, verdicts.UNSURE, "A seat may be favoured, though nobody goes first by the rules; seat 1 wins "),
        (0.03, 0.01, verdicts.BAD, "A seat is favoured, though nobody goes first by the rules; seat 1 wins 53.0 % "),
    ],
)
def test_where_nobody_goes_first_a_seat_is_favoured_beyond_the_margin_only(tmp_path, apart, half, tone, start):
    balance = analyse(write(tmp_path, FakeRun(blocks=50, line_ups=((0, 0),))))
    main = balance.main
    seats = tuple(
        dataclasses.replace(place, share=Estimate(v := 0.5 + sign * apart, v - half, v + half, 50, 100, "share"))
        for place, sign in zip(main.turn_order.seats, (-1, 1), strict=True)
    )
    main = dataclasses.replace(main, turn_order=dataclasses.replace(main.turn_order, seats=seats))
    made = dataclasses.replace(balance, line_ups=(main,))
    found = verdicts.seats_alike(made)
    assert found.tone == tone
    assert found.text.startswith(start)


def test_every_page_has_five_sentences_with_numbers(tmp_path):
    found = page(tmp_path, blocks=500)
    assert len(found) >= 5
    for topic in ("going first", "length", "comeback"):
        assert "interval" in found[topic].text
        assert "1,000 games, expert against itself" in found[topic].text


@pytest.mark.parametrize(
    ("value", "half", "text"),
    [
        (1.234, 0.4, ("+1.2", "+0.8 to +1.6")),
        (-0.0123, 0.004, ("-0.012", "-0.016 to -0.008")),
        (2.0, 0.0, ("+2.0", "+2.0 to +2.0")),
    ],
)
def test_numbers_have_the_decimals_that_their_interval_deserves(value, half, text):
    assert verdicts.signed(Estimate(value, value - half, value + half, 9, 9, "points")) == text


def test_more_games_are_whole_deals_rounded_up_and_both_are_told():
    assert verdicts.more_games(163, 3) == " About 510 more games a line-up (170 deals) would tell."
    assert verdicts.more_games(9, 2, "of each arm") == " About 18 more games of each arm (9 deals) would tell."
