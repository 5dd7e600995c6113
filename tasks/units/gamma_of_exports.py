"""`accordeur gamma`: γ and γ-cat of exported units."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ...data.columns import as_numpy, column, scalar
from ...data.in_memory.units import UnitTable, read_unit_tables
from ...data.option_names import option
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import CategoryFeatures
from ...data.readers.notes import SourceNotes
from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount, RowTally, rejection_summary
from ...data.schema import Role
from ...data.validation.fates import tally_measured_units
from ...metrics.errors import MetricsError
from ...metrics.estimate import add_reading_settings
from ...metrics.measures import PAIRWISE_F
from ...reports.warnings import in_english
from ..inputs.data_warnings import (
    warnings_on_annotator_folders,
    warnings_on_reading,
    warnings_on_units,
    warnings_on_unknown_lengths,
)
from ..inputs.export_results import ExportResults
from ..inputs.part_kind import PartKind
from ..inputs.reading_options import Reading
from ..inputs.unit_options import GammaOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.estimate import Estimate
    from ...metrics.results import ErrorCost
    from ...metrics.unitizing.gamma import GammaResult
    from ...metrics.unitizing.gamma_settings import GammaSettings

WITH_PARTS = ("gamma", *PAIRWISE_F)
_MOST_NAMED = 12  # maximum number of names in a sentence
_MOST_EXAMPLES = 3
_NAMES = {  # d1_anna, anna_d1
    "document.annotator": re.compile(r"(.+)[_. -][^\W\d_]{2,}"),
    "annotator.document": re.compile(r"[^\W\d_]{2,}[_. -](.+)"),
}

DEFAULT_READING, DEFAULT_GAMMA = Reading(), GammaOptions()


@dataclass(frozen=True, slots=True)
class MeasuredUnits:
    """Results of a command on units, and the data they were computed on.

    documents  names, in the order of `continua`
    result     γ with its alignments; None for another measure
    """

    found: ExportResults
    documents: tuple[str, ...]
    continua: Sequence[Continuum]
    result: GammaResult | None = None


def gamma(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
    by: PartKind | None = None,
) -> ExportResults:
    """Compute the measure on the units of one or several exports, with the rejected rows.

    γ is accompanied by γ-cat, and the holistic measure by the value of the greedy algorithm of
    2011. `by` names parts for each of which γ, or a pairwise F, is computed as well. Raises
    DataError, MetricsError.
    """
    if by is None:
        return gamma_with_documents(paths, reading, options).found
    if options.measure not in WITH_PARTS:
        raise MetricsError(
            f"{option('by')} is for the measures {', '.join(WITH_PARTS)}, not {options.measure}"
        )
    from .unit_estimates import f_by_part

    whole = gamma_with_documents(paths, reading, options)
    if options.measure == "gamma":
        dissimilarity = options.dissimilarity_for(
            "gamma", whole.continua, tagset_is_declared=bool(reading.tagset)
        )
        parts = _parts(by, whole.continua, dissimilarity, options.settings("gamma"))
    else:
        settings = options.settings(options.measure)
        parts = f_by_part(by, options.measure, whole.continua, settings, options)
    return replace(whole.found, by=by, parts=parts)


def _parts(
    by: PartKind,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> list[tuple[str, Estimate]]:
    """Compute γ of each category's units, of each pair, or of the others without an annotator."""
    from ...metrics.unitizing.breakdown import (
        gamma_by_category,
        gamma_by_pair,
        gamma_without_each,
    )
    from .unit_estimates import pair_name

    if by is PartKind.pair:
        pairs = gamma_by_pair(continua, dissimilarity, settings=settings)
        return [(pair_name(a, b), value) for (a, b), value in pairs.items()]
    of_each = gamma_by_category if by is PartKind.category else gamma_without_each
    return list(of_each(continua, dissimilarity, settings=settings).items())


