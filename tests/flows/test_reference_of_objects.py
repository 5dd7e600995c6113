"""A layer of objects in a run: its reference by medoid."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

import accordeur as acc
from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.item_name import ItemName
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from accordeur.tasks.references.object_reference import objects_reference
from accordeur.tasks.references.reference_settings import ReferenceSettings
from tests.flows.outcomes import results_of

Run = Callable[..., tuple[dict[str, Any], Any]]
CAMPAIGN = """
[campaign]
name = "Transcripts"
[[sources]]
path = "labels.csv"
[layers.said]
distance = "word_error"
[reference]
rule = "consensus"
[annotators]
tool = { role = "system" }
gold = { role = "reference" }
[validation]
undeclared_annotators = "accept"
[engine]
workers = 1
"""


def rows_of_objects(seed: int = 4) -> Iterator[tuple[str, ...]]:
    """24 items in 4 documents: three annotators of unequal care, and a tool."""
    rng = np.random.default_rng(seed)
    care = {"ann": 0.9, "ben": 0.8, "cat": 0.5, "tool": 0.7}
    for i in range(24):
        words = rng.choice(["la", "mer", "est", "belle", "ce", "soir", "ici"], 5, replace=False)
        for name, share in care.items():
            kept = [word for word in words if rng.random() < share]
            yield f"d{i // 6}", "said", f"q{i}", name, " ".join(["oui", *kept])
        for name in care:
            yield f"d{i // 6}", "note", f"q{i}", name, f"il est {i} heures {name}"
    yield "d0", "said", "q98", "ann", "oui seule"  # one annotator


def write_campaign(folder: Path, text: str, rows: list[tuple[str, ...]]) -> Path:
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("document", "layer", "item", "annotator", "label"), *rows])
    path = folder / "campaign.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.services
def test_a_run_releases_the_medoids(tmp_path: Path, run_campaign: Run) -> None:
    rows = list(rows_of_objects())
    outcome, _ = run_campaign(write_campaign(tmp_path, CAMPAIGN, rows))
    folder = Path(outcome["report"]).parent
    names = ("document", "layer", "item", "annotator", "label")
    frame = pl.DataFrame(rows, names, orient="row").filter(
        (pl.col("annotator") != "tool") & (pl.col("layer") == "said")
    )
    made = acc.consensus(frame, distance="word_error")
    released = pq.read_table(folder / "reference/said/reference.parquet").to_pylist()
    of_items = {row["item"]: row["label"] for row in released}
    assert of_items == dict(zip(made.data["item"], made.data["label"], strict=True))
    assert (folder / "reference/said/tables").is_dir()
    [reference] = [one for one in results_of(outcome)["references"] if one["layer"] == "said"]
    assert reference["rule"] == "weighted_medoid"
    assert (reference["n_items"], reference["n_resolved"]) == (25, len(made.data))
    assert "d0, q98 (ann)" in reference["unresolved"]
    assert reference["weights"]["ann"] > reference["weights"]["cat"]
    [notes] = [one for one in results_of(outcome)["items"] if one["layer"] == "note"]
    assert notes["findings"][0]["rule"] == "texts_as_categories"
    page = (folder / "report.html").read_text("utf-8")
    assert "weighted by reliability" in page
    assert "Texts are taken for categories" in page


def test_open_items_name_what_is_tied_and_who_was_alone() -> None:
    matrix = label_matrix(
        items=[ItemName("d", str(item)) for item in ("q1", "q1", "q2", "q2", "q3")],
        annotators=["ann", "ben", "ann", "ben", "ben"],
        labels=["la mer", "le soir", "la mer", "la mer", "ici"],
    )
    distance = OBJECT_DISTANCES["word_error"]
    found = objects_reference(matrix, "said", distance, ReferenceSettings()).summary
    assert (found.rule, found.n_resolved, found.n_ties, found.n_unresolved) == ("medoid", 1, 1, 2)
    assert found.unresolved == ["d, q1 (ann, ben)", "d, q3 (ben)"]
    assert [one.code for one in found.warnings] == ["objects_tied", "objects_alone"]
    one_each = matrix.select_items(np.array([False, False, True]))
    assert objects_reference(one_each, "said", distance, ReferenceSettings()).rows == []
