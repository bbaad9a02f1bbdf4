"""Seats and turn order: is going first an advantage, and what would even it out?"""

from __future__ import annotations

from analysis import stats
from analysis.balance import Balance, LineUpBalance
from analysis.seats import Place
from reports import numbers
from reports.numbers import amount, count, effect
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.parts.common import Row

NAME = "turn-order"


def key_figure(balance: Balance) -> Figure:
    """For page one: what going first is worth in wins, in every tier of bots; without a first player, the seats."""
    if not balance.facts.first_player:
        return _seats_figure(balance)
    found = next((number for number in balance.by_tier if number.name == "first_share" and number.tiers), None)
    by_title = {result.title: result for result in balance.line_ups}
    if found is None:
        tiers = [("", balance.main.title, balance.main.turn_order.advantage)]
    else:
        tiers = list(reversed(found.tiers))
    rows = [
        common.mark(f"{title} ({tier})" if tier else title, e, common.tint(balance, by_title[title]), effect=True)
        for tier, title, e in tiers
    ]
    label = (
        f"worth of going first, percentage points of wins; grey: your margin of ±{balance.facts.margin_share * 100:g}"
    )
    what = f"The worth of going first in percentage points of wins, margin {common.share_margin(balance)}."
    drawing = common.intervals(
        "key-turn-order", rows, label, margin=balance.facts.margin_share * 100, what=what
    )  # fmt: skip
    return Figure("key-turn-order", title(balance), drawing)


def title(balance: Balance) -> str:
    """What the headline line-up says about going first in wins."""
    result = balance.main
    e, wording = result.turn_order.advantage, result.turn_order.finding.wording
    helps = "is worth" if e.value >= 0 else "costs"
    text = {
        stats.MATTERS: f"Going first {helps} more than your margin",
        stats.UNCLEAR: f"Going first {helps} something, perhaps more than your margin",
        stats.NEGLIGIBLE: f"Going first {helps} something, but less than your margin",
        stats.EQUIVALENT: "Going first makes no difference within your margin",
    }.get(wording, "What going first is worth is not known yet")
    return f"{text} ({result.title})"


def section(balance: Balance) -> Section:
    """The section on seats and turn order; on seats alone where nobody goes first by the rules."""
    if not balance.facts.first_player:
        said = common.sentences(balance, "turn order")
        return Section(NAME, "Seats", said, (_seats_figure(balance),), (_seats(balance),), _how_seats(balance))
    figures = [_points_figure(balance)]
    if balance.facts.seats > 2:
        figures.insert(0, _places_figure(balance))
    tables = [_line_ups(balance), _places(balance)]
    if (tried := _compensation(balance.main, balance.facts.score_unit)) is not None:
        tables.append(tried)
    return Section(
        NAME,
        "Seats and turn order",
        common.sentences(balance, "turn order"),
        tuple(figures),
        tuple(tables),
        _how(balance),
    )


def _points_figure(balance: Balance) -> Figure:
    facts = balance.facts
    rows = [
        common.mark(result.title, result.turn_order.advantage_points, common.tint(balance, result), effect=True)
        for result in common.main_first(balance)
    ]
    main = balance.main.turn_order
    value, interval = numbers.words(main.advantage_points, effect=True)
    around = f"({balance.main.title}, interval {interval})" if interval else f"({balance.main.title})"
    label = f"{facts.score_unit} ahead of the others when going first; grey: your margin of ±{facts.margin_points:g}"
    what = f"The worth of going first in {facts.score_unit} for each line-up."
    drawing = common.intervals("first-points", rows, label, margin=facts.margin_points, what=what)
    return Figure("first-points", f"By score, going first is worth {value} {facts.score_unit} {around}", drawing)


def _places_figure(balance: Balance) -> Figure:
    result, facts = balance.main, balance.facts
    fair = 100 / facts.seats
    colour = common.tint(balance, result)
    rows: list[Row] = [
        common.mark(f"{common.ordinal(place.place + 1)} in turn order", place.share, colour)
        for place in result.turn_order.orders
    ]
    best = max(result.turn_order.orders, key=lambda place: place.share.value)
    worst = min(result.turn_order.orders, key=lambda place: place.share.value)
    title = (
        f"The {common.ordinal(best.place + 1)} in turn order wins most ({numbers.words(best.share)[0]} %), "
        f"the {common.ordinal(worst.place + 1)} least ({numbers.words(worst.share)[0]} %; {result.title})"
    )
    label = f"share of wins, per cent; line: {fair:.1f}, an even share; grey: your margin around it"
    what = "Share of the wins of each place in turn order."
    drawing = common.intervals("places", rows, label, zero=fair, margin=facts.margin_share * 100, what=what)
    return Figure("places", title, drawing)


