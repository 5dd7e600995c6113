"""What people reach: each human against the reference that the others make, by the same rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.alignment.best_alignment import best_alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.scoring.human_range import LABEL, human_range, leave_one_out
from ...metrics.scoring.precision_recall import match_units
from ...metrics.scoring.rates import PrecisionRecallF, precision_recall_f
from ...metrics.scoring.units import Units
from ...reports import results as page
from ..layers import LayerSpec, continua_of
from ..units.alignment import DissimilaritySpec
from .cases import human_labels
from .reference_labels import by_rule
from .reference_parts import ReferenceSettings
from .reference_units import document_reference

MOST_DOCUMENTS = 500  # of units: each is aligned again without each annotator
MOST_ANNOTATORS = 40


@dataclass(frozen=True, slots=True)
class HumanRange:
    """The rule that makes the others' reference (decisions left out: they saw everybody)."""

    reference: ReferenceSettings
    dissimilarity: DissimilaritySpec | None = None


def range_of_humans(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: HumanRange,
    sampling: dict[str, Any],
) -> list[page.SystemScores]:
    """Scores of each human; none with fewer than three, or with a crowd of more than forty."""
    if not 3 <= len(layer.humans) <= MOST_ANNOTATORS or settings.reference.annotator is not None:
        return []
    rule = settings.reference.rule
    plain = replace(
        settings.reference, rule="majority" if rule == "adjudicated" else rule, decisions=()
    )
    if layer.is_labels:
        return _labels(human_labels(store, keys, layer), layer, plain, sampling)
    measure = settings.dissimilarity or DissimilaritySpec()
    return _units(store, keys, layer, plain, measure, sampling)


def _labels(
    matrix: LabelMatrix, layer: LayerSpec, settings: ReferenceSettings, sampling: dict[str, Any]
) -> list[page.SystemScores]:
    def build(codes: NDArray[np.int32]) -> NDArray[np.int32]:
        others = tuple(f"other {a}" for a in range(codes.shape[1]))
        return by_rule(
            LabelMatrix(codes=codes, tagset=matrix.tagset, annotators=others),
            settings,
            ordered=layer.ordered,
        ).codes

    found = human_range(
        matrix.codes,
        build,
        annotators=matrix.annotators,
        tagset=matrix.tagset,
        documents=matrix.drawn_documents,
        **sampling,
    )
    return [
        page.SystemScores(
            system=one.annotator,
            layer=layer.name,
            kind="items",
            values=[_labelled(one.score.accuracy, one.n_others)],
        )
        for one in found
    ]


def _labelled(estimate: Any, n_others: int) -> Any:
    return replace(estimate, detail={**estimate.detail, "n_others": n_others, "read_as": LABEL})


def _units(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ReferenceSettings,
    measure: DissimilaritySpec,
    sampling: dict[str, Any],
) -> list[page.SystemScores]:
    documents = [
        (document, continuum)
        for key in keys
        for document, continuum, _ in continua_of(store, key, layer, layer.humans, HUMAN)
        if continuum.n_annotators >= 3
    ][:MOST_DOCUMENTS]
    if not documents:
        return []
    dissimilarity = measure.for_layer(layer)
    plain = replace(settings, bounds="median")  # whoever agrees best is known of the whole only

    def score_without(a: int) -> PrecisionRecallF:
        name = layer.humans[a]
        gold, found = [], []
        for document, continuum in documents:
            if name not in continuum.annotators:
                continue
            left_out = continuum.owners == continuum.annotators.index(name)
            others = _others(continuum, name)
            n = others.n_annotators
            support = None if settings.support is None else min(settings.support, n)
            made = document_reference(
                document,
                others,
                best_alignment(others, dissimilarity),
                [],
                layer,
                replace(plain, support=support),
            )
            gold.append(np.stack([made.starts, made.ends, made.categories], axis=1))
            columns = (continuum.starts, continuum.ends, continuum.categories)
            found.append(np.stack([column[left_out] for column in columns], axis=1))
        counts = match_units(
            _joined(gold), _joined(found), tagset=layer.tagset, n_documents=len(gold)
        )
        return precision_recall_f(counts, **sampling)

    return [
        page.SystemScores(
            system=one.annotator,
            layer=layer.name,
            kind="units",
            values=[
                _labelled(replace(rate, measure=f"exact_{rate.measure}"), one.n_others)
                for rate in (one.score.precision, one.score.recall, one.score.f)
            ],
        )
        for one in leave_one_out(layer.humans, score_without)
    ]


def _others(continuum: Continuum, name: str) -> Continuum:
    a = continuum.annotators.index(name)
    kept = continuum.owners != a
    owners = continuum.owners[kept]
    return Continuum(
        continuum.starts[kept],
        continuum.ends[kept],
        continuum.categories[kept],
        np.where(owners > a, owners - 1, owners),
        tuple(other for other in continuum.annotators if other != name),
        continuum.tagset,
        length=continuum.length,
    )


def _joined(documents: Sequence[NDArray[np.float64]]) -> Units:
    if not documents:
        return Units.empty()
    rows = np.concatenate(documents).astype(np.int64)
    index = np.repeat(np.arange(len(documents)), [len(one) for one in documents])
    return Units(index, rows[:, 0], rows[:, 1], rows[:, 2])
