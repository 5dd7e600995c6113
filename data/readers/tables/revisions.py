"""Tables that keep the history of labels: of several by an annotator on an item, one counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from ...schema import ExclusionReason
from .cells import Batch, cell_text
from .platform_status import ExcludedRows

_KEY = ("document", "layer", "item", "annotator", "pass")


def without_revised(
    batches: Iterator[Batch],
    at: Mapping[str, int],
    which: Literal["first", "last"],
    excluded: ExcludedRows,
) -> Iterator[Batch]:
    """Yield the rows but those that the first, or the last, label of their key revises.

    The whole table is kept in memory. Rows without a label revise nothing.
    """
    read = list(batches)
    if which == "last":
        read.reverse()
    seen: set[int] = set()
    kept = []
    columns = [at[name] for name in _KEY if name in at]
    for batch in read:
        keys = [*zip(*(batch.column(k) for k in columns), strict=True)]
        labels = batch.column(at["label"])
        rows = range(len(batch)) if which == "first" else range(len(batch) - 1, -1, -1)
        chosen = []
        for row in rows:
            key = hash(keys[row]) if all(isinstance(c, str | None) for c in keys[row]) else None
            label = labels[row]
            if key is None or not (isinstance(label, list) or cell_text(label).strip()):
                chosen.append(row)
            elif key in seen:
                excluded.add(ExclusionReason.REVISED)
            else:
                seen.add(key)
                chosen.append(row)
        kept.append(batch.kept(sorted(chosen)))
    yield from kept if which == "first" else reversed(kept)
