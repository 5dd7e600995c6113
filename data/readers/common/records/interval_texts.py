"""Texts of intervals as objects: the label of the item that the interval's bounds are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ....schema import Label, Rejected
from ...options import FormatOptions, Option
from ..span_rules import span_problem
from .unit_maker import UnitMaker


@dataclass(frozen=True)
class IntervalOption(FormatOptions):
    objects: Annotated[
        Literal["units", "read"],
        Option(
            "what is read of an interval",
            values={
                "units": "its text is a category",
                "read": "its text as an object, compared with the texts of other annotators with "
                "the same bounds",
            },
        ),
    ] = "units"

    @property
    def reads_texts(self) -> bool:
        """Whether the text of an interval is an object."""
        return self.objects == "read"


def interval_text(
    maker: UnitMaker,
    start: int,
    end: int,
    text: str,
    *,
    layer: str = "",
    speaker: str = "",
    location: str = "",
) -> Label | Rejected:
    """Make the text the label of the item that the interval is.

    start, end  milliseconds; rules: those of `span_problem`
    """
    problem = span_problem(start, end, length=maker.length)
    if problem is not None:
        maker.annotated = True
        return maker.rejected(problem, location, Label.TABLE)
    when = f"{start}-{end}"
    return text_label(maker, when, text, layer=layer, speaker=speaker, location=location)


def text_label(
    maker: UnitMaker, when: str, text: str, *, layer: str, speaker: str, location: str
) -> Label:
    """Make the text the label of the item `document:when`, or `document:speaker:when`."""
    maker.options.notes.n_interval_texts += 1
    item = ":".join(filter(None, (maker.document, speaker, when)))
    return maker.label([text.strip()], layer=layer, item=item, location=location)
