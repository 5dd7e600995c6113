"""Series: every number is read once, whatever files hold it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.store.series import Series
from accordeur.data.store.store import Store


def rows(first: int, count: int) -> pa.Table:
    numbers = np.repeat(np.arange(first, first + count), 2)  # two rows a number
    return pa.table({"sample": numbers, "value": np.sqrt(numbers)})


@pytest.fixture
def series(tmp_path: Path) -> Series:
    return Series(Store(str(tmp_path)), "chance/x", "sample")


def again(series: Series) -> Series:
    return Series(Store(series._store.url), "chance/x", "sample")


def test_rows_come_back_across_files(series: Series) -> None:
    for first in (0, 10, 20):
        series.write(first, 10, rows(first, 10))
    found = again(series).read(5, 20)
    assert found is not None
    assert found.equals(rows(5, 20))
    assert again(series).read(5, 26) is None
    assert again(series).numbers().tolist() == list(range(30))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=12),
    st.integers(0, 20),
    st.integers(1, 20),
)
def test_overlapping_files_and_compaction_change_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    files: list[tuple[int, int]],
    first: int,
    count: int,
) -> None:
    series = Series(Store(str(tmp_path_factory.mktemp("s"))), "chance/x", "sample")
    for begin, n in files:
        series.write(begin, n, rows(begin, n))
    held = {k for begin, n in files for k in range(begin, begin + n)}
    before = series.read(first, count)
    assert (before is not None) == held.issuperset(range(first, first + count))
    series.compact(most=1)
    after = again(series)
    assert len(after.paths) <= len(files)
    assert after.numbers().tolist() == sorted(held)
    found = after.read(first, count)
    assert found is None if before is None else found.equals(before)


def test_a_damaged_file_is_told_and_not_read(series: Series) -> None:
    path = series.write(0, 10, rows(0, 10))
    place = series._store.local_path(path)
    content = bytearray(place.read_bytes())
    content[40] ^= 1
    place.write_bytes(content)
    found = again(series)
    assert found.read(0, 10) is None
    assert found.damaged == [path]
    found.write(0, 10, rows(0, 10))
    assert again(series).read(0, 10) is not None


def test_few_files_are_left_alone(series: Series) -> None:
    for first in range(4):
        series.write(first, 1, rows(first, 1))
    assert series.compact() == 0
    assert series.compact(most=3) == 4
    assert len(again(series).paths) == 1
