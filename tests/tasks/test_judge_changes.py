"""The drift of judges between two runs, from the tables beside their reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accordeur.data.store.in_memory import TABLES_FOLDER
from accordeur.data.store.store import Store
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.item_name import ItemName
from accordeur.metrics.replacement.judge_comparison import equal_labels
from accordeur.metrics.replacement.replacement_options import ReplacementSettings
from accordeur.reports.language import PORTFOLIO, Language
from accordeur.reports.portfolio.run_comparison_page import judge_sentence
from accordeur.reports.results import Campaign, ItemAgreement, Results, Run
from accordeur.tasks.replacement.judged_labels import judge_labels
from accordeur.tasks.run_comparison.judges import judge_changes
from accordeur.tasks.run_comparison.runs import RunToCompare
from tests.tasks.stores import validated

NAMES, TAGSET = ("ann", "ben", "cat", "gpt"), ("x", "y", "z")
N = 60


def run_of(folder: Path, codes: np.ndarray, number: int, *, distance: str = "") -> RunToCompare:
    """A finished run of the labels (N, 4): its results and its tables."""
    rows = [
        f"d{i // 6},q{i},{name},{TAGSET[codes[i, a]]},{'system' if name == 'gpt' else 'human'}"
        for i in range(N)
        for a, name in enumerate(NAMES)
    ]
    own = folder / str(number)
    own.mkdir()
    table = own / "labels.csv"
    table.write_text("document,item,annotator,label,role\n" + "\n".join(rows) + "\n")
    store, [shard] = validated(own, [{"path": str(table)}], n_shards=1)
    for name in ("labels", "assignments"):
        accepted = store.read_table(f"accepted/{shard.key}/{name}.parquet")
        store.write_table(f"run/{TABLES_FOLDER}/{name}.parquet", accepted)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=TAGSET, annotators=NAMES,
        documents=np.arange(N) // 6, items=tuple(ItemName(f"d{i // 6}", f"q{i}") for i in range(N)),
        roles=("human",) * 3 + ("system",),
    )  # fmt: skip
    judged = judge_labels(
        matrix,
        ReplacementSettings(replicates=0, min_items=10),
        similarity=equal_labels,
        layer="labels",
        distance=distance,
    )
    results = Results(
        campaign=Campaign(name="Judges"),
        run=Run(version="0", input_hash="0"),
        items=[
            ItemAgreement(
                layer="labels", tagset=list(TAGSET), annotators=["ann", "ben", "cat"],
                n_items=N, values=[],
            )
        ],
        replacement=[judged],
    )  # fmt: skip
    return RunToCompare(f"run {number}", Store(store.url), "run", results, number)


@pytest.fixture
def codes() -> np.ndarray:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, (N, 1))
    return np.where(rng.random((N, 4)) < 0.8, truth, rng.integers(0, 3, (N, 4)))


def test_a_judge_that_got_worse_is_seen(tmp_path: Path, codes: np.ndarray) -> None:
    later = codes.copy()
    later[:12, 3] = (later[:12, :3].max(axis=1) + 1) % 3
    changed = float((later[:, 3] != codes[:, 3]).mean())
    first, second = run_of(tmp_path, codes, 1), run_of(tmp_path, later, 2)
    [drift] = judge_changes(first, second)
    assert (drift.layer, drift.system) == ("labels", "gpt")
    assert drift.changed.value == pytest.approx(changed)
    means = [run.results.replacement[0].systems[0].values[0].value for run in (first, second)]
    assert drift.advantage.value == pytest.approx(means[1] - means[0])
    assert drift.advantage.interval[1] < 0


def test_an_unchanged_judge_has_no_drift(tmp_path: Path, codes: np.ndarray) -> None:
    first, second = run_of(tmp_path, codes, 1), run_of(tmp_path, codes, 2)
    [drift] = judge_changes(first, second)
    assert (drift.changed.value, drift.advantage.value) == (0, 0)
    assert drift.changed.interval[1] > 0


def test_a_judge_of_one_run_only_has_none(tmp_path: Path, codes: np.ndarray) -> None:
    first, second = run_of(tmp_path, codes, 1), run_of(tmp_path, codes, 2)
    without = first.results.model_copy(update={"replacement": []})
    assert judge_changes(replace(first, results=without), second) == []


def test_a_table_of_distances_leaves_the_change_of_the_labels(
    tmp_path: Path, codes: np.ndarray
) -> None:
    """Reports state the hash of a table of distances, from which no advantage can be computed."""
    later = codes.copy()
    later[0, 3] = (codes[0, 3] + 1) % 3
    first = run_of(tmp_path, codes, 1, distance="table-0123456789ab")
    second = run_of(tmp_path, later, 2, distance="table-0123456789ab")
    [drift] = judge_changes(first, second)
    assert drift.changed.value == pytest.approx(1 / N)
    assert drift.advantage.reason is not None
    said = judge_sentence(Language("en", PORTFOLIO), drift)
    assert "gpt (labels) changed 2% of its labels" in said
    assert said.endswith("reports do not contain it.")


def test_a_run_without_the_layer_has_a_drift_with_a_reason(
    tmp_path: Path, codes: np.ndarray
) -> None:
    first, second = run_of(tmp_path, codes, 1), run_of(tmp_path, codes, 2)
    first = replace(first, results=first.results.model_copy(update={"items": []}))
    [drift] = judge_changes(first, second)
    assert "no agreement in one of the runs" in judge_sentence(Language("en", PORTFOLIO), drift)
