"""Soft labels of a layer: output formats, and a check of how well they predict annotators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...data.errors import DataError
from ...data.readers.tables.distributions import PROBABILITIES, category_column
from ...data.readers.tables.given import Given
from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...data.store.parquet_format import table_bytes
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.item_name import place_of_item
from ...metrics.options import Sampling, SoftRule
from ...metrics.references.label_models.predictive_check import PredictiveCheck, predictive_check
from ...metrics.references.soft_labels import SoftLabels, held_out_fit, soft_labels
from ...metrics.results import SoftReference
from ..inputs.exported_labels import read_exported_labels
from ..inputs.reading_options import Reading

SOFT_LABELS = "soft_labels"  # base name of the files


def build_soft_labels(
    matrix: LabelMatrix, rule: SoftRule, sampling: Sampling
) -> tuple[SoftLabels, SoftReference]:
    """Compute the distributions of the items, and their summary for the report."""
    soft = soft_labels(matrix, rule)
    n_items = int((soft.n_labels > 0).sum())
    predicted = held_out_fit(matrix, rule, sampling)
    return soft, replace(predicted, n_items=n_items, entropy=soft.mean_entropy)


@dataclass(frozen=True, slots=True)
class ExportSoftLabels:
    """The distributions of an export's labels, the account of its rows, and warnings."""

    soft: SoftLabels
    summary: SoftReference
    rows: RowAccount
    rejected: Sequence[Rejected]
    warnings: Sequence[CodedWarning]


def soft_labels_of_export(
    path: Given, reading: Reading, rule: SoftRule, sampling: Sampling
) -> ExportSoftLabels:
    """Compute the distributions of an export's labels; warn if their model does not fit.

    Raises DataError if only one annotator provides labels.
    """
    labels = read_exported_labels(path, reading)
    labels.require_two_annotators()
    matrix = labels.matrix_with_documents()
    account = labels.account(fewest=1)
    soft, summary = build_soft_labels(matrix, rule, sampling)
    warnings = labels.warnings(distance=None)
    if rule == "dawid_skene":
        warnings += check_label_model(matrix, sampling.seed)[1]
    return ExportSoftLabels(soft, summary, account.rows, account.rejected, warnings)


def check_label_model(matrix: LabelMatrix, seed: int) -> tuple[PredictiveCheck, list[CodedWarning]]:
    """Run the predictive check of the Dawid & Skene model; warn if it fails."""
    check = predictive_check(matrix, seed=seed)
    figures = {"p": check.p_value, "n": check.n_draws}
    misfit = {
        "pairs": CodedWarning("model_misfit_pairs", figures),
        "items": CodedWarning("model_misfit_items", figures),
    }
    return check, [misfit[check.worst_discrepancy]] if check.fails else []


def soft_label_table(soft: SoftLabels) -> pa.Table:
    """Return one row per labelled item: document, item, n_labels, and a column per category."""
    kept = np.flatnonzero(soft.n_labels > 0)
    names = [place_of_item(soft.items[i]) for i in kept.tolist()]
    columns = {category_column(category): soft.probabilities[kept, k]
               for k, category in enumerate(soft.tagset)}  # fmt: skip
    return pa.table(
        {
            "document": pa.array([document for document, _ in names], pa.string()),
            "item": pa.array([item for _, item in names], pa.string()),
            "n_labels": pa.array(soft.n_labels[kept]),
            **{name: pa.array(values) for name, values in columns.items()},
        }
    )


def soft_label_files(soft: SoftLabels) -> dict[str, pa.Buffer | bytes]:
    """Return file contents by suffix: a Parquet table, and JSON lines with probabilities."""
    table = soft_label_table(soft)
    lines = (
        {
            "document": row["document"],
            "item": row["item"],
            "n_labels": row["n_labels"],
            PROBABILITIES: {one: round(row[category_column(one)], 6) for one in soft.tagset},
        }
        for row in table.to_pylist()
    )
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return {".parquet": table_bytes(table), ".jsonl": text.encode()}


def release_soft_labels(store: Store, soft: SoftLabels, folder: str) -> None:
    for suffix, content in soft_label_files(soft).items():
        store.write_bytes(f"{folder}/{SOFT_LABELS}{suffix}", content)


def write_soft_labels(soft: SoftLabels, path: Path) -> None:
    """Write soft labels in the format given by the suffix. Raises DataError for others."""
    files = soft_label_files(soft)
    if path.suffix not in files:
        raise DataError(f"{path.name}: soft labels are written as {' or '.join(files)}")
    path.write_bytes(files[path.suffix])
