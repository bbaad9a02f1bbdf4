"""Cards: what chance shows about them (randomised), beside what the games in which they were played show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from analysis import figures, stats
from analysis.balance import Balance
from analysis.cards import NOT_DEALT, PLAYED, CardImpact
from analysis.verdicts import short
from reports.numbers import NONE, amount, count, effect, estimate, listed, percent, plain
from reports.page import Cell, Column, Figure, Section, Table
from reports.parts import common
from reports.svg import Drawing, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "cards"
MOST_CARDS = 64
"""At most so many card types stand in the forest plot: the strongest and the weakest ones."""
KEY_CARDS = 5
"""So many from either end stand in the figure of page one."""
ALARM = "⚠"
ELSEWHERE = {"On the table": "market", "How often": "tallies"}
"""The sections on cards that are not dealt to hands, and what there is of them in a line-up's balance."""

Row = dict[str, Any]


def key_figure(balance: Balance) -> Figure | None:
    """For page one: the strongest and the weakest cards by what chance shows."""
    rows = _rows(balance)
    if rows is None or not rows:
        return None
    if len(rows) > 2 * KEY_CARDS:
        rows = [*rows[:KEY_CARDS], {**rows[-KEY_CARDS], "gap": True}, *rows[-KEY_CARDS + 1 :]]
    drawing = _forest(balance, "key-cards", rows, both=False)
    return Figure("key-cards", title(balance), drawing)


def title(balance: Balance) -> str:
    """Which cards stand apart, by the randomised effect in points."""
    rows = _rows(balance) or []
    apart = [row for row in rows if row["strong"]]
    good = [short(row["label"]) for row in apart if row["value"] > 0]
    bad = [short(row["label"]) for row in reversed(apart) if row["value"] < 0]
    if not apart:
        return f"No card surely passes your margin of {common.points_margin(balance)}"
    parts = []
    for names, one, many in ((good, "is stronger", "are stronger"), (bad, "is weaker", "are weaker")):
        if names:
            who = listed(names) if len(names) <= 3 else f"{len(names)} cards"
            parts.append(f"{who} {one if len(names) == 1 else many}")
    return " and ".join(parts) + " than the rest by more than your margin"


def section(balance: Balance) -> Section:
    """The section on cards; without a card log or effects it says why there is nothing to see."""
    cards = balance.main.cards
    if cards is None:
        why = (
            "This run kept no card log (log level “games”), so nothing can be said about single cards: play it with "
            "the log level “cards”."
        )
        return Section(NAME, "Cards", (why,))
    said = common.sentences(balance, "cards")
    if cards.why_not == NOT_DEALT and (balance.main.market or balance.main.tallies):
        others = [title for title, there in ELSEWHERE.items() if getattr(balance.main, there) is not None]
        why = (
            f"{NOT_DEALT} So the deal does not show what holding a card is worth; what is known of the cards stands "
            f"under {listed([f'“{title}”' for title in others])}."
        )
        return Section(NAME, "Cards", (*said, why))
    drawn: tuple[Figure, ...] = ()
    rows = _rows(balance)
    if rows:
        both = bool(len(cards.association.filter(category=PLAYED)))
        if len(rows) > MOST_CARDS:
            half = MOST_CARDS // 2
            rows = [*rows[:half], {**rows[-half], "gap": True}, *rows[-half + 1 :]]
        note = "Bold: surely beyond your margin."
        if both:
            note += (
                f" {ALARM}: the two sides disagree in sign, so the left one misleads. Left, rings: what players chose, "
                "confounded with how the game went. Right, dots: what chance did."
            )
        drawn = (Figure("cards-forest", _forest_title(balance), _forest(balance, "cards-forest", rows, both), note),)
    tables = [_table(balance, cards)]
    if (tiers := _tiers(balance)) is not None:
        tables.append(tiers)
    said = (*said, *_left_out(balance, cards))
    return Section(NAME, "Cards", said, drawn, tuple(tables), _how(balance, cards))


def _left_out(balance: Balance, cards: CardImpact) -> list[str]:
    """Which cards the deal of first hands says nothing about, and why."""
    said: list[str] = []
    dealt = len(cards.effects.filter(outcome="margin"))
    if not dealt:
        return said
    whole = (
        f"of the {dealt + len(cards.undealt) + len(cards.uneven) + len(cards.rare)} kinds of cards that come to hands"
    )
    for names, why in (
        (cards.undealt, "as no first hand holds more of {them} than another"),
        (cards.uneven, "as not all players are dealt equally many of {them}: how many is a matter of play"),
        (cards.rare, "as {they} dealt too rarely to be judged: play more games"),
    ):
        if names:
            one = len(names) == 1
            told = why.format(them="it" if one else "them", they="it is" if one else "they are")
            said.append(f"{len(names)} {'is' if one else 'are'} left out here {whole}, {told}.")
    if said:
        said.append(f"Effects are against the average of the {dealt} others ({balance.main.title}).")
    return said


