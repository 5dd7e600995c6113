"""`accordeur.next_labels` and the exclusion of informative labels from single exports."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.tasks.queues_of_rounds import QueueRow, queue_table

LABELS = pd.DataFrame(
    [
        {"item": f"q{i}", "annotator": who, "label": "yes" if i % 2 else "no"}
        for i in range(20)
        for who in ("ann", "ben")
    ]
    + [{"item": "q1", "annotator": "cat", "label": "no"}]
)


def test_the_assignments_are_a_frame_of_labels_that_nobody_gave() -> None:
    found = acc.next_labels(LABELS, budget=6, random_share=0.5).to_frame()
    assert list(found.columns) == [
        "item", "annotator", "purpose", "probability", "error", "exists",
    ]  # fmt: skip
    new = found[~found["exists"]]
    assert len(new) == 6
    assert (new["purpose"] == "random").sum() == 3
    assert set(new["annotator"]) == {"cat"}
    assert "q1" not in set(new["item"])
    assert found.equals(acc.next_labels(LABELS, budget=6, random_share=0.5).to_frame())


def queue(folder: Path, *rows: tuple[str, str, str]) -> Path:
    table = queue_table(
        QueueRow(1, "", "labels", item, who, purpose, 1.0, 0.1)  # type: ignore[arg-type]
        for item, who, purpose in rows
    )
    pq.write_table(table, folder / "round-0001.parquet")
    return folder


def test_agreement_excludes_informative_labels_of_a_queue(tmp_path: Path) -> None:
    place = queue(tmp_path, ("q1", "cat", "informative"), ("q2", "ann", "random"))
    found = acc.agreement(LABELS, measures=["krippendorff_alpha"], queue=str(place), replicates=0)
    assert found[0].value == 1
    assert found.rows.excluded == {"adaptive": 1}
    with_all = acc.agreement(LABELS, measures=["krippendorff_alpha"], replicates=0)
    assert with_all[0].value < 1


def test_gamma_excludes_informative_documents_of_a_queue(tmp_path: Path) -> None:
    units = pd.DataFrame(
        [
            {"document": f"d{d}", "annotator": who, "start": 10 * d, "end": end, "category": "x"}
            for d in range(4)
            for who, end in (("ann", 50), ("ben", 50), ("cat", 90))
        ]
    )
    rows = [
        QueueRow(1, "units", f"d{d}", f"d{d}", "cat", "informative", 1.0, 0.1) for d in range(4)
    ]
    pq.write_table(queue_table(rows), tmp_path / "round-0001.parquet")
    settings: dict[str, float] = {"replicates": 0, "precision": 0.5}
    found = acc.gamma(units, queue=str(tmp_path), **settings)
    assert found.value == 1
    assert found.values.rows.excluded == {"adaptive": 4}
    assert acc.gamma(units, **settings).value < 1


def test_informative_labels_of_earlier_rounds_join_only_when_drawn(tmp_path: Path) -> None:
    place = queue(tmp_path, ("q1", "cat", "informative"))
    found = acc.next_labels(LABELS, budget=19, random_share=1, queue=place).to_frame()
    joined = found[found["exists"]]
    assert list(zip(joined["item"], joined["annotator"], strict=True)) == [("q1", "cat")]


def test_fewer_labels_than_requested_are_explained() -> None:
    found = acc.next_labels(LABELS, budget=500)
    assert re.search(r"\d+ of the 500 labels .* no other item lacks a label", str(found))


def test_anything_but_a_queue_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no queue found"):
        acc.agreement(LABELS, queue=str(tmp_path))
    (tmp_path / "round-0001.parquet").write_text("no")
    with pytest.raises(DataError, match="not a readable Parquet file"):
        acc.agreement(LABELS, queue=str(tmp_path))
