"""Reads a page as strictly as a test needs: every element closed where it should be, ids known once."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: "Element | None"
    parts: list["Element | str"] = field(default_factory=list)

    @property
    def children(self) -> list["Element"]:
        return [part for part in self.parts if isinstance(part, Element)]

    def find(self, tag: str, **attributes: str) -> list["Element"]:
        """All elements below with this tag and these attributes, in the order of the page."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        here = [self] if self.tag == tag and wanted.items() <= self.attributes.items() else []
        return here + [found for child in self.children for found in child.find(tag, **attributes)]

    def words(self) -> str:
        """Its text and that of all below, with single spaces."""
        return " ".join(" ".join(part if isinstance(part, str) else part.words() for part in self.parts).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.now = Element("root", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.now)
        assert len(element.attributes) == len(attrs), f"an attribute twice: {attrs}"
        self.now.parts.append(element)
        if tag not in VOID:
            self.now = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.now = self.now if tag in VOID else self.now.parent or self.root

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.now.tag, f"</{tag}> closes <{self.now.tag} {self.now.attributes}>"
        assert self.now.parent is not None
        self.now = self.now.parent

    def handle_data(self, data: str) -> None:
        self.now.parts.append(data)


def read(page: str) -> Element:
    """The tree of a page. Fails where an element is not closed in its place."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.now is reader.root, f"<{reader.now.tag}> is not closed"
    return reader.root
