"""Analysis of what the corpus of a campaign contains, from its systems and a random audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.arrays import Flags, Ints
from ...metrics.coded_warning import CodedWarning
from ...metrics.item_name import place_of_item
from ...metrics.prevalence.judge_drift import judge_drift_p_value
from ...metrics.prevalence.prevalence_options import PrevalenceOptions
from ...reports import results as page
from ..agreement.humans_and_systems import with_roles
from ..analysis import Counted, Counting, LayerAnalysis
from ..batches_and_periods import document_groups, documents_by_group
from ..item_codes import read_stored_matrix, write_codes_of_shard
from ..item_names import document_names
from ..layers import LayerSpec
from .corpus_estimates import estimate_corpus, estimate_warnings, system_estimates
from .corpus_labels import CorpusLabels, corpus_labels, with_scale

Drawn = tuple[tuple[str, str], ...]  # documents and items
MOST_PARTS = 24  # the last ones


@dataclass(frozen=True, slots=True)
class EstimateCounting(Counting):
    """Labels of humans and systems, without labels collected because they were informative."""

    folder = Folder.COUNTED
    layer: LayerSpec

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        write_codes_of_shard(store, place, key, self.layer, self.layer.humans_and_systems)
        return {}


@dataclass(frozen=True, slots=True)
class EstimateAnalysis(LayerAnalysis):
    """Estimates of a layer of labels from each of its systems and the audit.

    drawn   items that are recorded as drawn at random; None: the user states that all items that
            humans labelled were
    period  of the parts between which drift is tested
    """

    layer: LayerSpec
    options: PrevalenceOptions
    drawn: Drawn | None = None
    period: str = "month"

    @property
    def counting(self) -> EstimateCounting:
        layer = replace(self.layer.without_distance().without_references(), complete=False)
        return EstimateCounting(layer)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        layer = self.layer
        matrix = read_stored_matrix(
            store, [one.place for one in counted], layer, layer.humans_and_systems
        )
        matrix = with_roles(matrix, layer)
        by_humans = np.asarray((matrix.codes[:, : len(layer.humans)] >= 0).any(axis=1))
        drawn = self._is_drawn(matrix, by_humans)
        is_audited = by_humans if drawn is None else by_humans & drawn
        if not is_audited.any():
            code = "audit_not_random" if by_humans.any() and not self.drawn else "audit_empty"
            return page.LayerResults(alerts=[CodedWarning(code, {"layer": layer.name})])
        labels = corpus_labels(
            matrix, layer.systems, self.options.target, ordered=with_scale(layer), drawn=drawn
        )
        found = estimate_corpus(
            matrix,
            labels,
            self.options,
            random_by="declared" if self.drawn is None else "recorded",
            layer=layer.name,
        )
        systems = [
            one.model_copy(update={"drift": self._drift(store, counted, matrix, labels, one)})
            for one in found.systems
        ]
        found = found.model_copy(update={"systems": systems})
        return page.LayerResults(estimates=[found], alerts=estimate_warnings(found))

    def _is_drawn(self, matrix: LabelMatrix, by_humans: Flags) -> Flags | None:
        """Return the items of the audit, bool (N,); None: all items that humans labelled."""
        if self.drawn is None or by_humans.all():
            return None
        known = set(self.drawn)
        keys = (place_of_item(name) in known for name in matrix.items)
        return np.fromiter(keys, np.bool_, matrix.n_items)

    def _drift(
        self,
        store: Store,
        counted: Sequence[Counted],
        matrix: LabelMatrix,
        labels: CorpusLabels,
        one: page.SystemEstimates,
    ) -> list[page.JudgeDrift]:
        """Test for drift between batches, and between the periods in which the system labelled."""
        if "share" not in self.options.measures or labels.is_whole:
            return []
        parts = self._parts(store, counted, matrix, one.system)
        found = (judge_drift(labels, one.system, each, self.options) for each in parts)
        return [each for each in found if each is not None]

    def _parts(
        self, store: Store, counted: Sequence[Counted], matrix: LabelMatrix, system: str
    ) -> Iterator[CorpusParts]:
        of_system = replace(self.layer, humans=(system,))  # whose times are read
        groups = document_groups(store, [one.key for one in counted], of_system, self.period)
        names = document_names(matrix)
        assert matrix.documents is not None
        for kind, column in (("batch", "batch"), ("time", "period")):
            members = documents_by_group(groups, column, names)
            part = np.full(len(names), -1, np.int64)
            for k, documents in enumerate(members.values()):
                part[documents] = k
            if members:
                yield CorpusParts(kind, tuple(members), part[matrix.documents])


@dataclass(frozen=True)
class CorpusParts:
    """Batches or periods of a corpus.

    kind   batch | time
    names  in order
    part   int (N,): part of each item, -1 if unknown
    """

    kind: str
    names: tuple[str, ...]
    part: Ints


def judge_drift(
    labels: CorpusLabels, system: str, parts: CorpusParts, options: PrevalenceOptions
) -> page.JudgeDrift | None:
    """Correct each part by its own audit, and test whether the system errs alike in all.

    None if fewer than two parts have audited items.
    """
    is_audited = (labels.human >= 0) & (parts.part >= 0)
    part = parts.part[is_audited]
    if len(np.unique(part)) < 2:
        return None
    p_value = judge_drift_p_value(
        labels.systems[system][is_audited],
        labels.human[is_audited],
        part,
        documents=labels.documents[is_audited]
        if options.drawn_by == "document" and labels.documents is not None
        else None,
    )
    own = replace(options, measures=("share",), textbook=False, wanted_width=None)
    alone = replace(labels, systems={system: labels.systems[system]})
    first = max(0, len(parts.names) - MOST_PARTS)
    return page.JudgeDrift(
        kind=parts.kind,
        p_value=p_value,
        parts=[
            _part(alone, name, parts.part == first + k, own)
            for k, name in enumerate(parts.names[first:])
        ],
    )


def _part(
    labels: CorpusLabels, name: str, chosen: Flags, options: PrevalenceOptions
) -> page.PartShares:
    some = labels.select_items(chosen)
    n_audited = int((some.human >= 0).sum())
    if not n_audited:
        return page.PartShares(name=name, n_items=some.n_items, n_audited=0)
    [found] = system_estimates(some, options)
    return page.PartShares(
        name=name,
        n_items=some.n_items,
        n_audited=n_audited,
        shares={one.category: page.Corrected.from_measured(one) for one in found.shares},
    )