def gamma_with_documents(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
) -> MeasuredUnits:
    """The same with the documents and their alignments."""
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.unitizing.pairwise_f import require_matching_is_used
    from .unit_estimates import chance_models, unit_estimates, with_annotator_intervals

    if options.empty_pairs and options.measure != "gamma":
        raise MetricsError(
            f"{option('empty_pairs')} is a variant of γ-cat, which is computed only with "
            f"the measure gamma"
        )
    require_matching_is_used((options.measure,), options, option)
    settings = options.settings(options.measure)
    notes = SourceNotes()
    queue = None if options.queue is None else Path(options.queue)
    tables, continua, account = read_measured_continua(
        paths, reading, notes, queue=queue, trim=options.trim
    )
    dissimilarity = options.dissimilarity_for(
        options.measure, continua, tagset_is_declared=bool(reading.tagset)
    )
    humans = {name: None for one in continua for name in one.annotators}
    remarks = [
        *warnings_on_reading(notes, humans),
        *warnings_on_units(tables, continua),
    ]
    n_unknown = sum(table.length < 0 for table in tables)
    if n_unknown:
        drawn = chance_models(options.measure, corpus_of_continua(continua), settings)
        remarks += warnings_on_unknown_lengths(n_unknown, options.measure, drawn)
    result = None
    costs: tuple[ErrorCost, ...] = ()
    explained: list[Estimate] = []
    if options.measure == "gamma":
        from ...metrics.unitizing.error_costs import error_costs
        from ...metrics.unitizing.gamma import gamma as gamma_of

        result = gamma_of(continua, dissimilarity, settings)
        costs = error_costs(_disorder_by_cause(continua, result, dissimilarity), result.corpus)
        estimates = _with_gamma_cat(continua, result, dissimilarity, settings, options)
        explained = _found(continua, result, options)
    else:
        estimates = unit_estimates(options.measure, continua, dissimilarity, settings, options)
    if options.interval == "annotators":
        expected = None if result is None else result.expected
        own = (continua, dissimilarity, settings, expected, options)
        groups = [(options.measure, estimates)]
        if result is not None:  # γ, then measures on its alignments
            groups = [(one.measure, [one]) for one in estimates]
        estimates = [
            one for name, some in groups for one in with_annotator_intervals(some, name, *own)
        ]
    if options.replicates and len(continua) > 1:
        from ...metrics.agreement.diagnosis.diagnose import few_documents_with_units

        few = few_documents_with_units(estimates[0])
        remarks += [few.warning("few_documents")] if few else []
    found = ExportResults(
        add_reading_settings(estimates, account.settings),
        account.rows,
        account.rejected,
        remarks,
        costs,
        add_reading_settings(explained, account.settings),
    )
    return MeasuredUnits(found, tuple(table.document for table in tables), continua, result)


def _disorder_by_cause(
    continua: Sequence[Continuum], result: GammaResult, dissimilarity: Dissimilarity
) -> NDArray[np.float64]:
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.unitizing.error_costs import disorder_by_cause
    from ...metrics.unitizing.gamma_settings import set_mean_length

    used = set_mean_length(dissimilarity, corpus_of_continua(continua))
    return disorder_by_cause(continua, result.alignments, used)


def _found(
    continua: Sequence[Continuum], result: GammaResult, options: GammaOptions
) -> list[Estimate]:
    """Return found, where, what from the alignments of γ."""
    from ...metrics.unitizing.found_units import found_estimates, found_rows, how_found

    names = sorted({name for one in continua for name in one.annotators})
    return found_estimates(
        found_rows(continua, result.alignments, names),
        options,
        how=how_found(result.corpus),
        new_annotators=options.interval == "annotators",
    )


def _with_gamma_cat(
    continua: Sequence[Continuum],
    result: GammaResult,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    options: GammaOptions,
) -> list[Estimate]:
    """Return γ, γ-cat on its alignments and, on request, γ-cat with empty pairs."""
    from ...metrics.unitizing.gamma_cat import gamma_cat

    category = gamma_cat(continua, result.alignments, dissimilarity, **options.arguments)
    if not options.empty_pairs:
        return [result.corpus, category.gamma_cat]
    from ...metrics.unitizing.gamma_cat_empty_pairs import empty_pairs_of_gamma

    beside = empty_pairs_of_gamma(continua, result, dissimilarity, settings)
    return [result.corpus, category.gamma_cat, beside]


def read_measured_continua(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    notes: SourceNotes | None = None,
    *,
    queue: Path | None = None,
    trim: bool = False,
) -> tuple[list[UnitTable], list[Continuum], ExportAccount]:
    """Read the finished documents as continua of the humans, with the account of rows.

    notes  filled with what was assumed or left out
    queue  of `accordeur next`: documents that it chose as informative are excluded
    trim   whether units lose blanks and punctuation at their edges
    Units of documents with one annotator are excluded in the account.
    """
    tables, continua, account = continua_of_exports(paths, reading, notes, queue=queue, trim=trim)
    tally_units(account.tally, tables, continua)
    return tables, continua, account


def tally_units(
    tally: RowTally, tables: Sequence[UnitTable], continua: Sequence[Continuum]
) -> None:
    """Add the fates of human units to the tally; they are measured if there are two annotators.

    tables  tables of the same documents, in the same order
    """
    import numpy as np

    for table, continuum in zip(tables, continua, strict=True):
        counted = np.bincount(continuum.owners, minlength=continuum.n_annotators).tolist()
        rows = zip(continuum.annotators, counted, continuum.roles, strict=True)
        sizes = {name: n for name, n, role in rows if role == Role.HUMAN}
        serving = [name for name in sizes if (table.document, name) in tally.references]
        tally_measured_units(tally, sizes, serving=serving)


