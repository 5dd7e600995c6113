"""The distribution of M over subsets in one call, from the parts that studies send to workers."""

from __future__ import annotations

from collections.abc import Sequence

from accordeur.metrics.agreement.coefficients import distance_name
from accordeur.metrics.agreement.distances import Distance
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.arrays import Floats
from accordeur.metrics.options import Ties
from accordeur.metrics.resampling.subsets.majority_of_subsets import check_sizes
from accordeur.metrics.resampling.subsets.subset_distribution import (
    plan_parts,
    prepare_subset_work,
    total_of_part,
)
from accordeur.metrics.resampling.subsets.subset_totals import (
    SubsetDistribution,
    collect_distribution,
)
from accordeur.metrics.signature import input_hash, signature_line
from accordeur.metrics.threads import map_in_threads


def subset_distribution(
    matrix: LabelMatrix,
    *,
    ks: Sequence[int] | None = None,
    ties: Ties = "random",
    values: Floats | None = None,
    ordered: bool = False,
    coefficient: str | None = "krippendorff_alpha",
    distance: Distance | None = None,
    most: int = 10_000_000,
    samples: int = 10_000,
    probabilities: Sequence[float] = (0.025, 0.25, 0.5, 0.75, 0.975),
    seed: int = 0,
    threads: int | None = None,
) -> SubsetDistribution:
    """Return the rates of all k-subsets (or of `samples` of them if there are more than `most`).

    Ties, values and ordered as in `modification_rate`; coefficient and distance as in
    `counts_for_subsets` (None: none). Raises MetricsError as these functions do.
    """
    sizes = check_sizes(ks, matrix.n_annotators)
    work = prepare_subset_work(
        matrix, ties=ties, values=values, ordered=ordered, coefficient=coefficient,
        distance=distance, seed=seed,
    )  # fmt: skip
    parts = plan_parts(matrix.n_annotators, sizes, most=most, samples=samples)
    totals = map_in_threads(lambda part: total_of_part(work, part), parts, threads=threads)
    return collect_distribution(
        totals,
        probabilities=tuple(probabilities),
        signature=signature_line(
            "subset_distribution",
            ties=ties,
            coefficient=coefficient,
            distance=None if distance is None else distance_name(distance, matrix.tagset),
            values=None if values is None else ",".join(f"{v:g}" for v in values),
            most=most,
            samples=samples,
            seed=seed,
            input=input_hash([matrix.codes, *matrix.tagset]),
        ),
    )
