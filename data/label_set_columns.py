"""A column of lists of labels as a column of names of sets."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from .label_sets import EMPTY, JOINT, set_name


def set_names(lists: pa.ChunkedArray) -> pa.ChunkedArray:
    """`set_name` of each list of labels."""
    labels = pc.list_flatten(lists)
    plain = not any(pc.any(pc.match_substring(labels, sign)).as_py() for sign in (JOINT, EMPTY))
    if plain and pc.all(pc.equal(pc.list_value_length(lists), 1)).as_py():
        return pc.binary_join(lists, "")  # one label each, which is its own name
    return pa.chunked_array([pa.array(map(set_name, lists.to_pylist()), pa.string())])
