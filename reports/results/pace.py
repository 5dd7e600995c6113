"""How fast annotators worked, from the times in their exports."""

from __future__ import annotations

import math

from ..value import Model, Number


class Pace(Model):
    """Pace of one annotator. `drifts`: the corrected p-value is below .05."""

    annotator: str
    n_documents: int  # documents with a known time
    n_sessions: int
    median: Number = math.nan  # seconds per document
    first: Number = math.nan  # the same in the first third of sessions
    last: Number = math.nan
    p_value: Number = math.nan  # for drift within sessions, corrected for the number of annotators
    drifts: bool = False
