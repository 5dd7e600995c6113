"""Excluded annotators and documents: rows are counted, a name that nobody has is rejected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Excluded, Label, Rejected
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading
from tests.read_labels import read_labels

ROWS = [
    f"{document},{item},{who},{'xy'[(item + len(who)) % 2]}"
    for document, items in (("a", (1, 2)), ("draft-1", (3,)), ("b", (4,)))
    for item in items
    for who in ("ann", "ben", "chloe")
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text("document,item,annotator,label\n" + "\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_rows_are_counted_by_reason_and_the_others_are_those_of_a_smaller_export(
    table: Path, tmp_path: Path
) -> None:
    asked = {"exclude_annotators": "chloe", "exclude_documents": "draft-*"}
    records = list(read_source(table, "auto", SourceOptions(extra=asked)))
    smaller = tmp_path / "smaller" / "labels.csv"
    smaller.parent.mkdir()
    kept = [row for row in ROWS if "chloe" not in row and "draft" not in row]
    text = "document,item,annotator,label\n" + "\n".join(kept) + "\n"
    smaller.write_text(text, encoding="utf-8")
    alone = [
        (one.document, one.item, one.annotator, one.labels)
        for one in read_source(smaller, "auto", SourceOptions())
        if isinstance(one, Label)
    ]
    labels = [one for one in records if isinstance(one, Label)]
    assert [(one.document, one.item, one.annotator, one.labels) for one in labels] == alone
    counted: Counter[str] = Counter()
    for one in records:
        if isinstance(one, Excluded):
            counted[one.reason] += one.n_rows
    assert counted == {"annotator_excluded": 3, "document_excluded": 3}
    assert not any(isinstance(one, Rejected) for one in records)


def test_the_account_of_a_quick_look_has_every_row(table: Path) -> None:
    reading = Reading(options={"exclude_annotators": "ben, chl*", "exclude_documents": "draft-1"})
    with pytest.raises(DataError, match="one annotator"):
        agree(table, reading, LabelOptions())
    found = agree(table, Reading(options={"exclude_annotators": "chl*"}), LabelOptions())
    assert found.rows.n_read == len(ROWS)
    assert found.rows.excluded == {"annotator_excluded": 4}


@pytest.mark.parametrize(
    ("option", "what"), [("exclude_annotators", "annotator"), ("exclude_documents", "document")]
)
def test_a_name_that_nobody_has_is_refused(table: Path, option: str, what: str) -> None:
    with pytest.raises(DataError, match=f"names 'cloe', but no {what} has this name"):
        read_labels(table, options={option: "cloe"})
