"""`accordeur replace` on units: verdicts on systems that locate units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...data.columns import as_numpy
from ...data.in_memory.units import UnitTable
from ...data.readers.notes import SourceNotes
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.alignment.continuum import Continuum
from ...metrics.errors import MetricsError
from ..inputs.assessment_options import ReplaceOptions
from ..inputs.data_warnings import warnings_on_reading
from ..inputs.reading_options import Reading
from ..units.continua_of_exports import category_codes, continua_of_exports, tally_units
from .judge_checks import Lengths, document_lengths, read_lengths
from .judged_units import UnitRuns, annotated_units, judge_units
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
    notes = SourceNotes()
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    tables, continua, account = continua_of_exports(
        given, replace(reading, roles=roles), notes, with_systems=True
    )
    tally_units(account.tally, tables, continua)
    role_of = {
        name: role for one in continua for name, role in zip(one.annotators, one.roles, strict=True)
    }
    humans = sorted(name for name, role in role_of.items() if role == Role.HUMAN)
    judged = judged_systems(humans, sorted(role_of.keys() - set(humans)), systems)
    rows = {
        (d, name): np.stack([one.starts, one.ends, one.categories], axis=1)[one.owners == a].astype(
            np.int64
        )
        for d, one in enumerate(continua)
        for a, name in enumerate(one.annotators)
        if name in humans or name in judged
    }
    dissimilarity = None
    if options.alignment == "disorder":
        of_humans = list(map(_human_continuum, continua))
        dissimilarity = options.dissimilarity_for(
            "gamma", of_humans, tagset_is_declared=bool(reading.tagset)
        )
    found = judge_units(
        annotated_units(rows, [*humans, *judged], len(continua)),
        humans,
        judged,
        options,
        tagset=continua[0].tagset,
        document_names=[table.document for table in tables],
        dissimilarity=dissimilarity,
        runs=_unit_runs(tables, continua[0].tagset, judged, lengths, options),
    )
    return ExportReplacement(
        found, account.rows, account.rejected, warnings_on_reading(notes, humans)
    )


def _unit_runs(
    tables: Sequence[UnitTable],
    tagset: Sequence[str],
    systems: Sequence[str],
    lengths: Lengths | None,
    options: ReplaceOptions,
) -> UnitRuns:
    """The later passes of the systems, and the lengths of the documents: given, else as read."""
    later = {
        (d, name, pass_): np.stack(
            [
                as_numpy(units["start_offset"]),
                as_numpy(units["end_offset"]),
                category_codes(units, tagset).astype(np.int64),
            ],
            axis=1,
        )
        for d, table in enumerate(tables)
        for (name, pass_), units in table.later.items()
        if name in systems
    }
    if lengths is None and options.lengths is not None:
        lengths = read_lengths(Path(options.lengths), of_documents=True)
    names = [table.document for table in tables]
    read = [table.length if table.length >= 0 else math.nan for table in tables]
    return UnitRuns(later, document_lengths(names, read, lengths or {}))


def _human_continuum(continuum: Continuum) -> Continuum:
    """Return the units of humans alone, as a dissimilarity may depend on their mean length."""
    roles = zip(continuum.annotators, continuum.roles, strict=True)
    return continuum.select_annotators([name for name, role in roles if role == Role.HUMAN])
