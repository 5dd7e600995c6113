"""Options of the format label_studio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ...common.records.empty_answers import EmptyOption
from ...options import Option


@dataclass(frozen=True)
class LabelStudioOptions(EmptyOption):
    text: Annotated[str, Option("the key of the task's data that holds the text")] = "text"
    ground_truth: Annotated[
        Literal["annotator", "reference"],
        Option(
            "how a ground truth is read",
            values={
                "annotator": "as the work of its annotator",
                "reference": "also as the work of a reference called `ground_truth`",
            },
        ),
    ] = "annotator"
    email: Annotated[
        Literal["short", "keep"],
        Option(
            "for annotators known only by e-mail address",
            values={"short": "shows the part before the @", "keep": "the whole address"},
        ),
    ] = "short"
    predictions: Annotated[
        Literal["read", "skip"], Option("predictions of models", values={"read": "as systems"})
    ] = "read"
    objects: Annotated[
        Literal["reject", "read"],
        Option(
            "rectangles and free text, which are objects with a distance and no categories",
            values={"read": "as a label for each control"},
        ),
    ] = "reject"
