"""Parts of a campaign in which agreement may differ: batches, periods, types of documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..arrays import Flags
from .disagreement import Part, PartKind

MOST_PARTS = 30  # of one kind, the last ones
MOST_TYPES = 12
FEWEST_OF_TYPE = 3  # documents
_NUMBERED = re.compile(r"^(.*?)[\W_]*\d+(?:\.\w+)?$")


def campaign_parts(
    names: Sequence[str], batches: Sequence[str], periods: Sequence[str]
) -> tuple[tuple[Part, Flags], ...]:
    """Return each part with its documents, bool (D,); equal parts once, besides parts `since`.

    names    of the D documents
    batches  of each document, "" where unknown
    periods  of each document's last change, in a form that sorts by time, "" where unknown

    The type of a document is its name without the final number (`news-014`), if there are a few
    types of several documents.
    """
    ordered = _members(periods) or _members(batches)
    found = [
        *((Part(PartKind.batch, name), own) for name, own in _members(batches)[-MOST_PARTS:]),
        *((Part(PartKind.document_type, name), own) for name, own in _types(names)),
        *_since(ordered),
        *((Part(PartKind.period, name), own) for name, own in _members(periods)[-MOST_PARTS:]),
    ]
    different: dict[tuple[bytes, bool], tuple[Part, Flags]] = {}
    for part, own in found:
        is_since = part.kind is PartKind.since  # kept in full: a gradual fall is over all of them
        different.setdefault((own.tobytes(), is_since), (part, own))
    return tuple(different.values())


def _since(ordered: Sequence[tuple[str, Flags]]) -> list[tuple[Part, Flags]]:
    """Return the documents from each period or batch on, except from the first."""
    found = []
    for k in range(1, len(ordered)):
        own = np.logical_or.reduce([flags for _, flags in ordered[k:]])
        found.append((Part(PartKind.since, ordered[k][0]), own))
    return found[-MOST_PARTS:]


def _members(groups: Sequence[str]) -> list[tuple[str, Flags]]:
    """Return each group with its documents, in natural order; [] below two groups."""
    given = np.array(groups, dtype=object)
    names = sorted({name for name in groups if name}, key=natural_order)
    return [(name, np.asarray(given == name, dtype=np.bool_)) for name in names if len(names) > 1]


def _types(names: Sequence[str]) -> list[tuple[str, Flags]]:
    matches = [_NUMBERED.match(name) for name in names]
    found = _members([match[1] if match else "" for match in matches])
    is_kept = all(matches) and len(found) <= MOST_TYPES
    return found if is_kept and all(own.sum() >= FEWEST_OF_TYPE for _, own in found) else []


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts `batch 2` before `batch 10`."""
    return tuple(
        (int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", name) if part
    )
