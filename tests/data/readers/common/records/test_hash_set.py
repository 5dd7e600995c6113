"""The compact set of hashes, against Python's own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.readers.common.records.first_mentions import HashSet

HASHES = st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5)


@given(st.lists(HASHES, max_size=60), st.integers(1, 10))
def test_against_a_set(values, recent):
    compact, plain = HashSet(recent), set()
    for value in values:
        assert compact.add(value) == (value not in plain)
        plain.add(value)
        assert len(compact) == len(plain)


def test_a_set_that_starts_small_holds_the_same():
    found = HashSet(recent=50, fewest=4)
    assert all(found.add(hash(f"d{k}")) for k in range(2000))
    assert not any(found.add(hash(f"d{k}")) for k in range(2000))
    assert len(found) == 2000
