"""Agreement on items, batch by batch: from labels to codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pyarrow as pa

from ..data.arrow_columns import one_chunk
from ..data.store.store import Store
from ..metrics.agreement.label_matrix import HUMAN, LabelMatrix
from .item_names import StoredItemNames
from .layer_rows import LayerRows
from .layers import LayerSpec

CODES = "codes"  # name of the table of codes in a place


def write_codes_of_shard(
    store: Store, place: str, key: str, layer: LayerSpec, annotators: Sequence[str] = ()
) -> None:
    """Write the codes of a shard's labels into the place.

    annotators  those whose labels are counted; default: the layer's humans

    Labels collected because they were informative are not counted (`tasks.next_round`).
    """
    of_names = replace(layer, humans=tuple(annotators) or layer.humans)
    matrix = LayerRows(store, key, of_names).matrix()
    store.write_table(f"{place}/{CODES}.parquet", codes_table(matrix))


def n_adaptive(store: Store, key: str, layer: LayerSpec) -> int:
    """Count the labels of the shard that were collected because they were informative."""
    return int(LayerRows(store, key, layer).is_informative.sum())


def codes_table(matrix: LabelMatrix) -> pa.Table:
    """Return one row per item: document, item, and a column of codes per annotator.

    The matrix is a result of `matrix_of_rows`.
    """
    names = cast(StoredItemNames, matrix.items)
    codes = {f"code_{a}": pa.array(matrix.codes[:, a]) for a in range(matrix.n_annotators)}
    return pa.table({**names.columns, **codes})


def read_stored_matrix(
    store: Store,
    places: Sequence[str],
    layer: LayerSpec,
    annotators: Sequence[str] = (),
    name: str = CODES,
) -> LabelMatrix:
    """Read the labels of the campaign, shard after shard.

    annotators  annotators whose codes are in the tables; default: the layer's humans
    name        of the tables in the places
    """
    names = tuple(annotators) or layer.humans
    table = pa.concat_tables([store.read_table(f"{place}/{name}.parquet") for place in places])
    codes = [table[f"code_{a}"].to_numpy() for a in range(len(names))]
    documents = table["document"].combine_chunks().dictionary_encode()
    return LabelMatrix(
        codes=np.stack(codes, axis=1).astype(np.int32) if codes else np.empty((0, 0), np.int32),
        tagset=layer.tagset,
        annotators=names,
        documents=np.asarray(documents.indices, dtype=np.int64),
        items=StoredItemNames(documents, one_chunk(table["item"])),
        roles=(HUMAN,) * len(names),
        members=layer.members(),
        tags=layer.labels(),
    )
