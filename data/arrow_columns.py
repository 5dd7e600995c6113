"""Arrow columns of Python and NumPy values, and back.

`pyarrow.array`, `pyarrow.scalar` and `to_numpy` import pandas, which takes longer than a quick
look; these functions build and read the buffers of a column and do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .coded import Coded

_NUMBERS = {pa.int8(): np.int8, pa.int32(): np.int32, pa.int64(): np.int64, pa.bool_(): np.bool_}

_FEW_ROWS = 1000  # that show quickly that a column has several values
_MOST_BYTES = (1 << 31) - 1  # of a column, whose offsets have 32 bits


def column(values: Sequence[Any], type: pa.DataType) -> pa.Array:
    """Return the values as a column; rows of a list are sequences, of a struct tuples."""
    if pa.types.is_list(type):
        flat = column([*chain.from_iterable(values)], type.value_type)
        return pa.ListArray.from_arrays(_offsets(map(len, values), len(values)), flat, type=type)
    if pa.types.is_fixed_size_list(type):
        flat = column([*chain.from_iterable(values)], type.value_type)
        return pa.FixedSizeListArray.from_arrays(flat, type=type)
    if pa.types.is_struct(type):
        fields = [column([row[k] for row in values], type[k].type) for k in range(len(type))]
        return pa.StructArray.from_arrays(fields, fields=[*type])
    if pa.types.is_string(type):
        return _text_column(values)
    return number_column(np.fromiter(values, dtype=_NUMBERS[type], count=len(values)))


def number_column(values: NDArray[Any]) -> pa.Array:
    """Return integers or booleans (n_rows) as a column of the same type."""
    if values.dtype == np.bool_:
        return pc.cast(number_column(values.view(np.int8)), pa.bool_())
    type = next(type for type, dtype in _NUMBERS.items() if dtype == values.dtype)
    buffer = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(type, len(values), [None, buffer])


def repeated_column(value: Any, type: pa.DataType, n_rows: int) -> pa.Array:
    """Return a column with the same value in every row; () is an empty list."""
    if value is None:
        return pa.nulls(n_rows, type)
    if value == ():
        offsets = number_column(np.zeros(n_rows + 1, dtype=np.int32))
        return pa.ListArray.from_arrays(offsets, column([], type.value_type), type=type)
    if type in _NUMBERS:
        return number_column(np.full(n_rows, value, dtype=_NUMBERS[type]))
    if pa.types.is_string(type) and len(content := value.encode()) * n_rows <= _MOST_BYTES:
        offsets = pa.py_buffer((np.arange(n_rows + 1) * len(content)).astype(np.int32))
        return pa.Array.from_buffers(type, n_rows, [None, offsets, pa.py_buffer(content * n_rows)])
    return pa.repeat(column([value], type)[0], n_rows)  # appends row by row


def _offsets(lengths: Any, n_rows: int) -> pa.Array:
    offsets = np.zeros(n_rows + 1, dtype=np.int32)
    np.cumsum(np.fromiter(lengths, dtype=np.int32, count=n_rows), out=offsets[1:])
    return number_column(offsets)


def _text_column(values: Sequence[str | None]) -> pa.Array:
    known, missing = values, None
    if None in values:
        known = [value or "" for value in values]
        given = np.fromiter((value is not None for value in values), np.bool_, count=len(values))
        missing = pa.py_buffer(np.packbits(given, bitorder="little"))
    joined = "".join(known)  # type: ignore[arg-type]  # no value is None
    content = joined.encode()
    if len(content) > _MOST_BYTES:
        return pa.array(values, pa.string())  # in chunks, or refused by Arrow
    encoded = known if len(content) == len(joined) else (one.encode() for one in known)  # type: ignore[union-attr]
    offsets = _offsets(map(len, encoded), len(values)).buffers()[1]  # type: ignore[arg-type]
    buffers = [missing, offsets, pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


def empty_table(schema: pa.Schema) -> pa.Table:
    """Return a table without rows."""
    return pa.table([pa.nulls(0, field.type) for field in schema], schema=schema)


def text_hashes(texts: pa.Array, key: str = "") -> NDArray[np.uint64]:
    """Return a hash of each text (n_rows,), the same in every process, unlike those of `hash`."""
    secret = key.encode()
    digests = [
        blake2b(one, digest_size=8, key=secret).digest()
        for one in pc.cast(pc.fill_null(texts, ""), pa.binary()).to_pylist()
    ]
    return np.frombuffer(b"".join(digests), dtype="<u8")


@lru_cache(maxsize=1024, typed=True)
def scalar(value: str | int | bool) -> pa.Scalar:
    """Return one value, for comparisons with a column: text, a boolean, or an integer (int64)."""
    if isinstance(value, bool):
        return number_column(np.array([value]))[0]
    return column([value], pa.string() if isinstance(value, str) else pa.int64())[0]


def one_chunk(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return a column as one array."""
    if isinstance(values, pa.Array):
        return values
    return values.combine_chunks() if values.num_chunks else pa.nulls(0, values.type)


