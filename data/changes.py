"""Changes of documents since an earlier run: added, removed, renamed, changed.

Documents are matched by their fingerprints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

SCHEMA = pa.schema(
    [("document", pa.string()), ("sha256", pa.string()), ("annotations", pa.uint64())]
)
_UNIT = ["annotator", "layer", "pass", "start_offset", "end_offset", "category"]
_LABEL = ["annotator", "layer", "pass", "item", "labels"]
_NAMED = 20


def document_fingerprints(tables: Mapping[str, pa.Table]) -> pa.Table:
    """Return the SHA-256 of the text ("" without) and a hash of the rows, one row per document.

    `annotations` is the sum modulo 2^64 of the hashes of the document's units and labels, without
    the document's name; 0 when it has none. It does not depend on the order of rows.
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
            np.add.at(total, of_document.astype(np.int64), _row_hashes(rows.select(columns)))
    columns_ = {"document": names, "sha256": documents["sha256"], "annotations": total}
    return pa.table(columns_, schema=SCHEMA)


def _row_hashes(rows: pa.Table) -> NDArray[np.uint64]:
    import pandas as pd  # imported here because only comparisons need it

    return np.asarray(pd.util.hash_pandas_object(rows.to_pandas(), index=False), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Changes:
    """Counts and names of each kind of change; `renamed` holds pairs (before, now)."""

    n_added: int = 0
    n_removed: int = 0
    n_renamed: int = 0
    n_changed: int = 0
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.n_added or self.n_removed or self.n_renamed or self.n_changed)


def compare_fingerprints(before: pa.Table, now: pa.Table, *, most: int | None = _NAMED) -> Changes:
    """Compare two tables of `document_fingerprints`; keep at most `most` names of each kind.

    A document is renamed when exactly one removed and exactly one added document have the same
    text, or, without texts, the same annotations. A document is changed when its text or its
    annotations differ.
    """
    is_gone = _boolean_array(
        pc.invert(pc.is_in(before["document"], value_set=_document_names(now)))
    )
    is_new = _boolean_array(pc.invert(pc.is_in(now["document"], value_set=_document_names(before))))
    gone, new = before.filter(pa.array(is_gone)), now.filter(pa.array(is_new))
    renamed = _renamed(gone, new)
    removed = _documents_not_in(gone, [old for old, _ in renamed])
    added = _documents_not_in(new, [name for _, name in renamed])
    changed = _changed(before, now)
    return Changes(
        n_added=len(added),
        n_removed=len(removed),
        n_renamed=len(renamed),
        n_changed=len(changed),
        added=tuple(added[:most]),
        removed=tuple(removed[:most]),
        renamed=tuple(renamed[:most]),
        changed=tuple(changed[:most]),
    )


def _renamed(gone: pa.Table, new: pa.Table) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for content in (_text_of, _annotations_of):
        known = {name for pair in pairs for name in pair}
        old, young = (
            _documents_with_unique_content(gone, content, known),
            _documents_with_unique_content(new, content, known),
        )
        pairs += [(old[key], young[key]) for key in old.keys() & young.keys()]
    return sorted(pairs)


def _text_of(row: dict[str, object]) -> object:
    return row["sha256"] or None


def _annotations_of(row: dict[str, object]) -> object:
    return None if row["sha256"] else row["annotations"] or None


def _documents_with_unique_content(
    rows: pa.Table, content: object, known: set[str]
) -> dict[object, str]:
    """Return content → document for documents whose content occurs only once."""
    found: dict[object, list[str]] = {}
    for row in rows.to_pylist():
        key = content(row)  # type: ignore[operator]
        if key is not None and row["document"] not in known:
            found.setdefault(key, []).append(row["document"])
    return {key: names[0] for key, names in found.items() if len(names) == 1}


def _changed(before: pa.Table, now: pa.Table) -> list[str]:
    place = pc.index_in(now["document"], value_set=_document_names(before))
    both = now.filter(pc.is_valid(place))
    earlier = before.take(pc.drop_null(place.combine_chunks()))
    differs = pc.or_(
        pc.not_equal(both["sha256"], earlier["sha256"]),
        pc.not_equal(both["annotations"], earlier["annotations"]),
    )
    return sorted(both.filter(differs)["document"].to_pylist())


def _documents_not_in(rows: pa.Table, names: list[str]) -> list[str]:
    left = set(names)
    return sorted(name for name in rows["document"].to_pylist() if name not in left)


def _document_names(rows: pa.Table) -> pa.Array:
    return rows["document"].combine_chunks()


def _boolean_array(array: pa.ChunkedArray) -> NDArray[np.bool_]:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.bool_)
