"""Reads the published cases: from a case of the file to a label matrix and our measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from accordeur.metrics.agreement.distances import set_distance_table
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.agreement.label_sets import set_matrix

Case = dict[str, Any]

FILE = Path(__file__).resolve().parents[2] / "corpora" / "known_values_agreement.json"

MEASURES = {
    "Cohen's kappa": "cohen_kappa",
    "weighted kappa (Cohen 1968)": "weighted_kappa",
    "weighted kappa (generalised, Cohen 1968)": "weighted_kappa",
    "Conger's kappa": "conger_kappa",
    "Scott's pi": "scott_pi",
    "Fleiss' kappa": "fleiss_kappa",
    "Fleiss' kappa (multi-pi)": "fleiss_kappa",
    "Fleiss' kappa (Gwet's missing-data version)": "fleiss_kappa",
    "Bennett's S": "bennett_s",
    "Brennan-Prediger": "bennett_s",
    "Randolph's free-marginal kappa": "bennett_s",
    "percent agreement": "percent_agreement",
    "percent agreement (observed)": "percent_agreement",
    "Krippendorff's alpha": "krippendorff_alpha",
    "Krippendorff's alpha (irrCAC)": "krippendorff_alpha",
    "Gwet's AC1": "gwet_ac1",
    "Gwet's AC2": "gwet_ac2",
    "max percent agreement (set-valued, any overlap)": "weighted_agreement",
    "Dice agreement (set-valued)": "weighted_agreement",
}

# The weighted form of each nominal measure, for the cases with weights.
WEIGHTED = {
    "cohen_kappa": "weighted_kappa",
    "conger_kappa": "weighted_kappa",
    "scott_pi": "weighted_pi",
    "fleiss_kappa": "weighted_pi",
    "bennett_s": "weighted_s",
    "percent_agreement": "weighted_agreement",
}

# irrCAC's and R irr's weights, by their name there.
WEIGHTS = {
    "linear": "gwet_linear",
    "quadratic": "gwet_quadratic",
    "ordinal": "gwet_ordinal",
    "radical": "gwet_radical",
    "bipolar": "gwet_bipolar",
}


def load() -> tuple[dict[str, Any], list[Case]]:
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return document["datasets"], document["cases"]


def measure_of(case: Case) -> str:
    measure = MEASURES[case["coefficient"]]
    weighted = case.get("weights") not in (None, "unweighted")
    return WEIGHTED.get(measure, measure) if weighted else measure


def distance_of(case: Case, matrix: LabelMatrix) -> Any:
    weights, distance = case.get("weights"), case.get("distance") or "nominal"
    if weights not in (None, "unweighted"):
        return WEIGHTS[weights]
    if distance.startswith("set-passonneau2004"):
        return "passonneau2004"
    if distance == "masi (1-J*M)":
        return "masi"
    if matrix.members is not None and MEASURES[case["coefficient"]] != "percent_agreement":
        return peer_set_distance(case, matrix)
    return distance


def peer_set_distance(case: Case, matrix: LabelMatrix) -> np.ndarray:
    """Peers' distances between sets that are not ours, given as the user's own table."""
    sets = matrix.members.astype(int)
    size, common = sets.sum(axis=1), sets @ sets.T
    empty = (size[:, None] == 0) & (size[None, :] == 0)
    if case["coefficient"].startswith("Dice"):
        return 1 - np.where(empty, 1, 2 * common / np.maximum(1, size[:, None] + size[None, :]))
    if case["coefficient"].startswith("max percent"):
        return 1 - np.where(empty, 1, common > 0).astype(float)
    assert case["distance"] == "masi-dkpro"
    # DKPro: (1 − J)(1 − M) where Passonneau 2006 has 1 − J·M.
    return set_distance_table("jaccard", sets) * set_distance_table("passonneau2004", sets)


def matrix_of(dataset: dict[str, Any], case: Case) -> LabelMatrix:
    if dataset["kind"] == "confusion":
        table = np.array(dataset["matrix"])
        return from_confusion(table, [str(category) for category in dataset["categories"]])
    if dataset["kind"] == "counts":
        return _from_counts(dataset)
    rows = [row[1:] for row in dataset["rows"] for _ in range(row[0])]
    raters = (case.get("params") or {}).get("raters")
    if raters:
        rows = [[row[a - 1] for a in raters] for row in rows]
    if any(isinstance(label, list) for row in rows for label in row):
        items, names, labels = zip(
            *((str(i), str(a), label) for i, row in enumerate(rows) for a, label in enumerate(row)),
            strict=True,
        )
        return set_matrix(items=items, annotators=names, label_sets=labels)
    if (case.get("params") or {}).get("null_is_a_category"):
        rows = [["missing" if label is None else label for label in row] for row in rows]
    triples = [
        (f"{i:05}", f"{a:02}", str(label))
        for i, row in enumerate(rows)
        for a, label in enumerate(row)
        if label is not None
    ]
    items, names, labels = zip(*triples, strict=True)
    declared = dataset.get("declared_categories")
    return label_matrix(
        items=items, annotators=names, labels=labels, tagset=declared and [str(k) for k in declared]
    )


def from_confusion(table: np.ndarray, categories: list[str]) -> LabelMatrix:
    """Two annotators from their confusion matrix: the first in rows."""
    rows, columns = np.nonzero(table)
    codes = np.repeat(np.stack([rows, columns], axis=1), table[rows, columns], axis=0)
    return LabelMatrix(
        codes=codes.astype(np.int32), tagset=tuple(categories), annotators=("A1", "A2")
    )


def from_strings(*rows: str, tagset: str = "") -> LabelMatrix:
    """One string of one-letter labels an annotator; `.` for a missing label."""
    letters = tagset or "".join(sorted(set("".join(rows)) - {"."}))
    codes = np.array([[letters.find(letter) for letter in row] for row in rows], dtype=np.int32).T
    names = tuple(f"a{a + 1}" for a in range(len(rows)))
    return LabelMatrix(codes=np.ascontiguousarray(codes), tagset=tuple(letters), annotators=names)


def _from_counts(dataset: dict[str, Any]) -> LabelMatrix:
    rows = np.array(dataset["rows"])
    codes = np.array([np.repeat(np.arange(rows.shape[1]), row) for row in rows], dtype=np.int32)
    names = tuple(f"a{a}" for a in range(codes.shape[1]))
    return LabelMatrix(
        codes=codes, tagset=tuple(str(k) for k in dataset["categories"]), annotators=names
    )