def as_numpy(values: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Return integers or booleans as a NumPy array; null is False or 0."""
    is_boolean = pa.types.is_boolean(values.type)
    if values.null_count:
        values = pc.fill_null(
            values, number_column(np.zeros(1, dtype=np.int8))[0].cast(values.type)
        )
    if is_boolean:
        values = pc.cast(values, pa.int8())
    if not len(values):
        return np.empty(0, dtype=np.bool_ if is_boolean else _NUMBERS[values.type])
    chunks = [values] if isinstance(values, pa.Array) else values.chunks
    parts: list[NDArray[Any]] = [np.from_dlpack(one) for one in chunks if len(one)]
    found = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return found.view(np.bool_) if is_boolean else found


def codes_and_values(values: pa.Array | pa.ChunkedArray) -> tuple[NDArray[np.int64], pa.Array]:
    """Return the number of each row's value among the different values, and these values.

    Values are numbered in the order of their first rows.
    """
    if _is_constant(values):  # as are most columns of names in a table of one file
        return np.zeros(len(values), dtype=np.int64), one_chunk(values[:1])
    encoded = one_chunk(values).dictionary_encode(null_encoding="encode")
    return as_numpy(encoded.indices).astype(np.int64), encoded.dictionary


def _is_constant(values: pa.Array | pa.ChunkedArray) -> bool:
    """Return whether a column has one value in all rows, and no null."""
    if not len(values) or values.null_count:
        return False
    return all(pc.all(pc.equal(some, values[0])).as_py() for some in (values[:_FEW_ROWS], values))


def coded_column(texts: pa.ChunkedArray) -> Coded:
    """Return a column of texts by number, in the order of their first rows."""
    encoded = one_chunk(texts).dictionary_encode()
    return Coded(as_numpy(encoded.indices), encoded.dictionary.to_pylist())


def group_codes(rows: pa.Table, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return one number per row, equal for rows that are equal in all the columns."""
    group = np.zeros(rows.num_rows, dtype=np.int64)
    n_groups = 1
    for name in columns:
        codes, values = codes_and_values(rows[name])
        if len(values) < 2:
            continue
        if n_groups * len(values) >= 1 << 62:
            different, group = np.unique(group, return_inverse=True)
            n_groups = len(different)
        group = group * len(values) + codes
        n_groups *= len(values)
    return group


def first_of_equal_rows(rows: pa.Table, columns: Sequence[str]) -> pa.Table:
    """Return the first row with each combination of values, in the order of the rows."""
    return rows.take(number_column(_first_rows(group_codes(rows, columns))[0]))


def count_equal_rows(
    rows: pa.Table, columns: Sequence[str]
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Yield each combination of values and the number of its rows, in the order of the rows.

    As `pyarrow.Table.group_by`, which imports pandas.
    """
    first, group = _first_rows(group_codes(rows, columns))
    found = rows.select(columns).take(number_column(first))
    values = zip(*(found[name].to_pylist() for name in columns), strict=True)
    return zip(values, np.bincount(group).tolist(), strict=True)


def _first_rows(group: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each group, in order, and the place of each row's group there."""
    codes, different = codes_and_values(number_column(group))
    first = np.empty(len(different), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first, codes


def are_rows_among(rows: pa.Table, others: pa.Table, columns: Sequence[str]) -> NDArray[np.bool_]:
    """Return for each row whether one of the others is equal to it in all the columns."""
    both = pa.concat_tables([others.select(columns), rows.select(columns)])
    group, n_others = group_codes(both, columns), others.num_rows
    return np.isin(group[n_others:], group[:n_others])


def rows_where(rows: pa.Table, wanted: NDArray[np.bool_] | pa.ChunkedArray) -> pa.Table:
    """Return the rows that are wanted; the table itself where all are, as filtering copies."""
    mask = wanted if isinstance(wanted, np.ndarray) else as_numpy(wanted)
    return rows if mask.all() else rows.filter(number_column(mask))
