"""Agreement on items: from the labels of the shards to the values of a layer in the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.annotator_sample import few_for_new_annotators, for_new_annotators
from ...metrics.agreement.counts import count
from ...metrics.agreement.diagnosis.diagnose import diagnose
from ...metrics.agreement.diagnosis.document_findings import short_documents
from ...metrics.agreement.diagnosis.findings import Thresholds
from ...metrics.agreement.evaluate import evaluate
from ...metrics.agreement.registry import of_complete_items
from ...metrics.agreement.resampling_units import groups_of, groups_of_counts
from ...metrics.coded_warning import CodedWarning
from ...metrics.measures import specification
from ...reports import results as page
from ..analysis import Counted, Counting, SummarisedAnalysis
from ..annotator_groups import compared_groups
from ..groups import agreement_over_groups, document_groups
from ..inputs.cell_warnings import warnings_on_set_distance
from ..inputs.data_warnings import warnings_on_lone_labels
from ..inputs.object_findings import texts_as_categories
from ..layers import LayerSpec, document_names
from ..options import ItemSettings
from .categories import (
    coincidences_of,
    confusions_of,
    distances_from_confusions,
    distribution_of,
    findings_on_batches,
    repairs_of,
)
from .crew_comparison import crews_of_layer
from .disagreements import label_disagreements
from .item_codes import count_shard, n_adaptive, read_matrix
from .item_effects import causes_of_labels, effects_of, influences_of
from .item_subsets import empty_subset_warnings, item_subsets_of, unused_category_warnings
from .object_analysis import summarise_objects
from .parts import document_parts, item_parts, pass_parts
from .rating_study import study_of_layer
from .ratings import intraclass_of
from .resampling import readings_of, resampling_of


@dataclass(frozen=True, slots=True)
class LabelCounting(Counting):
    """Counts of labels, and the labels themselves as codes."""

    layer: LayerSpec

    @property
    def folder(self) -> Folder:
        return Folder.COUNTED

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        count_shard(store, place, key, self.layer)
        return {}


@dataclass(frozen=True, slots=True)
class LabelAnalysis(SummarisedAnalysis):
    """Analysis of agreement on one layer of labels."""

    layer: LayerSpec
    how: ItemSettings

    @property
    def name(self) -> str:
        return self.layer.name

    @property
    def counting(self) -> LabelCounting:
        return LabelCounting(self.layer.of_humans().without_distance())

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        return summarise_labels(store, self.layer, counted, self.how)


def summarise_labels(
    store: Store, layer: LayerSpec, counted: Sequence[Counted], settings: ItemSettings
) -> page.LayerResults:
    """Compute all values of one layer of labels."""
    if layer.objects is not None:
        return summarise_objects(store, layer, layer.objects, counted, settings)
    keys = [one.key for one in counted]
    places = [one.place for one in counted]
    matrix = read_matrix(store, places, layer)
    names = document_names(matrix)
    counts = count(matrix, by="documents")
    whole = counts.total
    distance = layer.item_distance()
    drawn = groups_of(matrix, over="items") if len(names) < 2 else groups_of_counts(counts)
    values = evaluate(
        whole,
        drawn,
        measures=[m for m in settings.measures if not specification(m).confusions],
        distance=distance,
        sampling=settings.sampling,
    )
    if settings.interval == "annotators":
        values = for_new_annotators(values, matrix, distance=distance)
    if layer.complete:
        values = of_complete_items(values)
    groups = document_groups(store, keys, layer, settings.period)
    findings = [*texts_as_categories(matrix), *diagnose(matrix, distance=distance)]
    findings += findings_on_batches(matrix, names, groups)
    findings += [one for one in map(few_for_new_annotators, values[:1]) if one]
    if settings.interval == "bootstrap" and settings.sampling.gives_intervals:
        findings += [one for one in [short_documents(matrix, Thresholds())] if one]
    universes = item_subsets_of(
        matrix,
        null=settings.null,
        patterns=settings.universes,
        measures=[m for m in settings.measures if not specification(m).confusions],
        distance=distance,
        sampling=settings.sampling,
    )
    agreement = page.ItemAgreement(
        layer=layer.name,
        tagset=list(layer.tagset),
        labels=list(layer.labels()),
        annotators=list(layer.humans),
        n_items=matrix.n_items,
        n_unpaired=whole.n_unpaired,
        n_duplicates=whole.n_duplicates,
        values=[
            *values,
            *intraclass_of(matrix, settings, distance),
            *crews_of_layer(matrix, settings, distance),
        ],
        **item_parts(matrix, settings, distance),
        per_document=document_parts(counts, names, settings, distance),
        confusions=confusions_of(matrix),
        coincidences=coincidences_of(whole),
        findings=findings,
        effects=effects_of(matrix, names, groups, settings, distance),
        **causes_of_labels(store, keys, matrix, layer, names, distance),
        proposed_distances=distances_from_confusions(whole),
        intra=pass_parts(store, keys, layer, settings, distance),
        universes=universes,
        ratings=study_of_layer(store, keys, matrix, layer, settings, distance),
        groups=compared_groups(
            matrix, settings.attributes, distance, settings.groups, settings.sampling
        ),
    )
    points = agreement_over_groups(
        counts,
        names,
        groups,
        layer.name,
        measure=settings.measures[0],
        distance=distance,
        sampling=settings.sampling,
    )
    alerts = empty_subset_warnings(universes, matrix, layer=layer.name, patterns=settings.universes)
    alerts += warnings_on_set_distance(matrix, layer.distance)
    alerts += unused_category_warnings(matrix, layer=layer.name, patterns=settings.universes)
    if layer.adaptive:
        n = sum(n_adaptive(store, key, layer) for key in keys)
        alerts.append(CodedWarning("adaptive_labels", {"layer": layer.name, "n": n}))
    alerts += warnings_on_lone_labels(matrix, values)
    readings = readings_of(matrix, layer, settings, distance)
    return page.LayerResults(
        items=[agreement],
        distributions=[distribution_of(layer, counts, names, groups)],
        influences=influences_of(matrix, names, drawn, layer.name, settings.measures[0], distance),
        points=points,
        resampling=[resampling_of(matrix, layer, settings, distance)],
        readings=readings.readings,
        reading_tables=readings.tables,
        disagreements=label_disagreements(matrix, layer),
        repairs=repairs_of(whole, layer),
        alerts=alerts,
    )
