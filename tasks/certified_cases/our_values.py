"""What Accordeur computes for certified cases, with the functions that its commands call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...metrics.agreement.coefficients import compute_coefficient
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix, table_matrix
from ...metrics.agreement.label_sets import set_matrix
from ...metrics.agreement.values_as_text import labels_as_text
from ...metrics.measures import coefficient_of
from ...metrics.options import NO_INTERVALS
from .cases import Case

if TYPE_CHECKING:
    from ...metrics.alignment.best_alignment import Alignment
    from ...metrics.alignment.continuum import Continuum


class OtherConventionError(Exception):
    """Accordeur computes the measure by another convention than the case; the message names it."""


def our_value(case: Case) -> float:
    """Return the value, nan if it is undefined. Raises OtherConventionError."""
    return _BY_KIND[case.kind](case)


def _value_of_items(case: Case) -> float:
    distance, missing = case.conventions.get("distance", "nominal"), case.conventions.get("missing")
    own = coefficient_of(case.measure).missing(len(case.given["labels"][0]))
    if missing not in (None, own, "complete"):
        raise OtherConventionError(f"uses labels that are {own}, not {missing}")
    matrix = _matrix_of(case)
    if missing == "complete":
        matrix = matrix.complete()
    table: Distance = _table_of(case) if distance == "table" else distance
    return compute_coefficient(case.measure, matrix, distance=table).value


def _table_of(case: Case) -> Any:
    return np.array([[_number(x) for x in row] for row in case.given["distances"]])


def _matrix_of(case: Case) -> LabelMatrix:
    labels = case.given["labels"]
    if any(isinstance(label, list) for row in labels for label in row):
        return _matrix_of_sets(labels)
    tagset = labels_as_text(case.given["tagset"])
    matrix = table_matrix(items_by_annotators=labels, tagset=tagset)
    times = case.given.get("times", [1] * len(labels))
    return replace(matrix, codes=np.repeat(matrix.codes, times, axis=0))


def _matrix_of_sets(labels: Sequence[Sequence[Any]]) -> LabelMatrix:
    cells = [
        (str(i), str(a), label)
        for i, row in enumerate(labels)
        for a, label in enumerate(row)
        if label is not None
    ]
    items, annotators, sets = zip(*cells, strict=True)
    return set_matrix(items=items, annotators=annotators, label_sets=sets)


def _value_of_ratings(case: Case) -> float:
    from ...metrics.agreement.intraclass import intraclass_correlations
    from ...metrics.agreement.limits_of_agreement import limits_of_agreement

    table = np.array(case.given["ratings"], dtype=np.float64)
    if case.measure.startswith("icc"):
        found = {one.measure: one.value for one in intraclass_correlations(table)}
        return found[case.measure]
    pair = table[:, [case.conventions["first"], case.conventions["second"]]]
    [limits] = limits_of_agreement(pair, ["first", "second"])
    of = case.conventions.get("of", "mean")
    return limits.value if of == "mean" else float(limits.detail.given[of])


def _value_of_rankings(case: Case) -> float:
    from ...metrics.objects.concordance import kendall_w

    if case.measure != "kendall_w":
        return _value_of_objects(case)
    if case.conventions["ties"] != "corrected":
        raise OtherConventionError("corrects W for ties")
    return kendall_w(np.array(case.given["ratings"]).T, n_permutations=0).w


def _value_of_objects(case: Case) -> float:
    from ...metrics.objects.evaluate import MeasuredObjects
    from ...metrics.objects.registry import OBJECT_DISTANCES

    matrix = table_matrix(items_by_annotators=case.given["objects"])
    distance = OBJECT_DISTANCES[case.conventions["distance"]]
    [found] = MeasuredObjects.from_matrix(matrix, distance, NO_INTERVALS).values((case.measure,))
    return found.value


def _value_of_units(case: Case) -> float:
    continuum = _continuum(case.given)
    if "alpha" in case.measure:
        return _unitizing_alpha(case, continuum)
    if case.measure.startswith("pairwise_f"):
        return _pairwise_f(case, continuum)
    return _of_alignment(case, continuum)


def _continuum(given: Mapping[str, Any]) -> Continuum:
    from ...metrics.alignment.continuum import Continuum

    annotators, tagset = tuple(given["annotators"]), tuple(given["tagset"])
    owners, starts, ends, categories = ([row[c] for row in given["units"]] for c in range(4))
    return Continuum(
        np.array(starts, dtype=np.float64),
        np.array(ends, dtype=np.float64),
        np.array([tagset.index(one) for one in categories], dtype=np.int32),
        np.array([annotators.index(one) for one in owners], dtype=np.int32),
        annotators,
        tagset,
        length=float(given["length"]),
    )


def _unitizing_alpha(case: Case, continuum: Continuum) -> float:
    from ...metrics.units.krippendorff.alpha_u import alpha_u
    from ...metrics.units.krippendorff.u_alpha import u_alpha

    category = case.conventions.get("category", "all")
    if case.measure == "alpha_u":
        of_categories = alpha_u([continuum], n_replicates=0)
        found = of_categories.all if category == "all" else of_categories.categories[category]
        return found.value
    family = u_alpha([continuum], n_replicates=0)
    of_all = {one.measure: one for one in (family.u_alpha, family.u_alpha_binary, family.cu_alpha)}
    return (family.ku_alpha[category] if case.measure == "ku_alpha" else of_all[case.measure]).value


def _pairwise_f(case: Case, continuum: Continuum) -> float:
    from ...metrics.options import UnitMatching
    from ...metrics.units.pairwise_f import pairwise_f

    settings = case.conventions
    matching = UnitMatching(
        tolerance=settings.get("tolerance", 0),
        min_overlap=_number(settings.get("min_overlap", "0")),
    )
    return pairwise_f([continuum], case.measure, matching).value


def _of_alignment(case: Case, continuum: Continuum) -> float:
    from ...metrics.alignment.best_alignment import best_alignment
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.units.gamma_cat import gamma_cat

    settings = case.conventions
    dissimilarity = Dissimilarity(
        position=settings["position"],
        alpha=_number(settings["alpha"]),
        beta=_number(settings["beta"]),
        delta_empty=_number(settings["delta_empty"]),
    )
    if case.measure == "holistic_disorder":
        return best_alignment(continuum, dissimilarity, objective="mean").holistic_disorder
    if case.measure == "soft_gamma_disorder":
        return best_alignment(continuum, dissimilarity, objective="soft").gamma_disorder
    best = best_alignment(continuum, dissimilarity)
    if case.measure == "gamma_cat":
        return gamma_cat([continuum], [best], dissimilarity, n_replicates=0).gamma_cat.value
    if case.measure == "gamma_with_chance":
        return _gamma_with_chance(continuum, best, _number(settings["expected"]))
    return best.gamma_disorder


def _gamma_with_chance(continuum: Continuum, best: Alignment, expected: float) -> float:
    from ...metrics.chance.chance_samples import ChanceSample, ExpectedDisorder
    from ...metrics.units.gamma_from_counts import gamma_of_counts
    from ...metrics.units.observed import observed_of_alignments

    n = continuum.n_annotators
    sample = ChanceSample("shuffle", n, np.array([[expected, 1.0, 0.0]]))
    drawn = ExpectedDisorder((sample,), {n: best.mean_units}, "shuffle", 1.0)
    counts = observed_of_alignments([continuum], [best], objective="sum")
    return gamma_of_counts(counts, drawn, n_replicates=0).value


def _number(written: str) -> float:
    return float(Fraction(written))


def _value_of_segmentations(case: Case) -> float:
    from ...metrics.scores.segmentation import (
        boundaries_of_lengths,
        segmentation_counts,
        segmentation_score,
    )

    costs = ("insertion", "deletion", "shift")
    options = {
        key: _number(value) if key in costs else value for key, value in case.conventions.items()
    }
    sides = [boundaries_of_lengths(case.given[side]) for side in ("reference", "hypothesis")]
    counts = segmentation_counts([sides[0]], [sides[1]], measure=case.measure, **options)  # type: ignore[arg-type]
    return segmentation_score(counts).value


def _value_of_chains(case: Case) -> float:
    from ...metrics.agreement.structures.chain_counts import chain_counts, chain_estimates
    from ...metrics.coreference import coreference_counts, coreference_f

    rows = case.given["chains"]
    table = np.array([[-1 if x is None else x for x in row] for row in rows], dtype=np.int64)
    if case.measure == "chain_alpha":
        counts = chain_counts(table)
        found = chain_estimates(counts, n_annotators=table.shape[1])
        named = {one.how.distance: one.value for one in found if one.how.distance}
        distance = case.conventions["distance"]
        return named[distance] if distance in named else _alpha_of_chain_sets(rows, distance)
    sums = coreference_counts(table[:, 0], table[:, 1])[None]
    return float(coreference_f(sums, case.measure)[0])


def _alpha_of_chain_sets(rows: Sequence[Sequence[int | None]], distance: str) -> float:
    """Return α of labels that are sets: the mentions in the chain of each mention."""
    columns = list(zip(*rows, strict=True))
    labels = [
        [
            None if chain is None else [str(m) for m, one in enumerate(columns[a]) if one == chain]
            for a, chain in enumerate(row)
        ]
        for row in rows
    ]
    return compute_coefficient(
        "krippendorff_alpha", _matrix_of_sets(labels), distance=distance
    ).value


def _value_of_relations(case: Case) -> float:
    from ...metrics.agreement.structures.relation_counts import (
        Relations,
        relation_counts,
        relation_estimates,
    )

    tagset = tuple(case.given["tagset"])
    drawn = case.given["relations"]
    columns = [np.array([row[c] for row in drawn], dtype=np.int64) for c in (0, 1, 3)]
    present = np.array(case.given["present"], dtype=np.bool_)
    document = Relations(
        present=present,
        sources=columns[0],
        targets=columns[1],
        owners=columns[2],
        categories=np.array([tagset.index(row[2]) for row in drawn], dtype=np.int64),
        tagset=tagset,
        annotators=tuple(str(a) for a in range(present.shape[1])),
    )
    counts = relation_counts(document, directed=case.conventions["directed"])
    found = relation_estimates(counts)
    of = case.conventions["of"]
    return found[of if case.measure == "relation_alpha" else f"{of}_f"].value


_BY_KIND: dict[str, Callable[[Case], float]] = {
    "items": _value_of_items,
    "ratings": _value_of_ratings,
    "rankings": _value_of_rankings,
    "units": _value_of_units,
    "segmentations": _value_of_segmentations,
    "chains": _value_of_chains,
    "relations": _value_of_relations,
    "trees": _value_of_objects,
    "texts": _value_of_objects,
    "boxes": _value_of_objects,
}
