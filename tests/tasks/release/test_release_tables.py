"""Pseudonyms and groups of a release, and tables without their pseudonyms."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.tasks.release.pseudonyms import Pseudonyms, demographics_of, release_key
from accordeur.tasks.release.release_tables import with_row_hashes

LANGUAGES = ("French", "English", "Breton", "Welsh", "")
SIZES = st.tuples(*[st.integers(0, 9)] * len(LANGUAGES))


@given(SIZES, st.integers(2, 8))
def test_no_group_is_smaller_than_the_minimum(sizes: tuple[int, ...], minimum: int) -> None:
    languages = [name for name, n in zip(LANGUAGES, sizes, strict=True) for _ in range(n)]
    people = [{"first language": one} if one else {} for one in languages]
    found, withheld = demographics_of(people, minimum)
    for one in found:
        assert sum(one.groups.values()) == len(people)
        assert all(n >= minimum for n in one.groups.values())
    assert len(found) + len(withheld) == any(languages)


def test_groups_that_are_large_enough_stay_apart() -> None:
    people = [{"age": "under 30"}] * 6 + [{"age": "30 or more"}] * 5
    [age], _ = demographics_of(people, 5)
    assert age.groups == {"under 30": 6, "30 or more": 5}


def test_pseudonyms_depend_on_key_and_version() -> None:
    names = [
        Pseudonyms(key, version).of("anna")
        for key in (b"a" * 32, b"b" * 32)
        for version in ("1.0", "1.1")
    ]
    assert all(one != other for one, other in combinations(names, 2))
    assert all(one.startswith("A") and "anna" not in one for one in names)


def test_the_store_keeps_the_secret_that_it_makes(tmp_path: Path) -> None:
    first = release_key(Store(str(tmp_path)), "")
    assert release_key(Store(str(tmp_path)), "") == first
    assert len(first) == 64


@pytest.mark.parametrize(("content", "said"), [(b"short", "has 5 bytes"), (None, "cannot be read")])
def test_a_bad_secret_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError, match=f"release.pseudonym_key: .* {said}"):
        release_key(Store(str(tmp_path)), str(file))


def test_another_secret_gives_the_same_tables_and_another_label_does_not() -> None:
    def labels(of: dict[str, str], last: str = "y") -> pa.Table:
        rows = [("d1", "i1", "ana", "x"), ("d1", "i1", "ben", "y"), ("d1", "i2", "ana", last)]
        named = sorted((d, i, of[who], label) for d, i, who, label in rows)
        columns = [pa.array(column) for column in zip(*named, strict=True)]
        return pa.table(columns, names=["document", "item", "annotator", "label"])

    one = with_row_hashes(labels({"ana": "A1", "ben": "A2"}))
    assert one.equals(with_row_hashes(labels({"ana": "A9", "ben": "A3"})))
    assert not one.equals(with_row_hashes(labels({"ana": "A1", "ben": "A2"}, last="x")))
