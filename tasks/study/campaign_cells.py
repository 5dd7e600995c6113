"""Study cells based on a campaign's labels: rates of subsets, and references of models.

They implement `metrics.resampling.study.Cell`, so that all kinds of study share planning,
distribution, storage and resumption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.options import Ties
from ...metrics.resampling.reference_stability import MODELS, count_changed_labels
from ...metrics.resampling.study import Rows
from ...metrics.resampling.subsets.majority_of_subsets import check_sizes
from ...metrics.resampling.subsets.subset_coefficients import counts_for_subsets
from ...metrics.resampling.subsets.subset_distribution import (
    plan_parts,
    prepare_subset_work,
    total_of_part,
)
from ...metrics.resampling.subsets.subset_totals import BINS, SubsetPart, SubsetTotals

MOST_SLOW = 20_000
"""Subsets of one size that are all evaluated if their sums are counted one subset at a time."""


@dataclass(frozen=True, slots=True)
class SubsetCell:
    """Modification rate of every subset, or of a sample. A trial is one part of `plan_parts`."""

    name: str
    matrix: LabelMatrix
    ties: Ties
    ordered: bool
    values: NDArray[np.float64] | None
    ks: tuple[int, ...]
    coefficient: str
    distance: str
    most: int
    samples: int
    seed: int

    @property
    def settings(self) -> Mapping[str, str | float | int]:
        own = {} if self.distance == "nominal" else {"distance": self.distance}
        return {
            "kind": "subsets",
            "n_annotators": self.matrix.n_annotators,
            "n_items": self.matrix.n_items,
            "n_categories": len(self.matrix.tagset),
            "ties": self.ties,
            "coefficient": self.coefficient,
            **own,
        }

    def parts(self) -> tuple[SubsetPart, ...]:
        sizes = check_sizes(self.ks, self.matrix.n_annotators)
        rows = counts_for_subsets(self.matrix, coefficient=self.coefficient, distance=self.distance)
        most = self.most if rows.is_fast else min(self.most, MOST_SLOW)
        return plan_parts(self.matrix.n_annotators, sizes, most=most, samples=self.samples)

    def rows(self, study: str, first: int, count: int) -> Rows:  # noqa: ARG002 - each part has its own seed
        work = prepare_subset_work(
            self.matrix, ties=self.ties, values=self.values, ordered=self.ordered,
            coefficient=self.coefficient, distance=self.distance, seed=self.seed,
        )  # fmt: skip
        totals = [total_of_part(work, part) for part in self.parts()[first : first + count]]
        width = max(self.ks)
        return {
            "trial": np.arange(first, first + len(totals), dtype=np.int64),
            "k": np.array([t.part.k for t in totals], dtype=np.int64),
            "first": np.array([t.part.first for t in totals], dtype=np.int64),
            "count": np.array([t.part.count for t in totals], dtype=np.int64),
            "sampled": np.array([t.part.sampled for t in totals], dtype=np.bool_),
            "n": np.array([t.n for t in totals], dtype=np.int64),
            "sums": np.array(
                [
                    [t.rate, t.rate_squared, t.modified, t.compared, t.worst, *t.coefficient]
                    for t in totals
                ]
            ),
            "histogram": np.stack([t.histogram for t in totals]),
            "worst_members": np.array(
                [[*t.worst_members, *[-1] * (width - len(t.worst_members))] for t in totals],
                dtype=np.int64,
            ),
            "binned": np.stack([t.binned.reshape(-1) for t in totals]),
        }


def subset_totals(rows: Rows) -> list[SubsetTotals]:
    """Sum the parts in the rows of a `SubsetCell`."""
    found = []
    for r in range(rows["trial"].size):
        rate, squared, modified, compared, worst, *coefficient = rows["sums"][r].tolist()
        members = rows["worst_members"][r]
        part = SubsetPart(
            int(rows["k"][r]), int(rows["first"][r]), int(rows["count"][r]),
            bool(rows["sampled"][r]),
        )  # fmt: skip
        found.append(
            SubsetTotals(
                part=part,
                n=int(rows["n"][r]),
                rate=rate,
                rate_squared=squared,
                modified=modified,
                compared=compared,
                histogram=np.asarray(rows["histogram"][r], dtype=np.int64),
                worst=worst,
                worst_members=tuple(int(a) for a in members if a >= 0),
                binned=np.asarray(rows["binned"][r], dtype=np.float64).reshape(BINS.size, 3),
                coefficient=(int(coefficient[0]), coefficient[1], coefficient[2]),
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class ReferenceModelCell:
    """Changes of a model's reference with fewer annotators.

    Rows: trial, n_labelled (items that the model labels from all annotators), and changed_k and
    compared_k (items) for each k.
    """

    name: str
    matrix: LabelMatrix
    model: str

    @property
    def settings(self) -> Mapping[str, str | float | int]:
        return {
            "kind": "reference_models",
            "model": self.model,
            "n_annotators": self.matrix.n_annotators,
            "n_items": self.matrix.n_items,
            "n_categories": len(self.matrix.tagset),
        }

    def rows(self, study: str, first: int, count: int) -> Rows:
        model = MODELS[self.model]
        whole = model(self.matrix)
        rows: Rows = {
            "trial": np.arange(first, first + count, dtype=np.int64),
            "n_labelled": np.full(count, int((whole >= 0).sum()), dtype=np.int64),
        }
        for k in check_sizes(None, self.matrix.n_annotators).tolist():
            counts = np.array(
                [
                    count_changed_labels(
                        self.matrix, model, whole, k=k, trial=trial, study=f"{study}/{self.name}"
                    )
                    for trial in range(first, first + count)
                ],
                dtype=np.int64,
            )
            rows[f"changed_{k}"], rows[f"compared_{k}"] = counts[:, 0], counts[:, 1]
        return rows
