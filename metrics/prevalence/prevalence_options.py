"""Options for estimating what a corpus contains from a system's labels and a human audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from ..errors import MetricsError
from ..options import Option

Draw = Literal["item", "label", "document"]
Target = Literal["majority", "dawid_skene"]
Wanted = Literal["share", "accuracy", "mean"]


@dataclass(frozen=True)
class PrevalenceOptions:
    """What is estimated, and how the audit was drawn."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "What to estimate: share (of each category), accuracy (of the system) or mean (of an "
            "ordered or numeric label); may be repeated. Default: share and accuracy.",
            flag="--measure",
            separated=True,
        ),
    ] = ("share", "accuracy")
    only: Annotated[
        tuple[str, ...],
        Option("Only this category; may be repeated.", flag="--only"),
    ] = ()
    drawn_by: Annotated[
        Draw,
        Option(
            "How the random audit was drawn: item (each item with the same chance), label (at "
            "random among the items of each label of the system, in any proportions) or document "
            "(whole documents)."
        ),
    ] = "item"
    target: Annotated[
        Target,
        Option(
            "If several humans label an item: the label of their majority, or the most probable "
            "one by the model of Dawid and Skene."
        ),
    ] = "majority"
    wanted_width: Annotated[
        float | None,
        Option(
            "Width of an interval, from end to end: how many items have to be audited for it.",
            gt=0,
            lt=1,
        ),
    ] = None
    simultaneous: Annotated[
        bool,
        Option("Widen the intervals of the shares so that all hold together (Bonferroni)."),
    ] = False
    textbook: Annotated[
        bool,
        Option(
            "Also show the corrections of the literature (Rogan–Gladen, PPI, PPI++), which cover "
            "too little where few errors were audited."
        ),
    ] = False
    confidence_level: Annotated[
        float, Option("Confidence level of the intervals.", gt=0.5, lt=1)
    ] = 0.95

    def __post_init__(self) -> None:
        for name, choices in (("drawn_by", get_args(Draw)), ("target", get_args(Target))):
            if (given := getattr(self, name)) not in choices:
                raise MetricsError(f"{name} is {given!r}: it must be one of {', '.join(choices)}")
        unknown = [one for one in self.measures if one not in get_args(Wanted)]
        if unknown:
            raise MetricsError(
                f"measures has {unknown[0]!r}: there are {', '.join(get_args(Wanted))}"
            )
        if not self.measures:
            object.__setattr__(self, "measures", ("share", "accuracy"))
        if not 0.5 < self.confidence_level < 1:
            raise MetricsError(
                f"confidence_level is {self.confidence_level:g}: it must lie between 0.5 and 1"
            )
        if self.wanted_width is not None and not 0 < self.wanted_width < 1:
            raise MetricsError(
                f"wanted_width is {self.wanted_width:g}: it must lie between 0 and 1"
            )
