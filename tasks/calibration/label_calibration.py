"""Distances between categories that labels suggest (Fort et al. 2010, tables 5 and 6)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount
from ...metrics.agreement.counts import count
from ...metrics.agreement.observed_distances import conditional_probabilities, proposed_distances
from ...metrics.arrays import Floats, Ints32
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import json_value
from ...metrics.units.category_proposal import Form
from ..inputs.exported_labels import MeasuredLabels, read_exported_labels
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import rows_json, warnings_json
from .calibration_output import proposed_tagset


@dataclass(frozen=True, slots=True, eq=False)
class LabelDistances:
    """Distances proposed from the pairs of labels of two annotators on one item.

    codes          int32 (N, A): the labels as indices of `tagset`, -1 where there is none
    probabilities  float64 (K, K): P(column | row), nan in the row of an unused category
    d_alpha, d_kappa_omega  float64 (K, K) in [0, 1], symmetric, zero diagonal
    """

    tagset: tuple[str, ...]
    codes: Ints32
    probabilities: Floats
    d_alpha: Floats
    d_kappa_omega: Floats
    account: ExportAccount
    remarks: list[CodedWarning]


def label_distances(paths: Given | Sequence[Given], reading: Reading) -> LabelDistances:
    """Compute the proposals of an export of labels. Raises DataError and MetricsError."""
    labels = read_exported_labels(paths, reading)
    measured = MeasuredLabels(labels)
    matrix = measured.matrix
    if len(matrix.tagset) < 2:
        raise MetricsError("distances are between categories, and the labels are all of one")
    pairs = count(matrix).pairs
    remarks = labels.warnings(matrix=matrix, distance=None)
    found = conditional_probabilities(pairs), *proposed_distances(pairs)
    return LabelDistances(matrix.tagset, matrix.codes, *found, measured.account, remarks)


def as_toml(found: LabelDistances, form: Form, layer: str) -> str:
    """Return the proposals in the syntax of a campaign file, to review."""
    table = found.d_alpha if form == "mean" else found.d_kappa_omega
    kept, listed = proposed_tagset(found.tagset, found.codes)
    names = {name: json.dumps(name, ensure_ascii=False) for name in kept}
    head = f"[layers.{json.dumps(layer or 'labels', ensure_ascii=False)}"
    lines = [f"{head}]", *listed, "", f"{head}.distance]"]
    lines += [
        f"{names[first]}.{names[second]} = {table[c, k]:.6f}"
        for c, first in enumerate(found.tagset)
        for k, second in enumerate(found.tagset[:c])
        if first in names and second in names
    ]
    return "\n".join(lines)


def as_json(found: LabelDistances, form: Form, layer: str) -> dict[str, Any]:
    """Return plain values for JSON: null where undefined."""
    return {
        "tagset": list(found.tagset),
        "probabilities": json_value(found.probabilities.tolist()),
        "d_alpha": found.d_alpha.tolist(),
        "d_kappa_omega": found.d_kappa_omega.tolist(),
        "toml": as_toml(found, form, layer),
        **rows_json(found.account.rows, found.account.rejected),
        "warnings": warnings_json(found.remarks),
    }
