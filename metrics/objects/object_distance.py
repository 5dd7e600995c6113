"""What a distance between objects declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..arrays import Floats


class ObjectKind(StrEnum):
    """What the text of an object stands for, as the distances built in write it.

    The report draws the objects of a kind; of `other` objects it shows the text.
    """

    tree = "tree"
    text = "text"
    ranking = "ranking"
    boxes = "boxes"
    other = "other"


@dataclass(frozen=True)
class ObjectDistance:
    """A distance between two annotations of one kind.

    name            in lower_case, as commands and settings write it
    read            gives the object of an annotation's text; raises ValueError, with what is wrong
                    and what is expected, for a text that stands for none
    distances       distances of the pairs (first[i], second[i]), each at least 0 and finite
    compares_items  whether objects of different items can be compared: without it there is no
                    expected distance, and measures that need one say so
    metric          whether the triangle inequality is claimed
    is_text         whether an object is itself text of the corpus, which `privacy = true` refuses
    largest         the largest distance there can be, None if there is none
    source          author, year and equation
    kind            what the text of an object stands for
    """

    name: str
    read: Callable[[str], Any]
    distances: Callable[[Sequence[Any], Sequence[Any]], Floats]
    compares_items: bool
    metric: bool
    is_text: bool
    largest: float | None
    source: str
    kind: ObjectKind = ObjectKind.other

    def problem(self, text: str) -> str:
        """Return why a text stands for no object, as `read` says; "" if it stands for one."""
        try:
            self.read(text)
        except ValueError as error:
            return str(error)
        return ""
