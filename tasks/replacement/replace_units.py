"""`accordeur replace` on units: verdicts on systems that locate units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.errors import MetricsError
from ..inputs.assessment_options import ReplaceOptions
from ..inputs.reading_options import Reading
from ..intake.layer_contents import OF_SCORES
from ..layers import LayerSpec
from ..scores.sides_of_shard import presence_in_shard, presence_of_systems
from ..stored_annotations import stored_continua
from ..units.units_of_exports import read_units
from .judge_checks import Lengths, read_lengths
from .judged_layers import JudgedUnits, batches_of_layer, judge_units_of_layer
from .replacement_results import ExportReplacement, judged_systems


def replace_in_unit_exports(
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
    layer = LayerSpec.of(contents, declared=reading.tagset, roles=OF_SCORES)
    judged = judged_systems(layer.humans, layer.systems, systems)
    layer = replace(layer, systems=tuple(judged))
    dissimilarity = None
    if options.alignment == "disorder":  # it may depend on the mean length of the humans' units
        of_humans = stored_continua(store, key, layer, layer.humans, HUMAN)
        dissimilarity = options.dissimilarity_for(
            "gamma",
            [one.continuum for one in of_humans],
            tagset_is_declared=bool(reading.tagset),
        )
    if lengths is None and options.lengths is not None:
        lengths = read_lengths(Path(options.lengths), of_documents=True)
    presence = presence_in_shard(store, key, layer, ())
    found = judge_units_of_layer(
        JudgedUnits.of_shard(store, key, layer),
        layer,
        options,
        presence=presence_of_systems([presence], layer),
        batches=batches_of_layer(store, [key], layer),
        lengths=lengths or {},
        dissimilarity=dissimilarity,
    )
    account = read.account()
    return ExportReplacement(found, account.rows, account.rejected, read.warnings())
