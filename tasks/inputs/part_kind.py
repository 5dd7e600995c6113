"""The parts of an export for which a measure is also computed."""

from __future__ import annotations

from enum import StrEnum


class PartKind(StrEnum):
    """What the main measure is also computed for, one by one; `annotator` leaves each out."""

    category = "category"
    pair = "pair"
    annotator = "annotator"
