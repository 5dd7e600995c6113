"""Agreement of an annotator with themselves: the same items labelled in several passes.

Intra-annotator agreement limits what two annotators can reach (Gut & Bayerl 2004): an annotator who
does not reproduce their own labels cannot be expected to agree with another annotator.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import MetricsError
from ..label_matrix import LabelMatrix, label_matrix


def pass_matrices(
    items: Sequence[str],
    annotators: Sequence[str],
    passes: Sequence[str],
    labels: Sequence[str],
    *,
    tagset: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
) -> dict[str, LabelMatrix]:
    """Return a matrix whose columns are the passes, for each annotator with at least two passes.

    Takes one row per label, as `label_matrix` does; `passes[r]` is the pass of row r. Items that an
    annotator saw once have one label and count as unpaired.
    """
    n_rows = len(items)
    if not n_rows == len(annotators) == len(passes) == len(labels):
        raise MetricsError("items, annotators, passes and labels must have the same number of rows")
    if tagset is None:
        tagset = label_matrix(
            items=items, annotators=annotators, labels=labels, documents=documents
        ).tagset
    out = {}
    for name in sorted(set(annotators)):
        rows = [r for r in range(n_rows) if annotators[r] == name]
        if len({passes[r] for r in rows}) < 2:
            continue
        out[name] = label_matrix(
            items=[items[r] for r in rows],
            annotators=[passes[r] for r in rows],
            labels=[labels[r] for r in rows],
            tagset=tagset,
            documents=None if documents is None else [documents[r] for r in rows],
        )
    return out