def _rows(balance: Balance) -> list[Row] | None:
    """Rows of the forest plot, strongest first: the randomised effect in points and the association beside it."""
    cards = balance.main.cards
    if cards is None or not len(cards.effects):
        return None
    played = cards.association.filter(category=PLAYED, outcome="margin")
    beside = played.select("type", "relative", "relative_low", "relative_high")
    joined = (
        cards.effects.filter(outcome="margin")
        .join(cards.types.select("type", "label"), on="type", how="left", maintain_order="left")
        .join(beside, on="type", how="left", maintain_order="left")
    )
    colour = common.tint(balance, balance.main)
    return [
        row | {
            "colour": colour,
            "strong": row["flagged"] and row["wording"] == stats.MATTERS,
            "gap": False,
        }
        for row in joined.iter_rows(named=True)
    ]  # fmt: skip


def _forest(balance: Balance, name: str, rows: list[Row], both: bool) -> Drawing:
    margin, unit = balance.facts.margin_points, balance.facts.score_unit
    marked = [{**row, "label": f"{ALARM} {row['label']}" if row["alarm"] else row["label"]} for row in rows]
    keep = ("label", "colour", "strong", "gap")
    chance = common.rows_frame({k: row[k] for k in (*keep, "value", "low", "high")} for row in marked)
    chosen = common.rows_frame(
        {k: row[k] for k in keep}
        | {"value": row["relative"], "low": row["relative_low"], "high": row["relative_high"], "colour": figures.MUTED}
        for row in marked
    )
    longest = max(len(figures.shorten(row["label"], 26)) for row in marked)
    left = 14 + longest * 4.3
    height = (len(rows) + sum(row["gap"] for row in rows) + 0.4) * figures.THIN_ROW
    label = f"{unit} against an average card; grey: your margin" if _relative(balance) else f"{unit}; grey: your margin"
    width = 480.0 if both else common.WIDTH
    room = width - left - 10
    each = (room - 18) / 2 if both else room

    def randomised(ax: Axes) -> Axes:
        return figures.forest(
            chance, ax, xlabel=label, margin=margin, labels=not both,
            heading="In the opening hand (randomised)" if both else "",
        )  # fmt: skip

    def association(ax: Axes) -> Axes:
        return figures.forest(
            chosen, ax, xlabel=f"{unit} against the average card", hollow=True, heading="Played (association)"
        )

    top = (16.0 if both else 2.0) + (12 if len(rows) > figures.FAR else 0)
    panels = [Panel(left + (each + 18 if both else 0), top, each, height, randomised)]
    if both:
        panels.insert(0, Panel(left, top, each, height, association))
    what = f"Effect of each card in the opening hand, in {unit}."
    told = [common.mark(row["label"], estimate(row, unit), "", effect=True) for row in marked]
    return Drawing(name, width, top + height + 34, panels, f"{what} {common.in_words(told)}")


def _relative(balance: Balance) -> bool:
    return balance.main.cards is not None and balance.main.cards.relative


def _forest_title(balance: Balance) -> str:
    rows = _rows(balance) or []
    alarms = sum(row["alarm"] for row in rows)
    if alarms:
        who, they = (f"{alarms} cards", "they are") if alarms > 1 else ("one card", "it is")
        return f"For {who} the games in which {they} played point the wrong way"
    return title(balance)


def _table(balance: Balance, cards: CardImpact) -> Table:
    unit = balance.facts.score_unit
    effects: dict[tuple[str, str], Row] = {(r["type"], r["outcome"]): r for r in cards.effects.iter_rows(named=True)}
    played: dict[str, Row] = {
        r["type"]: r for r in cards.association.filter(category=PLAYED, outcome="margin").iter_rows(named=True)
    }
    # A label such as "yellow 2" tells the group already.
    grouped = any(row["group"] not in row["label"] for row in cards.types.iter_rows(named=True))
    plays = bool(played)
    columns = (
        Column("Card", numeric=False, short=True),
        *([Column("Group", numeric=False)] if grouped else []),
        Column("Copies"),
        Column("Seen", "% of chances"),
        *([Column("Used", "% when held", short=True)] if plays else []),
        *([Column("Played: association", unit, short=True)] if plays else []),
        Column("Dealt: randomised", unit, short=True, interval=True),
        Column("shrunk", unit, interval=True),
        Column("Dealt: randomised", "percentage points of wins", name="dealt_randomised_wins", interval=True),
        Column("False alarm", "q", name="q"),
        Column("In your margin", numeric=False, short=True),
        *([Column("Sign", numeric=False, short=True)] if plays else []),
    )
    ordered = sorted(
        cards.types.iter_rows(named=True),
        key=lambda row: -effects.get((row["type"], "margin"), {"shrunk_low": -math.inf})["shrunk_low"],
    )
    body = tuple(_card(row, effects, played, unit, grouped) for row in ordered)
    note = "Sorted by the lower end of the shrunk effect." if effects else cards.why_not or ""
    return Table("cards-table", f"Every card ({balance.main.title}, {cards.n:,} deals)", columns, body, note)


