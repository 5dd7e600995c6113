"""Human range: the score of each human against the reference of the others, by the same rule.

It gives context to a system's score. It is neither agreement nor a score of the humans: each is
judged by a different reference, with fewer annotators than the reference of the systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.alignment.best_alignment import best_alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.bootstrap import Sampling
from ...metrics.estimate import Estimate
from ...metrics.scoring.accuracy import accuracy, score_labels
from ...metrics.scoring.precision_recall import match_units
from ...metrics.scoring.rates import precision_recall_f
from ...reports import results as page
from ..layers import LayerSpec, continua_of
from ..references.cases import human_labels
from ..references.consensus import consensus_by_document
from ..references.labels import reference_by_rule
from ..references.settings import ReferenceSettings
from ..references.units import document_reference
from ..units.alignment import DissimilaritySpec
from .units import units_in

LABEL = "human, against a reference built without them (leave-one-out)"
MOST_DOCUMENTS = 500  # of units: each is realigned without each annotator
MOST_ANNOTATORS = 40


@dataclass(frozen=True, slots=True)
class HumanRange:
    """Rule for the others' reference, without decisions, as these were based on all annotators."""

    reference: ReferenceSettings
    dissimilarity: DissimilaritySpec | None = None


def range_of_humans(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: HumanRange,
    sampling: Sampling,
) -> list[page.SystemScores]:
    """Score each human; [] for fewer than three humans or more than forty.

    Also [] if a single annotator is the reference.
    """
    if not 3 <= len(layer.humans) <= MOST_ANNOTATORS or settings.reference.annotator is not None:
        return []
    rule = settings.reference.rule
    plain = replace(
        settings.reference,
        rule="majority" if rule == "adjudicated" else rule,
        decisions=(),
        gold=None,
    )
    if layer.is_labels:
        matrix = human_labels(store, keys, layer)
        scores = [
            [_label_score(matrix, a, layer, plain, sampling)] for a in range(len(layer.humans))
        ]
    else:
        documents = [
            (document, continuum)
            for key in keys
            for document, continuum, _ in continua_of(store, key, layer, layer.humans, HUMAN)
            if continuum.n_annotators >= 3
        ][:MOST_DOCUMENTS]
        if not documents:
            return []
        # The annotator who agrees best is known only for the whole layer.
        plain = replace(plain, bounds="median")
        measure = settings.dissimilarity or DissimilaritySpec()
        scores = [
            _unit_scores(documents, name, layer, plain, measure, sampling) for name in layer.humans
        ]
    return [
        page.SystemScores(
            system=name,
            layer=layer.name,
            kind="items" if layer.is_labels else "units",
            values=[
                replace(
                    one,
                    detail={**one.detail, "n_others": len(layer.humans) - 1, "read_as": LABEL},
                )
                for one in of_one
            ],
        )
        for name, of_one in zip(layer.humans, scores, strict=True)
    ]  # fmt: skip


def _label_score(
    matrix: LabelMatrix, a: int, layer: LayerSpec, settings: ReferenceSettings, sampling: Sampling
) -> Estimate:
    """Accuracy on the items that annotator a labelled and the others' reference resolves."""
    others = np.delete(matrix.codes, a, axis=1)
    names = tuple(f"other {b}" for b in range(others.shape[1]))
    made = reference_by_rule(
        LabelMatrix(codes=others, tagset=matrix.tagset, annotators=names),
        settings,
        ordered=layer.ordered,
    )
    own = matrix.codes[:, a]
    reference = np.where(own >= 0, made.codes, -1)
    counts = score_labels(reference, own, tagset=matrix.tagset, documents=matrix.drawn_documents)
    return accuracy(counts, **sampling)


def _unit_scores(
    documents: Sequence[tuple[str, Continuum]],
    name: str,
    layer: LayerSpec,
    settings: ReferenceSettings,
    measure: DissimilaritySpec,
    sampling: Sampling,
) -> list[Estimate]:
    """Return precision, recall and F of the exact match with the others' units."""
    dissimilarity = measure.for_layer(layer)
    gold: dict[str, NDArray[np.int64]] = {}
    parted = {
        document: _split_off_annotator(continuum, name)
        for document, continuum in documents
        if name in continuum.annotators
    }
    found = {document: own for document, (_, own) in parted.items()}
    if settings.rule == "consensus":
        results = consensus_by_document([others for others, _ in parted.values()])
        for document, result in zip(parted, results, strict=True):
            gold[document] = result.table().astype(np.int64)
        parted = {}
    for document, (others, _) in parted.items():
        n = others.n_annotators
        support = None if settings.support is None else min(settings.support, n)
        made = document_reference(
            document,
            others,
            best_alignment(others, dissimilarity),
            [],
            layer,
            replace(settings, support=support),
        )
        columns = (made.starts, made.ends, made.categories)
        gold[document] = np.stack(columns, axis=1).astype(np.int64)
    sides = [units_in(rows, list(gold)) for rows in (gold, found)]
    counts = match_units(*sides, tagset=layer.tagset, n_documents=len(gold))
    rates = precision_recall_f(counts, **sampling)
    return [
        replace(rate, measure=f"exact_{rate.measure}")
        for rate in (rates.precision, rates.recall, rates.f)
    ]


def _split_off_annotator(continuum: Continuum, name: str) -> tuple[Continuum, NDArray[np.int64]]:
    """Split the continuum into the other annotators, and the annotator's (start, end, category)."""
    a = continuum.annotators.index(name)
    columns = (continuum.starts, continuum.ends, continuum.categories)
    own = np.stack(columns, axis=1)[continuum.owners == a].astype(np.int64)
    kept = continuum.owners != a
    owners = continuum.owners[kept]
    others = Continuum(
        continuum.starts[kept],
        continuum.ends[kept],
        continuum.categories[kept],
        np.where(owners > a, owners - 1, owners),
        tuple(other for other in continuum.annotators if other != name),
        continuum.tagset,
        length=continuum.length,
    )
    return others, own
