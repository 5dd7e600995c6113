"""How often categories were used on units: by annotator, document and batch."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.unitizing.reasons import UNLABELLED_NAME
from reports import results as page
from tasks.layers import LayerSpec

MOST_DOCUMENTS = 200

Ints = NDArray[np.int64]


def unit_distribution(
    layer: LayerSpec, by_annotator: Ints, by_document: Ints, documents: pa.Table
) -> page.Distribution:
    """Units of the first passes.

    by_annotator (A, K + 1), by_document (D, K + 1): units of each category, the last of which is
    none; documents: columns document and batch of those D.
    """
    names = (*layer.tagset, UNLABELLED_NAME)
    kept = len(names) if by_annotator[:, -1].any() else len(layer.tagset)
    used = by_document.any(axis=1)
    by_batch = _by_batch(by_document[used], documents["batch"].filter(pa.array(used)))
    batches = sorted(by_batch) if len(by_batch) > 1 else []
    shown = []
    if used.sum() <= MOST_DOCUMENTS:
        of_used = documents["document"].filter(pa.array(used)).to_pylist()
        shown = sorted(zip(of_used, by_document[used].tolist(), strict=True))
    return page.Distribution(
        layer=layer.name,
        kind="units",
        tagset=list(names[:kept]),
        annotators=list(layer.humans),
        counts=by_annotator.T[:kept].tolist(),
        documents=[name for name, _ in shown],
        document_counts=[counts[:kept] for _, counts in shown],
        batches=batches,
        batch_counts=[by_batch[name][:kept].tolist() for name in batches],
    )


def _by_batch(by_document: Ints, batch: pa.ChunkedArray) -> dict[str, Ints]:
    """Counts of each batch that has a name."""
    codes = batch.combine_chunks().dictionary_encode()
    index = np.asarray(codes.indices)
    counts = np.zeros((len(codes.dictionary), by_document.shape[1]), dtype=np.int64)
    np.add.at(counts, index, by_document)
    return {
        name: of_batch
        for name, of_batch in zip(codes.dictionary.to_pylist(), counts, strict=True)
        if name
    }
