"""From a matplotlib figure to SVG inside a page: no file, no address, text as text, colours of the page.

The colours of `analysis.figures` become the page's CSS variables, so that a figure follows the page into the dark and
onto paper. Ids get the figure's name in front, as one page holds many figures. The same figure gives the same bytes.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from analysis import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENLARGED = 1.4
"""A figure is shown at most so many times larger than its points, in CSS pixels; on a phone it shrinks."""
SMALLEST = 0.85
"""It does not shrink below this (text would be too small to read) but scrolls."""

VARIABLES = {
    figures.INK: "var(--ink)",
    figures.MUTED: "var(--muted)",
    figures.RULE: "var(--rule)",
    figures.BAND: "var(--band)",
    figures.PAPER: "var(--paper)",
    figures.GOOD: "var(--good)",
    figures.BAD: "var(--bad)",
    **{figures.colour(i): f"var(--bot-{i})" for i in range(len(figures.PALETTE))},
}

SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it takes the page's font, can be searched and read aloud
    "svg.hashsalt": "fairdeal",
    "font.family": "sans-serif",
    "text.parse_math": False,  # a name with dollar signs is a name
    "axes.unicode_minus": True,
    "path.simplify": True,
}


TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Panel:
    """Where axes stand in a figure, in points from its top left corner, and what is drawn on them."""

    left: float
    top: float
    width: float
    height: float
    paint: Callable[[Axes], Axes]


@dataclass(frozen=True)
class Drawing:
    """A figure of so many points, what stands on it, and its alternative text. `svg` draws it; until somebody asks for
    that, nothing is drawn, so who wants a report's tables or its Markdown does not wait for its figures.
    """

    name: str
    width: float
    height: float
    panels: Sequence[Panel]
    alt: str

    @functools.cached_property
    def svg(self) -> str:
        """The figure as an `<svg>` element."""
        import matplotlib as mpl
        from matplotlib.figure import Figure

        with mpl.rc_context(SETTINGS):
            figure = Figure(figsize=(self.width / 72, self.height / 72))
            for panel in self.panels:
                bottom = self.height - panel.top - panel.height
                x, y = panel.left / self.width, bottom / self.height
                panel.paint(figure.add_axes((x, y, panel.width / self.width, panel.height / self.height)))
            target = io.StringIO()
            figure.savefig(
                target, format="svg", transparent=True,
                metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
            )  # fmt: skip
        return _for_page(target.getvalue(), self.name, self.width, self.height, self.alt)


def _for_page(svg: str, name: str, width: float, height: float, alt: str) -> str:
    body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    body = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", body, flags=re.S)
    used = {word for tag in TAG.findall(body) for word in re.findall(r"#([\w.-]+)", tag)}
    body = TAG.sub(lambda tag: _for_page_tag(tag[0], name, used), body)
    body = body.replace("<g>\n", "<g>")
    body = re.sub(r"\s*\n\s*", " ", body)
    body = re.sub(r"> <", "><", body)
    size = f"max-width:{width * ENLARGED:.0f}px;min-width:{width * SMALLEST:.0f}px"
    return f'<svg role="img" aria-label="{escape(alt)}" viewBox="0 0 {width:g} {height:g}" style="{size}">{body}</svg>'


def _for_page_tag(tag: str, name: str, used: set[str]) -> str:
    """A tag of the drawing as it stands in a page; text between tags may be anybody's name, and is left alone."""
    tag = re.sub(r"font-family:[^;\"]*;? ?", "", tag)
    tag = _short_numbers(re.sub(r' transform="rotate\(-0 [^)]*\)"', "", tag))
    for hexadecimal, variable in VARIABLES.items():
        tag = tag.replace(hexadecimal, variable)
    tag = re.sub(r' id="([^"]*)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", tag)
    return re.sub(r'(url\(|href=")#([\w.-]+)', rf"\1#{name}-\2", tag)


def _short_numbers(tag: str) -> str:
    """A tag with at most two decimals in its coordinates."""
    return re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), tag)
