"""A fingerprint of every document: what a later run knows a changed or renamed document by."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

SCHEMA = pa.schema(
    [("document", pa.string()), ("sha256", pa.string()), ("annotations", pa.uint64())]
)
_UNIT = ["annotator", "layer", "pass", "start", "end", "category"]
_LABEL = ["annotator", "layer", "pass", "item", "labels"]


def fingerprints(tables: Mapping[str, pa.Table]) -> pa.Table:
    """One row a document of accepted tables: SHA-256 of its text ("" without), and of its rows.

    `annotations` is the sum modulo 2^64 of the hashes of the document's units and labels, without
    its name; 0 when it has none. It does not depend on the order of rows.
    """
    documents = tables["documents"]
    names = documents["document"].combine_chunks()
    total = np.zeros(len(names), dtype=np.uint64)
    labels = tables["labels"]
    joined = pc.binary_join(labels["labels"], "\x1f")
    labels = labels.set_column(labels.column_names.index("labels"), "labels", joined)
    for rows, columns in ((tables["units"], _UNIT), (labels, _LABEL)):
        if rows.num_rows:
            of_document = pc.index_in(rows["document"], value_set=names).to_numpy()
            np.add.at(total, of_document.astype(np.int64), _hashes(rows.select(columns)))
    columns_ = {"document": names, "sha256": documents["sha256"], "annotations": total}
    return pa.table(columns_, schema=SCHEMA)


def _hashes(rows: pa.Table) -> NDArray[np.uint64]:
    return np.asarray(pd.util.hash_pandas_object(rows.to_pandas(), index=False), dtype=np.uint64)
