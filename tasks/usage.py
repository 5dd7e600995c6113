"""How often categories were used on units: by annotator, document and batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from data.store import Store
from reports import results as page
from tasks.coverage import batch_column
from tasks.layers import LayerSpec, accepted, unit_rows

MOST_DOCUMENTS = 200
NO_CATEGORY = "(no category)"

Ints = NDArray[np.int64]


def unit_distribution(store: Store, keys: Sequence[str], layer: LayerSpec) -> page.Distribution:
    """Units of the first passes, counted shard by shard."""
    names = (*layer.tagset, NO_CATEGORY)
    by_annotator = np.zeros((len(names), len(layer.humans)), dtype=np.int64)
    by_batch: dict[str, Ints] = {}
    by_document: dict[str, Ints] = {}
    for key in keys:
        rows = unit_rows(store, key, layer, layer.humans)
        documents = accepted(store, key, "documents", columns=["document", "batch"])
        rows = rows.append_column("batch", batch_column(documents, rows["document"]))
        code = pc.index_in(rows["category"], value_set=pa.array(layer.tagset, pa.string()))
        rows = rows.append_column("code", pc.fill_null(code, len(layer.tagset)))
        for row in _counted(rows, "annotator"):
            by_annotator[row["code"], layer.humans.index(row["annotator"])] += row["count_all"]
        for row in _counted(rows, "batch"):
            _of(by_batch, row["batch"], len(names))[row["code"]] += row["count_all"]
        if len(by_document) <= MOST_DOCUMENTS:
            for row in _counted(rows, "document"):
                _of(by_document, row["document"], len(names))[row["code"]] += row["count_all"]
    kept = len(names) if by_annotator[-1].any() else len(layer.tagset)
    by_batch.pop("", None)
    batches = sorted(by_batch) if len(by_batch) > 1 else []
    shown = sorted(by_document) if len(by_document) <= MOST_DOCUMENTS else []
    return page.Distribution(
        layer=layer.name,
        kind="units",
        tagset=list(names[:kept]),
        annotators=list(layer.humans),
        counts=by_annotator[:kept].tolist(),
        documents=shown,
        document_counts=[by_document[name][:kept].tolist() for name in shown],
        batches=batches,
        batch_counts=[by_batch[name][:kept].tolist() for name in batches],
    )


def _counted(rows: pa.Table, column: str) -> list[dict[str, Any]]:
    counted = rows.group_by([column, "code"]).aggregate([([], "count_all")])
    found: list[dict[str, Any]] = counted.to_pylist()
    return found


def _of(table: dict[str, Ints], name: str, size: int) -> Ints:
    return table.setdefault(name, np.zeros(size, dtype=np.int64))
