"""Pace of the human annotators, from the times of assignments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...data.schema import FINISHED_STATES, Role
from ...data.store.in_memory import Tables
from ...metrics.differences import holm
from ...metrics.pace import Pace, pace_of

LEVEL = 0.05  # familywise, over all annotators
FEWEST = 5  # minimum number of timed documents per annotator
_COLUMNS = ["document", "annotator", "state", "time", "pass", "seconds"]


def paces_of(store: Tables, keys: Sequence[str], roles: Mapping[str, str], seed: int) -> list[Pace]:
    """Return the pace of each human with times in the export, ordered by name."""
    rows = pa.concat_tables(
        [store.accepted_rows(key, "assignments", columns=_COLUMNS) for key in keys]
    )
    done = pc.and_(
        pc.is_in(rows["state"], value_set=pa.array(FINISHED_STATES)), pc.greater(rows["time"], "")
    )
    rows = rows.filter(done).group_by(["annotator", "document", "pass", "time", "seconds"])
    times: dict[str, list[tuple[float, float]]] = {}
    for row in rows.aggregate([]).to_pylist():
        ended = _seconds(row["time"])
        if roles.get(row["annotator"]) == Role.HUMAN and not math.isnan(ended):
            taken = float(row["seconds"]) if row["seconds"] else math.nan
            times.setdefault(row["annotator"], []).append((ended, taken))
    paces = [
        pace_of(*np.array(of_name, dtype=np.float64).T, annotator=name, seed=seed)
        for name, of_name in sorted(times.items())
    ]
    paces = [one for one in paces if one.n_documents >= FEWEST]
    corrected = holm([one.p_value for one in paces])
    return [
        replace(one, p_value=float(p), drifts=bool(p < LEVEL))
        for one, p in zip(paces, corrected, strict=True)
    ]


def _seconds(time: str) -> float:
    """Convert an ISO 8601 time to Unix seconds (UTC by default); nan without a time of day."""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return math.nan
    if len(time) <= len("2026-01-01"):
        return math.nan
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
