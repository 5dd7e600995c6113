"""Warnings about the annotations of commands and runs: labels, units, annotators and scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...data.annotator_names import suggested_roles
from ...metrics.agreement.distances import Distance, category_values
from ...metrics.annotator_checks import (
    annotators_apart,
    annotators_in_other_time_unit,
    annotators_with_own_categories,
    label_after_discussion,
    no_overlap_finding,
)
from ...metrics.coded_warning import CodedWarning
from ...metrics.measures import MEASURES
from .cell_warnings import (
    MOST_QUOTED,
    label_counts_from_sets,
    quoted_first_names,
    texts_as_categories,
    warnings_on_joined_labels,
    warnings_on_missing,
    warnings_on_nested_and_dates,
    warnings_on_sets,
)
from .name_warnings import (
    warnings_on_look_alikes,
    warnings_on_names_of_export,
)
from .scales import scale_in_words

if TYPE_CHECKING:
    from ...metrics.agreement.label_matrix import LabelMatrix
    from ...metrics.alignment.continuum import Continuum
    from ..intake.layer_contents import LayerContents
    from ..layers import LayerSpec
    from ..stored_annotations import AnnotatedDocument

MOST_NAMES = 50_000  # maximum number of names to compare pairwise
MOST_NAMED = 20  # more numeric categories than this are probably numbers, not codes
OVER_DOCUMENT = ("random1", "shuffle", "statistical")  # chance models that place units in it
_TOTALS = {"total", "totals", "grand total", "grand totals", "totaux", "gesamt"}
_SUMS_AND_MEANS = {"sum", "summe", "somme", "∑", "σ", "mean", "average", "mittelwert", "moyenne"}
_SUMMARY_ROWS = {*_TOTALS, *_SUMS_AND_MEANS, "ø", "sd", "std"}  # names without regard to case
_FEWEST_LABELS, _MOSTLY = 12, 0.9  # of labels that occur once
_MANY_CATEGORIES = 50


def warnings_on_matrix(
    matrix: LabelMatrix,
    *,
    distance: Distance | None = None,
    distance_name: str = "",
) -> list[CodedWarning]:
    """Return what a user should know of labels: their names, their cells, their scale.

    distance       between categories; None where none are compared
    distance_name  its name as requested, for distances between sets
    """
    return [
        *warnings_on_labels(matrix),
        *([] if distance is None else warnings_on_nominal(matrix, distance)),
        *warnings_on_sets(matrix.tagset, distance_name),
    ]


def warnings_on_labels(matrix: LabelMatrix) -> list[CodedWarning]:
    """Warn of similar names, annotators with other categories, and items not paired by name."""
    n_labels = matrix.n_labels
    lone = np.flatnonzero(n_labels == 1).tolist()
    names = []
    if 0 < len(matrix.items) <= MOST_NAMES:
        from ..item_names import item_name

        names = [item_name(matrix, i) for i in range(len(matrix.items))]
    alone = {names[i] for i in lone} if names else set()
    n_categories = len(matrix.tagset)
    codes = np.ascontiguousarray(matrix.codes.T) + 1
    of_each = [np.bincount(own, minlength=n_categories + 1)[1:] for own in codes]
    counts = np.array(of_each, dtype=np.int64).reshape(matrix.n_annotators, n_categories)
    sets = matrix.members is not None  # labels are sets, so one common label is enough
    labels = matrix.tags if sets else matrix.tagset
    of_cells = dict(zip(matrix.tagset, counts.sum(axis=0).tolist(), strict=True))
    of_labels = label_counts_from_sets(of_cells) if sets else of_cells
    return [
        *warnings_on_names_of_export(labels, matrix.annotators),
        *warnings_on_missing(labels, {} if sets else _items_of_each(matrix)),
        *warnings_on_nested_and_dates(labels),
        *_summary_row_warnings(matrix),
        *warnings_on_joined_labels(of_labels),
        *([] if sets else _other_category_warnings(counts, matrix.annotators, matrix.tagset)),
        *warnings_on_look_alikes("items", alone, names),
        *_unshared_items_warning(matrix, n_labels),
        *_warnings_on_group_apart(matrix),
        *(
            [one.warning(one.code, advice=True) for one in texts_as_categories(matrix)]
            or _unique_labels_warning(of_cells)
            or _many_categories_warning(matrix, of_cells)
        ),
    ]


def incomparable_labels(contents: LayerContents, layer: LayerSpec) -> list[CodedWarning]:
    """Warn of labels that the layer's distance cannot compare, so that they are no categories."""
    from ..intake.layer_contents import OF_SCORES

    if layer.sets:
        return []
    lost = sorted({*contents.tagset(OF_SCORES)} - {*layer.tagset})
    if not lost:
        return []
    counts = contents.counts(OF_SCORES)
    figures: dict[str, float | int | str] = {
        "layer": layer.name,
        "n": sum(counts.get(name, 0) for name in lost),
        "labels": quoted_first_names(lost),
        "distance": layer.distance,
    }
    return [CodedWarning("incomparable_labels", figures)]


