"""What the card log tells of buildings and characters, against the counters of the same games."""

import polars as pl
import pytest

from simcore import batch, request, runlog

pytestmark = [pytest.mark.engine, pytest.mark.jitted]  # whole games: minutes in plain Python


@pytest.mark.parametrize("seats", [2, 4])
def test_buildings_and_characters_are_logged(seats: int, tmp_path: object) -> None:
    plan = request.simulation_plan("valletta", "greedy", 4 * seats, seats=seats, log="cards")
    run = batch.run(plan, f"{tmp_path}/run")
    run = runlog.open_run(run.path)
    cards, counts = run.scan("cards").collect(), run.scan("seats").collect()
    of = {card["id"]: card for card in run.manifest["cards"]}
    city = [name for name, card in of.items() if name.startswith("building_")]
    offered = [pl.col(name) // 64 == 1 for name in city]
    built = [pl.col(name) // 16 % 4 == 1 for name in city]
    lost = [pl.col(name) // 16 % 4 == 2 for name in city]
    found = cards.select(
        "game", offered=pl.sum_horizontal(offered), built=pl.sum_horizontal(built), lost=pl.sum_horizontal(lost)
    )
    assert found["offered"].to_list() == [{2: 20, 4: 30}[seats]] * len(cards)
    assert found["built"].to_list() == counts["count_houses"].to_list()
    of_game = found.group_by("game", maintain_order=True).agg(pl.sum("built", "lost"))
    assert (of_game["lost"] == (seats - 1) * of_game["built"]).all()
    assert of_game["built"].sum() > 0
    sides = [name for name, card in of.items() if card["side_of"]]
    upgraded = cards.select(pl.sum_horizontal(pl.col(name) // 64 == 2 for name in sides)).to_series()
    assert upgraded.to_list() == counts["count_upgraded"].to_list()
    for tally, counter in (("hired", "hires"), ("dismissed", "dismissals"), ("copied", "copies"), ("taken", "houses")):
        times = cards.select(pl.sum_horizontal(pl.col(f"^.*_{tally}$").cast(pl.Int64))).to_series()
        assert times.to_list() == counts[f"count_{counter}"].to_list(), tally