def _seats_figure(balance: Balance) -> Figure:
    result, facts = balance.main, balance.facts
    fair = 100 / facts.seats
    colour = common.tint(balance, result)
    places = result.turn_order.seats
    rows: list[Row] = [common.mark(f"seat {place.place}", place.share, colour) for place in places]
    fair_share, margin = 1 / facts.seats, facts.margin_share
    even = all(fair_share - margin <= p.share.low and p.share.high <= fair_share + margin for p in places)
    sure = any(p.share.low > fair_share + margin or p.share.high < fair_share - margin for p in places)
    said = "The seats win alike, within your margin" if even else f"The seats {'do' if sure else 'may'} not win alike"
    label = f"share of wins, per cent; line: {fair:.1f}, an even share; grey: your margin around it"
    drawing = common.intervals(
        "seats", rows, label, zero=fair, margin=facts.margin_share * 100, what="Share of the wins of each seat."
    )
    return Figure("seats", f"{said} ({result.title})", drawing)


def _seats(balance: Balance) -> Table:
    heads = [Column(f"Seat {seat} wins", "%", short=True) for seat in range(balance.facts.seats)]
    columns = (Column("Line-up", numeric=False, short=True), *heads, Column("Games", short=True), Column("Deals"))
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            *(amount(place.share) for place in result.turn_order.seats),
            count(result.games),
            count(result.deals),
        )
        for result in balance.line_ups
    )
    return Table("turn-order-line-ups", "The seats, in every line-up", columns, rows)


def _how_seats(balance: Balance) -> str:
    return (
        f"The rules treat all seats alike, so each should win 1/{balance.facts.seats} of the games: a check of the run "
        f"and of the game. {common.BY_DEALS} The intervals hold for all seats together."
    )


def _line_ups(balance: Balance) -> Table:
    unit = balance.facts.score_unit
    columns = (
        Column("Line-up", numeric=False, short=True),
        Column("First player wins", "%", short=True),
        Column("Worth of going first", "percentage points", short=True),
        Column("In wins", numeric=False, short=True),
        Column("Worth of going first", unit, short=True, name="worth_of_going_first_score"),
        Column(f"In {unit}", numeric=False, name="in_score"),
        Column("Repeated games"),
        Column("Games", short=True),
        Column("Deals"),
    )
    rows = tuple(
        (
            common.line_up_cell(balance, result),
            amount(result.turn_order.orders[0].share),
            effect(result.turn_order.advantage),
            common.finding_cell(result.turn_order.finding),
            effect(result.turn_order.advantage_points),
            common.finding_cell(result.turn_order.finding_points),
            count(result.turn_order.duplicates),
            count(result.games),
            count(result.deals),
        )
        for result in balance.line_ups
    )
    return Table("turn-order-line-ups", "Going first, in every line-up", columns, rows)


def _places(balance: Balance) -> Table:
    result, unit = balance.main, balance.facts.score_unit
    columns = (
        Column("Place", numeric=False),
        Column("Wins", "%"),
        Column("Ahead of the others", unit),
        Column("Score", unit),
    )

    def rows(places: tuple[Place, ...], what: str) -> list[tuple[Cell, ...]]:
        return [
            (
                Cell(what.format(common.ordinal(place.place + 1))),
                amount(place.share),
                effect(place.margin),
                amount(place.score),
            )
            for place in places
        ]

    turn_order = result.turn_order
    body = rows(turn_order.orders, "{} in turn order") + rows(turn_order.seats, "{} seat of the table")
    note = (
        "The first seat always begins, so both say the same."
        if turn_order.order_is_seat
        else "The starter is drawn at random, so seats of the table must come out even: a check of the run."
    )
    return Table("places-table", f"Places in turn order, and seats ({result.title})", columns, tuple(body), note)


def _compensation(result: LineUpBalance, unit: str) -> Table | None:
    found = result.turn_order.compensation
    if found is None:
        return None
    columns = (Column("The second player is given", unit), Column("The first player then wins", "%"))
    rows = tuple((Cell(f"{k:+g}" if k else "0", raw=(k,)), numbers.percent(share)) for k, share in found.tried)
    value, interval = numbers.words(found.points, effect=True)
    note = f"Even at {value} {unit} (interval {interval}, by order statistics)." if interval else ""
    if found.checked is not None:
        share, interval = numbers.words(found.checked)
        note += (
            f" Checked on fresh deals: {found.k:+g}, as the first half of the deals would have it, leaves the first "
            f"player {share} % of the wins in the other half (interval {interval})."
        )
    note += " Nobody knew of the points in these games; players who do may play differently."
    return Table("compensation", f"What points would even it out ({result.title})", columns, rows, note.strip())


def _how(balance: Balance) -> str:
    facts = balance.facts
    return (
        f"The worth of going first is the first player's share of the wins minus 1/{facts.seats}, or its points minus "
        f"the mean of the others'. First is first in turn order{'' if facts.round_is_game else ' of the first round'}. "
        f"{common.BY_DEALS} Games that repeat another game of their deal move by move (equal bots without chance of "
        f"their own) are counted once. “Beyond margin”: the whole interval lies beyond {common.share_margin(balance)} "
        f"or {common.points_margin(balance)}; “no difference”: the 90 % interval lies inside."
    )