def warnings_on_nominal(matrix: LabelMatrix, distance: Distance) -> list[CodedWarning]:
    """Warn of sets and numbers that the nominal distance treats as unrelated categories."""
    if not isinstance(distance, str) or distance != "nominal":
        return []
    if matrix.members is not None:
        return [CodedWarning("sets_as_names")]
    if category_values(matrix.tagset) is not None:
        from ...metrics.agreement.diagnosis.diagnose import too_fine_scale
        from ...metrics.agreement.diagnosis.thresholds_and_shares import Thresholds

        if finding := too_fine_scale(matrix, Thresholds()):
            fine = finding.warning("numbers_as_names")
            return [replace(fine, messages=("warning.numbers_as_names", *fine.messages))]
    return warnings_on_scale(matrix.tagset, distance)


def warnings_on_scale(tagset: Sequence[str], distance: str) -> list[CodedWarning]:
    """Warn of a scale in words, or of numbers too many to be codes, that are compared nominally."""
    if distance == "nominal" and (scale := scale_in_words(tagset)):
        figures = {"categories": quoted_first_names(scale), "tagset": ",".join(scale)}
        return [CodedWarning("scale_as_names", figures)]
    if distance != "nominal" or len(tagset) <= MOST_NAMED or category_values(tagset) is None:
        return []
    return [CodedWarning("numbers_as_names", {"n_categories": len(tagset)})]


def _items_of_each(matrix: LabelMatrix) -> dict[str, tuple[int, int]]:
    """Return, for -1, the items on which all of several labels are of it, and only some are."""
    found = {}
    for k, name in enumerate(matrix.tagset):
        if name.strip() in ("-1", "-1.0"):
            n_own = (matrix.codes == k).sum(axis=1)
            several = (matrix.n_labels > 1) & (n_own > 0)
            found[name] = (
                int((several & (n_own == matrix.n_labels)).sum()),
                int((several & (n_own < matrix.n_labels)).sum()),
            )
    return found


def _summary_row_warnings(matrix: LabelMatrix) -> list[CodedWarning]:
    """Warn of an item that is called like a row of totals or means below a table."""
    if not matrix.items:
        return []
    import pyarrow as pa
    import pyarrow.compute as pc

    from ...data.arrow_columns import column
    from ..item_names import item_column

    names = pc.utf8_trim(item_column(matrix), " :")
    is_summary = pc.is_in(pc.utf8_lower(names), column([*_SUMMARY_ROWS], pa.string()))
    return [
        CodedWarning("summary_row", {"item": name}) for name in names.filter(is_summary).to_pylist()
    ]


def warnings_on_unknown_lengths(
    n_unknown: int, measure: str, processes: Sequence[str]
) -> list[CodedWarning]:
    """Warn if a measure uses document lengths that are unknown.

    n_unknown  number of documents whose length is unknown
    processes  chance models of a measure that samples chance; () for other measures
    """
    figures = {"n_documents": n_unknown}
    if n_unknown and MEASURES[measure].counts_gaps:
        return [CodedWarning("unknown_lengths", figures)]
    drawn = [name for name in processes if name in OVER_DOCUMENT]
    if n_unknown and drawn:
        return [CodedWarning("unknown_lengths_chance", {**figures, "processes": "+".join(drawn)})]
    return []


def warnings_on_units(
    documents: Sequence[AnnotatedDocument], *, in_table: bool = False
) -> list[CodedWarning]:
    """Warn about units as `warnings_on_labels` does, and of documents with only one annotator.

    in_table  whether a row for each unit is all that tells who annotated a document

    Units of time are checked where the length of the document is unknown, as nothing else bounds
    them.
    """
    names = [one.document for one in documents]
    continua = [one.continuum for one in documents]
    tagset = continua[0].tagset
    annotators = sorted({name for continuum in continua for name in continuum.annotators})
    row = {name: a for a, name in enumerate(annotators)}
    counts = np.zeros((len(annotators), len(tagset)), dtype=np.int64)
    ends: list[dict[str, float]] = []
    for continuum in continua:
        who = np.array([row[name] for name in continuum.annotators])[continuum.owners]
        known = continuum.categories >= 0
        np.add.at(counts, (who[known], continuum.categories[known]), 1)
        if not continuum.length_given:
            reached = {
                annotators[a]: continuum.ends[who == a].max() for a in np.unique(who).tolist()
            }
            ends.append(reached)
    found = [
        *warnings_on_names_of_export(tagset, annotators),
        *warnings_on_nested_and_dates(tagset),
        *_other_category_warnings(counts, annotators, tagset),
        *(
            CodedWarning("other_unit_of_time", {"annotator": who, "ratio": ratio})
            for who, ratio in annotators_in_other_time_unit(ends).items()
        ),
    ]
    found += _absence_warning(continua) if in_table else []
    if apart := no_overlap_finding(continua):
        found.append(apart.warning("never_overlap", advice=True))
    alone = {name: c for name, c in zip(names, continua, strict=True) if c.n_annotators < 2}
    if alone and len(annotators) > 1:
        n_units = sum(continuum.n_units for continuum in alone.values())
        found.append(
            CodedWarning(
                "single_annotator_documents",
                {
                    "n_documents": len(alone),
                    "n_units": n_units,
                    "names": quoted_first_names(sorted(alone)),
                },
            )
        )
        found += warnings_on_look_alikes("documents", set(alone), names)
    return found


