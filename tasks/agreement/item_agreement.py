"""Agreement on items: from the labels of the shards to the values of a layer in the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.annotator_sample import few_annotators_finding
from ...metrics.agreement.coefficients import mark_as_complete_items
from ...metrics.agreement.counts import count
from ...metrics.agreement.diagnosis.diagnose import diagnose
from ...metrics.agreement.diagnosis.document_findings import short_documents
from ...metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.evaluate import evaluate
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.resampling_units import resampling_units, resampling_units_of_counts
from ...metrics.coded_warning import CodedWarning, Finding
from ...metrics.estimate import Estimate
from ...metrics.measures import coefficient_of
from ...reports import results as page
from ..analysis import Counted, Counting, LayerAnalysis
from ..annotator_groups import compare_groups_by_attribute
from ..batches_and_periods import agreement_by_group, document_groups, points_of_groups
from ..inputs.cell_warnings import texts_as_categories
from ..inputs.data_warnings import warnings_on_matrix
from ..inputs.estimate_warnings import warnings_on_lone_labels
from ..item_codes import n_adaptive, read_stored_matrix, write_codes_of_shard
from ..item_names import document_names
from ..item_texts import texts_of_items
from ..layers import LayerSpec
from ..objects.object_agreement import summarise_object_layer
from ..options import ItemSettings
from .categories import (
    category_distribution,
    coincidence_matrix,
    confused_categories_of_labels,
    confusion_matrices,
    distances_from_confusions,
    findings_on_batches,
)
from .effects_and_causes import (
    causes_of_labels,
    effects_on_labels,
    influences_of_documents,
    label_disagreements,
)
from .intraclass import intraclass_of_layer
from .item_subsets import empty_subset_warnings, unused_category_warnings, values_on_subsets
from .labels_with_fewer_annotators import modification_rates, readings_of_layer
from .rating_study import rating_study_of_layer
from .two_groups import two_groups_of_layer
from .values_of_parts import fields_by_part, lowest_document_values, values_between_passes


@dataclass(frozen=True, slots=True)
class LabelCounting(Counting):
    """Counts of labels, and the labels themselves as codes."""

    folder = Folder.COUNTED
    layer: LayerSpec

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        write_codes_of_shard(store, place, key, self.layer)
        return {}


@dataclass(frozen=True, slots=True)
class LabelAnalysis(LayerAnalysis):
    """Analysis of agreement on one layer of labels."""

    layer: LayerSpec
    how: ItemSettings

    @property
    def counting(self) -> LabelCounting:
        return LabelCounting(self.layer.only_humans().without_distance())

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        return summarise_label_layer(store, self.layer, counted, self.how)


def summarise_label_layer(
    store: Store, layer: LayerSpec, counted: Sequence[Counted], settings: ItemSettings
) -> page.LayerResults:
    """Compute all values of one layer of labels."""
    if layer.objects is not None:
        return summarise_object_layer(store, layer, layer.objects, counted, settings)
    keys = [one.key for one in counted]
    places = [one.place for one in counted]
    matrix = read_stored_matrix(store, places, layer)
    names = document_names(matrix)
    counts = count(matrix, by="documents")
    whole = counts.total
    distance = layer.item_distance()
    drawn = (
        resampling_units(matrix, over="items")
        if len(names) < 2
        else resampling_units_of_counts(counts)
    )
    values = evaluate(
        whole,
        drawn,
        measures=[m for m in settings.measures if not coefficient_of(m).confusions],
        distance=distance,
        sampling=settings.sampling,
    )
    if layer.complete:
        values = mark_as_complete_items(values)
    groups = document_groups(store, keys, layer, settings.period)
    diagnosed = diagnose(matrix, distance=distance)
    # an outlier is found among the causes, with an interval
    findings = [one for one in diagnosed if one.code != "annotator_apart"]
    findings = [*texts_as_categories(matrix), *findings]
    findings += findings_on_batches(matrix, names, groups)
    findings += [one for one in map(few_annotators_finding, values[:1]) if one]
    if settings.sampling.interval == "bootstrap" and settings.sampling.gives_intervals:
        findings += [one for one in [short_documents(matrix, Thresholds())] if one]
    universes = values_on_subsets(
        matrix,
        null=settings.null,
        patterns=settings.universes,
        measures=[m for m in settings.measures if not coefficient_of(m).confusions],
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
            *intraclass_of_layer(matrix, settings, distance),
            *two_groups_of_layer(matrix, settings, distance),
        ],
        **fields_by_part(matrix, settings, distance),
        per_document=lowest_document_values(counts, names, settings, distance),
        confusions=confusion_matrices(matrix),
        coincidences=coincidence_matrix(whole),
        findings=findings,
        effects=effects_on_labels(matrix, names, groups, settings, distance),
        **causes_of_labels(
            store,
            keys,
            matrix,
            layer,
            names,
            distance,
            [*(one.measure for one in values), *settings.ratings],
        ),
        proposed_distances=distances_from_confusions(whole),
        intra=values_between_passes(store, keys, layer, settings, distance),
        universes=universes,
        ratings=rating_study_of_layer(store, keys, matrix, layer, settings, distance),
        groups=compare_groups_by_attribute(
            matrix, settings.attributes, distance, settings.groups, settings.sampling
        ),
    )
    points = agreement_by_group(
        counts,
        names,
        groups,
        layer.name,
        measures=[one.measure for one in values],
        distance=distance,
        sampling=settings.sampling,
    )
    if settings.ratings and (homes := matrix.documents) is not None:
        points += points_of_groups(
            groups,
            names,
            layer.name,
            lambda those: intraclass_of_layer(
                matrix.select_items(np.isin(homes, those)), settings, distance
            ),
        )
    alerts = empty_subset_warnings(universes, matrix, layer=layer.name, patterns=settings.universes)
    alerts += unused_category_warnings(matrix, layer=layer.name, patterns=settings.universes)
    if layer.adaptive and (n := sum(n_adaptive(store, key, layer) for key in keys)):
        alerts.append(CodedWarning("adaptive_labels", {"layer": layer.name, "n": n}))
    alerts += _warnings_on_data(matrix, layer, values, distance, findings)
    readings = readings_of_layer(matrix, layer, settings, distance)
    return page.LayerResults(
        items=[agreement],
        distributions=[category_distribution(layer, counts, names, groups)],
        influences=influences_of_documents(
            matrix, names, drawn, layer.name, settings.measures[0], distance
        ),
        points=points,
        resampling=[modification_rates(matrix, layer, settings, distance)],
        readings=readings.readings,
        reading_tables=readings.tables,
        disagreements=label_disagreements(
            matrix, layer, texts_of_items(store, keys, layer.name, matrix)
        ),
        repairs=confused_categories_of_labels(whole, layer),
        alerts=alerts,
    )


def _warnings_on_data(
    matrix: LabelMatrix,
    layer: LayerSpec,
    values: Sequence[Estimate],
    distance: Distance,
    findings: Sequence[Finding],
) -> list[CodedWarning]:
    """Return the warnings of `agree` on the labels, without what the findings say.

    Names that look alike are those of the campaign, and reported once for all layers.
    """
    codes = {one.code for one in findings}
    found = warnings_on_matrix(matrix, distance=distance, distance_name=layer.distance)
    found += warnings_on_lone_labels(values)
    return [
        replace(one, figures={"layer": layer.name, **one.figures})
        for one in found
        if one.code not in {*codes, "names_alike"}
        and not any(f"finding.{code}.text" in one.messages for code in codes)
    ]
