"""Use of categories on units: counts by annotator, document and batch."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...metrics.alignment.continuum import UNLABELLED_NAME
from ...reports import results as page
from ..batches_and_periods import groups_by_first_time
from ..layers import LayerSpec

MOST_DOCUMENTS = 200

Ints = NDArray[np.int64]


def unit_distribution(
    layer: LayerSpec, usage: Iterable[tuple[Ints, Ints]], documents: pa.Table
) -> page.Distribution:
    """Return the distribution of the units of the first passes.

    usage      for each shard, units by annotator (A, K + 1) and by document (D, K + 1) of each
               category, the last of which is "none"
    documents  columns document, batch and, if known, time of all documents, shard after shard
    """
    names = (*layer.tagset, UNLABELLED_NAME)
    codes = documents["batch"].combine_chunks().dictionary_encode()
    of_batch = np.zeros((len(codes.dictionary), len(names)), dtype=np.int64)
    by_annotator = np.zeros((len(layer.humans), len(names)), dtype=np.int64)
    first, n_used, shown = 0, 0, []
    for by_annotator_here, by_document in usage:
        here = slice(first, first + by_document.shape[0])
        first = here.stop
        by_annotator += by_annotator_here
        np.add.at(of_batch, np.asarray(codes.indices)[here], by_document)
        used = np.flatnonzero(by_document.any(axis=1))
        n_used += used.size
        if n_used <= MOST_DOCUMENTS:
            of_used = documents["document"].take(pa.array(here.start + used)).to_pylist()
            shown += list(zip(of_used, by_document[used].tolist(), strict=True))
    kept = len(names) if by_annotator[:, -1].any() else len(layer.tagset)
    shown = sorted(shown) if n_used <= MOST_DOCUMENTS else []
    by_batch = {
        name: counts.tolist()
        for name, counts in zip(codes.dictionary.to_pylist(), of_batch, strict=True)
        if name and counts.any()
    }
    order = groups_by_first_time(documents, "batch") if len(by_batch) > 1 else []
    batches = [name for name in order if name in by_batch]
    return page.Distribution(
        layer=layer.name,
        kind="units",
        tagset=list(names[:kept]),
        annotators=list(layer.humans),
        counts=by_annotator.T[:kept].tolist(),
        documents=[name for name, _ in shown],
        document_counts=[counts[:kept] for _, counts in shown],
        batches=batches,
        batch_counts=[by_batch[name][:kept] for name in batches],
    )