def _card(
    row: Row, effects: dict[tuple[str, str], Row], plays: dict[str, Row], unit: str, grouped: bool
) -> tuple[Cell, ...]:
    """A row of the table; in a game whose cards are not played there is nothing to say of playing them."""
    played = plays.get(row["type"])
    points, wins = effects.get((row["type"], "margin")), effects.get((row["type"], "share"))
    used = NONE if row["use"] is None else amount(estimate(row, "share", "use"))
    shrunk = NONE if points is None else effect(estimate(points, unit, "shrunk"))
    q = NONE if points is None else plain(points["q"], 3)
    return (
        Cell(row["label"]),
        *([Cell(row["group"])] if grouped else []),
        count(row["copies"]),
        percent(row["held"]),
        *([used] if plays else []),
        *([NONE if played is None else effect(estimate(played | _renamed(played), unit))] if plays else []),
        NONE if points is None else effect(estimate(points, unit)),
        shrunk,
        NONE if wins is None else effect(estimate(wins, "share")),
        q,
        NONE if points is None else _wording(points),
        *([_sign(points)] if plays else []),
    )


def _sign(row: Row | None) -> Cell:
    return Cell(f"{ALARM} disagree", strong=True) if row is not None and row["alarm"] else Cell("")


def _renamed(played: Row) -> Row:
    return {"value": played["relative"], "low": played["relative_low"], "high": played["relative_high"]}


def _wording(row: Row) -> Cell:
    return Cell(common.FINDINGS[row["wording"]], strong=row["flagged"] and row["wording"] == stats.MATTERS)


def _tiers(balance: Balance) -> Table | None:
    """The randomised effect in points, a column a tier; None where cards were measured with one tier only."""
    frame = balance.card_tiers.filter(outcome="margin")
    tiers = frame.select("tier", "line_up").unique(maintain_order=True).to_dicts()
    if len(tiers) < 2 or balance.main.cards is None:
        return None
    unit = balance.facts.score_unit
    labels = dict(balance.main.cards.types.select("type", "label").iter_rows())
    columns = (
        Column("Card", numeric=False),
        Column("With skill", numeric=False),
        *(Column(t["tier"], t["line_up"]) for t in tiers),
    )
    by_tier: dict[str, dict[str, Row]] = {}
    for row in frame.iter_rows(named=True):
        by_tier.setdefault(row["type"], {})[row["tier"]] = row
    order = {name: i for i, name in enumerate(balance.main.cards.effects.filter(outcome="margin")["type"])}
    rows = [
        (
            Cell(labels[name]),
            Cell(next(iter(found.values()))["label"]),
            *(effect(estimate(found[t["tier"]], unit)) if t["tier"] in found else NONE for t in tiers),
        )
        for name, found in sorted(by_tier.items(), key=lambda item: order.get(item[0], len(order)))
    ]
    return Table("cards-tiers", f"In the opening hand, in every tier of bots, {unit}", columns, tuple(rows))


def _how(balance: Balance, cards: CardImpact) -> str:
    facts = balance.facts
    sums = (
        " Hands are equally large, so effects are against the average card: over all copies they sum to zero."
        if cards.relative
        else ""
    )
    association = (
        " Association: the mean result of seats that played the card, against the average played card. That is "
        "confounded: players who are ahead, or behind, choose differently."
        if PLAYED in cards.association["category"]
        else ""
    )
    return (
        f"Randomised: the result in {facts.score_unit} of the round is regressed on the copies in a seat’s opening "
        f"hand minus those in the others’ hands, for all cards at once, with turn order; errors by deal.{sums} Only "
        f"chance decides who is dealt a card, so this is its effect, for these bots.{association} Shrunk: drawn "
        "towards zero as far as noise explains it (empirical Bayes). q: the expected share of false alarms among cards "
        "at least as clear (Benjamini-Hochberg); up to 0.05 a card is flagged."
    )
