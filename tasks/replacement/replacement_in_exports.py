"""`accordeur replace`: verdicts on systems from the labels or units of annotators and systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.coefficients import resolve_set_distance
from ...metrics.agreement.distances import SETS, Distance
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling
from ..agreement.humans_and_systems import labels_of_humans_and_systems
from ..inputs.assessment_options import ReplaceOptions
from ..inputs.data_warnings import incomparable_labels
from ..inputs.exported_labels import read_exported_labels
from ..inputs.reading_options import Reading
from ..intake.layer_contents import OF_AGREEMENT, OF_SCORES
from ..layers import LayerSpec
from ..scores.sides_of_shard import presence_in_shard, presence_of_systems
from ..stored_annotations import stored_continua
from ..units.units_of_exports import read_units
from .judge_checks import Lengths, read_lengths
from .judged_labels import similarity_function_of_codes
from .judged_layers import (
    JudgedUnits,
    batches_of_documents,
    judge_systems_on_labels,
    judge_units_of_layer,
    later_labels,
)
from .replacement_results import ExportReplacement, judged_systems

_DISTANCES = {"rmse": "interval", "similarity": ""}
"""Distance that each alignment compares labels by; "": that of the options."""


def replacement_in_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: ReplaceOptions,
    *,
    own: Callable[[str, str], float] | None = None,
    lengths: Lengths | None = None,
) -> ExportReplacement:
    """Judge the systems against the annotators of an export.

    systems  names; none: those that the export or `reading` has as systems
    own      similarity of two labels, in place of that of the options
    lengths  of the items, or of the documents of units, in place of the file of the options

    Raises DataError for a system without labels, and if there is no system.
    """
    systems = [*systems, *(one for one in options.earlier.values() if systems)]
    if options.of_units and own is None:
        return _replacement_in_exports_of_units(paths, systems, reading, options, lengths)
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    sets = options.alignment == "similarity" and options.distance.name in SETS
    labels = read_exported_labels(paths, replace(reading, roles=roles), sets=sets)
    layer = LayerSpec.of(labels.contents, declared=reading.categories, sets=sets, roles=OF_SCORES)
    if not reading.categories and options.alignment in _DISTANCES and own is None:
        name = _DISTANCES[options.alignment] or options.distance.name
        table = options.distance.table if options.alignment == "similarity" else None
        of_humans = labels.contents.tagset(OF_AGREEMENT)
        layer = layer.with_comparable_categories(of_humans, name, table)
    judged = judged_systems(layer.humans, layer.systems, systems)
    layer = replace(layer, systems=tuple(judged))
    store, key = labels.shard.store, labels.shard.key
    matrix = labels_of_humans_and_systems(store, key, layer)
    given: Distance = _DISTANCES.get(options.alignment) or "nominal"
    if options.alignment == "similarity":
        given = options.distance_between_categories(
            layer.tagset, tagset_is_declared=bool(reading.categories)
        )
    if lengths is None and options.lengths is not None:
        lengths = read_lengths(Path(options.lengths))
    presence = presence_in_shard(store, key, layer, ())
    found = judge_systems_on_labels(
        matrix,
        later_labels(store, key, layer),
        layer.with_distance(resolve_set_distance(given, matrix)),
        options,
        presence=presence_of_systems([presence], layer),
        batches=batches_of_documents(store, [key]),
        lengths=lengths or {},
        similarity=similarity_function_of_codes(own, layer.tagset) if own else None,
        with_documents=labels.names_documents,
    )
    account = labels.account()
    return ExportReplacement(
        found,
        account.rows,
        account.rejected,
        [*labels.warnings(distance=None), *incomparable_labels(labels.contents, layer)],
        _human_agreement(matrix, given, options, with_documents=labels.names_documents),
    )


def _replacement_in_exports_of_units(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: ReplaceOptions,
    lengths: Lengths | None = None,
) -> ExportReplacement:
    """Judge the systems against the annotators of an export of units, document by document.

    systems  names; none: those that the export or `reading` has as systems
    lengths  of the documents, in place of the file of the options

    Raises DataError for a system that finished no document, and where there is none; MetricsError
    for positions, which units do not have.
    """
    if options.positions:
        raise MetricsError(
            "positions: units are not choices between answers that are shown in an order, so they "
            "have no position bias; leave the option out"
        )
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    read = read_units(given, replace(reading, roles=roles))
    store, key = read.shard.store, read.shard.key
    contents = read.shard.contents.units[read.layer.name]
    layer = LayerSpec.of(contents, declared=reading.categories, roles=OF_SCORES)
    judged = judged_systems(layer.humans, layer.systems, systems)
    layer = replace(layer, systems=tuple(judged))
    dissimilarity = None
    if options.alignment == "disorder":  # it may depend on the mean length of the humans' units
        of_humans = stored_continua(store, key, layer, layer.humans, HUMAN)
        dissimilarity = options.dissimilarity_for(
            "gamma",
            [one.continuum for one in of_humans],
            tagset_is_declared=bool(reading.categories),
        )
    if lengths is None and options.lengths is not None:
        lengths = read_lengths(Path(options.lengths), of_documents=True)
    presence = presence_in_shard(store, key, layer, ())
    found = judge_units_of_layer(
        JudgedUnits.of_shard(store, key, layer),
        layer,
        options,
        presence=presence_of_systems([presence], layer),
        batches=batches_of_documents(store, [key]),
        lengths=lengths or {},
        dissimilarity=dissimilarity,
    )
    account = read.account()
    return ExportReplacement(found, account.rows, account.rejected, read.warnings())


def _human_agreement(
    matrix: LabelMatrix, distance: Distance, options: ReplaceOptions, *, with_documents: bool
) -> Estimate | None:
    """Compute Krippendorff's α of the annotators alone, to report beside a study of a judge."""
    humans = [a for a, role in enumerate(matrix.roles) if role == HUMAN]
    if len(humans) < 2:
        return None
    of_humans = replace(matrix.select_annotators(humans), roles=())
    [found] = evaluate_matrix(
        of_humans if with_documents else replace(of_humans, documents=None),
        measures=["krippendorff_alpha"],
        distance=distance,
        sampling=Sampling(min(options.replicates, 1000), 0.95, options.seed),
    )[:1]
    return found
