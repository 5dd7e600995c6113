"""Continua of humans and systems of exports, for `accordeur replace`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ...data.columns import as_numpy, column, scalar
from ...data.in_memory.units import UnitTable, read_unit_tables
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import CategoryFeatures
from ...data.readers.notes import SourceNotes
from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount, RowTally, rejection_summary
from ...data.schema import Role
from ...data.validation.fates import tally_measured_units
from ...metrics.errors import MetricsError
from ...reports.warnings import in_english
from ..inputs.data_warnings import warnings_on_annotator_folders
from ..inputs.reading_options import Reading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...metrics.alignment.continuum import Continuum

_MOST_NAMED = 12  # maximum number of names in a sentence
_MOST_EXAMPLES = 3
_NAMES = {  # d1_anna, anna_d1
    "document.annotator": re.compile(r"(.+)[_. -][^\W\d_]{2,}"),
    "annotator.document": re.compile(r"[^\W\d_]{2,}[_. -](.+)"),
}


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