def _absence_warning(continua: Sequence[Continuum]) -> list[CodedWarning]:
    """Warn if annotators lack documents, and no document is marked as finished without units."""
    if any(np.unique(one.owners).size < one.n_annotators for one in continua):
        return []
    n_seen = Counter(name for one in continua for name in one.annotators)
    lacking = [f"{name} ({len(continua) - n})" for name, n in n_seen.items() if n < len(continua)]
    if not lacking:
        return []
    named = ", ".join(lacking[:MOST_QUOTED]) + ", …" * (len(lacking) > MOST_QUOTED)
    return [CodedWarning("documents_without_units", {"names": named})]


def _other_category_warnings(
    counts: NDArray[np.int64], annotators: Sequence[str], tagset: Sequence[str]
) -> Iterable[CodedWarning]:
    for a in annotators_with_own_categories(counts):
        own = [tagset[k] for k in np.flatnonzero(counts[a]).tolist()]
        elsewhere = np.delete(counts, a, axis=0).any(axis=0)
        others = [tagset[k] for k in np.flatnonzero(elsewhere).tolist()]
        figures = {
            "annotator": annotators[a],
            "own": quoted_first_names(own),
            "others": quoted_first_names(others),
        }
        yield CodedWarning("other_categories", figures)


def _unshared_items_warning(matrix: LabelMatrix, n_labels: NDArray[np.int64]) -> list[CodedWarning]:
    """Where no item has two labels: items of one name in several documents, else two names."""
    if matrix.n_annotators < 2 or not n_labels.any() or (n_labels > 1).any():
        return []
    from ..item_names import bare_item_names, item_name

    n_again = matrix.n_items - len(set(bare_item_names(matrix)))
    if n_again and matrix.documents is not None:
        return [CodedWarning("same_item_elsewhere", {"n_items": n_again})]
    figures: dict[str, str] = {}
    for which, annotator, codes in zip(
        ("first", "second"), matrix.annotators, matrix.codes.T, strict=False
    ):
        shown = np.flatnonzero(codes >= 0)[: MOST_QUOTED + 1].tolist()
        own = [item_name(matrix, i) for i in shown]
        figures |= {which: annotator, f"items_of_{which}": quoted_first_names(own)}
    return [CodedWarning("no_shared_item", figures)]


def _unique_labels_warning(counts: Mapping[str, int]) -> list[CodedWarning]:
    """Warn where nearly every label occurs once, as times and identifiers do."""
    n = sum(counts.values())
    once = [name for name, count in counts.items() if count == 1]
    if n < _FEWEST_LABELS or len(once) < _MOSTLY * n:
        return []
    return [
        CodedWarning(
            "unique_labels", {"n": len(once), "total": n, "names": quoted_first_names(once)}
        )
    ]


def _many_categories_warning(matrix: LabelMatrix, counts: Mapping[str, int]) -> list[CodedWarning]:
    """Warn where categories are so many that most were given to a few items only."""
    n_used = sum(n > 0 for n in counts.values())
    are_many = n_used >= max(_MANY_CATEGORIES, matrix.n_items / 3)
    if not are_many or category_values(matrix.tagset) is not None:
        return []
    return [CodedWarning("many_categories", {"n": n_used, "n_items": matrix.n_items})]


def _warnings_on_group_apart(matrix: LabelMatrix) -> Iterable[CodedWarning]:
    """Warn of annotators who agree with each other only, and of one who follows the others."""
    group, inside, outside = annotators_apart(matrix.codes)
    if group:
        names = [matrix.annotators[a] for a in group]
        figures: dict[str, float | int | str] = {"names": quoted_first_names(names)}
        yield CodedWarning("annotators_apart", {**figures, "inside": inside, "outside": outside})
    of_others = label_after_discussion(matrix.codes)
    if of_others is not None and not suggested_roles([matrix.annotators[of_others]]):
        yield CodedWarning("label_after_discussion", {"name": matrix.annotators[of_others]})