def continua_of_exports(
    paths: Sequence[Given],
    reading: Reading,
    notes: SourceNotes | None = None,
    *,
    with_systems: bool = False,
    queue: Path | None = None,
    trim: bool = False,
) -> tuple[list[UnitTable], list[Continuum], ExportAccount]:
    """Read continua as `read_measured_continua` does, without counting the fates of units.

    with_systems  whether systems are annotators of the continua, too; their later passes are then
                  in the tables
    """
    import numpy as np

    from ...metrics.agreement.label_matrix import sort_categories
    from ...metrics.alignment.continuum import Continuum, gaps_of_fragments

    source_options = SourceOptions(
        extra=reading.options,
        roles=reading.roles,
        categories=CategoryFeatures(measured=reading.layer),
        notes=SourceNotes() if notes is None else notes,
    )
    tables, account = read_unit_tables(
        paths,
        format=reading.format,
        options=source_options,
        tagset=reading.tagset,
        layer=reading.layer,
        with_systems=with_systems,
        strict=reading.strict,
        trim=trim,
    )
    if queue is not None:
        from ..inputs.informative_labels import without_informative_documents

        tables = without_informative_documents(tables, queue, account.tally)
    tagset = reading.tagset or sort_categories(
        {
            category
            for table in tables
            for units in (table.units, *table.later.values())
            for category in pc.unique(units["category"]).to_pylist()
            if category
        }
    )
    kept, continua = [], []
    taken = (Role.HUMAN, Role.SYSTEM) if with_systems else (Role.HUMAN,)
    # Sorted by name, as in a run: chance samples and bootstrap replicates depend on the order
    for table in sorted(tables, key=lambda one: one.document):
        people = sorted(name for name in table.annotators if table.roles[name] in taken)
        if not people:
            continue
        names = column(people, pa.string())
        chosen = table.units.filter(pc.is_in(table.units["annotator"], value_set=names))
        starts, ends = (as_numpy(chosen[name]) for name in ("start_offset", "end_offset"))
        kept.append(table)
        continua.append(
            Continuum(
                starts.astype(np.float64),
                ends.astype(np.float64),
                category_codes(chosen, tagset),
                as_numpy(pc.index_in(chosen["annotator"], value_set=names)),
                tuple(people),
                tagset,
                length=float(table.length) if table.length >= 0 else math.nan,
                roles=tuple(table.roles[name] for name in people),
                gaps=gaps_of_fragments(chosen["fragments"].to_pylist())[0],
            )
        )
    if not any(one.roles.count(Role.HUMAN) >= 2 for one in continua):
        lost = rejection_summary(account.rejected)
        raise MetricsError(_too_few(tables) + (f" ({lost})" if lost else ""))
    return kept, continua, account


def category_codes(units: pa.Table, tagset: Sequence[str]) -> NDArray[np.int32]:
    """Return the number of each unit's category in the tagset, -1 without one."""
    codes = pc.index_in(units["category"], value_set=column([*tagset], pa.string()))
    return as_numpy(pc.fill_null(codes, scalar(-1).cast(pa.int32())))


def _advice_on_names(documents: Sequence[str]) -> str:
    """Advise on documents such as `d1_anna` and `d1_ben`; "" where no names are like these."""
    for layout, pattern in _NAMES.items():
        of_document: dict[str, list[str]] = {}
        for name in sorted({*documents}):
            if found := pattern.fullmatch(name):
                of_document.setdefault(found[1], []).append(name)
        alike = next((names for names in of_document.values() if len(names) > 1), None)
        if alike is not None:
            return (
                f"if {' and '.join(map(repr, alike[:2]))} are one document by two annotators, set "
                f"`--option layout={layout}`"
            )
    return ""


def _too_few(tables: Sequence[UnitTable]) -> str:
    """List the annotators found, for the error that no document has two annotators."""
    roles = {name: role for table in tables for name, role in table.roles.items()}
    shown = [
        repr(name) if role == "human" else f"{name!r} ({role})"
        for name, role in sorted(roles.items())
    ]
    who = ", ".join(shown[:_MOST_NAMED]) + (" …" if len(shown) > _MOST_NAMED else "")
    folders = warnings_on_annotator_folders(table.document for table in tables)
    advice = "".join(map(in_english, folders))
    if not advice and sum(role == "human" for role in roles.values()) > 1:
        whose = {name: table.document for table in tables for name in table.annotators}
        some = ", ".join(f"{whose[name]!r} by {name}" for name in sorted(whose)[:_MOST_EXAMPLES])
        advice = f"each document was annotated by one annotator ({some} …)"
    advice = advice or _advice_on_names([table.document for table in tables])
    advice = advice or "give one export per annotator, or one export with all annotators"
    scored = (
        ""
        if set(roles.values()) <= {"human"}
        else "; systems are scored (`accordeur score`), or judged as a replacement of an annotator "
        "(`accordeur replace`)"
    )
    found = f"annotator{'s' if len(roles) > 1 else ''} found: {who}" if roles else "found: none"
    return f"no document has two human annotators ({found}): {advice}{scored}"
