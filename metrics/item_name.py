"""The name of an item of a campaign: one text that knows its document and the item in it."""

from __future__ import annotations

_SEPARATOR, _ESCAPE = "\x1f", "\x1e"


class ItemName(str):
    """The name of an item as one text that knows its document and the item in it.

    The texts of different items differ, whatever signs the two names contain, so that they can be
    keys. Nothing splits them.
    """

    __slots__ = ("document", "item")

    document: str
    item: str

    def __new__(cls, document: str, item: str) -> ItemName:
        home = document
        if _ESCAPE in home or _SEPARATOR in home:
            home = home.replace(_ESCAPE, f"{_ESCAPE}0").replace(_SEPARATOR, f"{_ESCAPE}1")
        self = super().__new__(cls, f"{home}{_SEPARATOR}{item}")
        self.document, self.item = document, item
        return self

    def __reduce__(self) -> tuple[type[ItemName], tuple[str, str]]:
        return ItemName, (self.document, self.item)


def place_of_item(name: str) -> tuple[str, str]:
    """Return the document and the item of a name. Raises TypeError for a name without them."""
    if not isinstance(name, ItemName):
        raise TypeError(f"{name!r} is not the name of an item in a document")
    return name.document, name.item


def name_in_words(name: str, between: str = ", ") -> str:
    """Return the name of an item as `document, item`, and any other name unchanged."""
    return between.join(place_of_item(name)) if isinstance(name, ItemName) else name
