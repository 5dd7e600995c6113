"""The units of an export in memory, without a store: the input of `accordeur gamma`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..columns import as_numpy, column, first_of_equal_rows, number_column, rows_where, scalar
from ..errors import DataError
from ..option_names import option
from ..readers.base import SourceOptions
from ..readers.common.category_features import holds_tokens_only
from ..readers.registry import AUTO
from ..readers.sources import read_sources
from ..readers.tables.given import Given
from ..row_account import ExportAccount, require_no_rejected
from ..schema import Role
from ..validation.fates import Standing, are_by_annotators, rows_of_layer
from ..validation.preparation import Accepted, accepted_rows
from ..validation.raw_rows import UNNAMED_LAYER


@dataclass(slots=True)
class UnitTable:
    """The units of one layer of one document in the first pass, by all annotators who finished it.

    `units` is in the schema of the table units, by start and end. `annotators` are all annotators,
    those who marked nothing too; `roles` theirs; `length` -1 when unknown. `later` has the units of
    systems in each annotation pass after the first that they finished: (annotator, pass) → units,
    where these are read.
    """

    document: str
    units: pa.Table
    annotators: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    length: int = -1
    later: dict[tuple[str, int], pa.Table] = field(default_factory=dict)


def read_unit_tables(
    paths: Sequence[str | Given],
    *,
    format: str = AUTO,
    options: SourceOptions | None = None,
    tagset: Sequence[str] = (),
    layer: str | None = None,
    with_systems: bool = False,
    strict: bool = False,
    trim: bool = False,
) -> tuple[list[UnitTable], ExportAccount]:
    """Read the units of files, folders or globs by document, with the account of the rows.

    The account has the fate of every row except the units in the tables.

    layer   required when the exports hold several
    tagset  the categories that units of `layer` (None: of any) may have; empty: any
    with_systems  keep the later annotation passes of systems
    strict  raise an error for the first rejected row
    trim    remove blanks and punctuation at the edges of units; how many is in the options' notes

    Rows are rejected as in a run (`data.validation.preparation`). Annotators are excluded from
    documents that they did not finish or were not assigned, because nothing can be measured there,
    and from documents in which all their units were rejected. Raises DataError when a path cannot
    be read, or when no unit is left.
    """
    options = options or SourceOptions()
    layer = UNNAMED_LAYER["units"] if layer == "" else layer
    rows = read_sources(paths, format, options)
    accepted = accepted_rows(rows, tagset=tagset, layer=layer, table="units", trim=trim)
    options.notes.n_trimmed_units += accepted.n_trimmed
    options.notes.n_units_without_text += accepted.n_without_text
    tally, rejected = accepted.tally(), accepted.rejected_records()
    if strict:
        require_no_rejected(rejected)
    wanted, given = rows_of_layer(accepted, "units", tally, lambda first: _layer(first, layer))
    roles = accepted.roles()
    standing = Standing.of(given, accepted.unfinished(wanted))
    standing.count(tally, given, roles)
    units = rows_where(given, standing.is_first & standing.is_finished)
    if not units.num_rows:
        found = ", ".join(map(str, paths))
        if accepted.tables["labels"].num_rows:
            raise DataError(f"{found}: holds labels, not units; try `accordeur agree`")
        require_no_rejected(rejected)
        raise DataError(f"{found}: has no unit")
    systems = [name for name, role in roles.items() if role == Role.SYSTEM and with_systems]
    again = rows_where(given, ~standing.is_first & are_by_annotators(given, systems))
    tables = _by_document(accepted, units, wanted, roles)
    _add_later(tables, again, accepted.assignments(wanted, finished=True, later=True), systems)
    read_as = options.read_as().renamed({"": UNNAMED_LAYER["units"]})
    settings = replace(read_as, trimmed=(wanted,) if trim else ()).settings(wanted)
    return list(tables.values()), ExportAccount(tally, rejected, settings)


def _layer(units: pa.Table, layer: str | None) -> str:
    if not units.num_rows:
        return layer or ""
    categories: dict[str, set[str]] = {}
    for row in first_of_equal_rows(
        units.select(["layer", "category"]), ["layer", "category"]
    ).to_pylist():
        categories.setdefault(row["layer"], set()).add(row["category"])
    layers = [
        name
        for name, given in sorted(categories.items())
        if name == layer or len(categories) == 1 or not holds_tokens_only(name, given)
    ]
    if layer is None and len(layers) > 1:
        raise DataError(
            f"the exports hold several layers ({', '.join(map(repr, layers))}): choose one with "
            f"{option('layer')}"
        )
    wanted = layer if layer is not None else (layers[0] if layers else "")
    if wanted not in layers:
        held = f"the exports hold {', '.join(map(repr, layers))}" if layers else "no unit was read"
        raise DataError(f"no layer {wanted!r}; {held}")
    return wanted


def _by_document(
    accepted: Accepted, units: pa.Table, layer: str, roles: Mapping[str, str]
) -> dict[str, UnitTable]:
    documents = accepted.tables["documents"]
    names = documents["document"].to_pylist()
    home = as_numpy(pc.index_in(units["document"], value_set=column(names, pa.string())))
    starts, ends = (as_numpy(units[name]) for name in ("start_offset", "end_offset"))
    order = np.lexsort((ends, starts, home))
    bounds = np.searchsorted(home[order], np.arange(len(names) + 1)).tolist()
    units = units.take(number_column(order))
    tables = {
        name: UnitTable(name, units.slice(bounds[k], bounds[k + 1] - bounds[k]), length=length)
        for k, (name, length) in enumerate(zip(names, documents["length"].to_pylist(), strict=True))
    }
    finished = accepted.assignments(layer, finished=True)
    columns = (finished[name].to_pylist() for name in ("document", "annotator"))
    for document, name in zip(*columns, strict=True):
        tables[document].annotators.append(name)
        tables[document].roles[name] = roles.get(name, Role.HUMAN)
    return tables


def _add_later(
    tables: Mapping[str, UnitTable],
    units: pa.Table,
    assignments: pa.Table,
    systems: Sequence[str],
) -> None:
    """Add the units of each later pass that one of the systems finished."""
    done = rows_where(assignments, are_by_annotators(assignments, systems))
    columns = ("document", "annotator", "pass")
    for document, name, number in zip(*(done[one].to_pylist() for one in columns), strict=True):
        is_of_pass = [
            pc.equal(units[one], scalar(value))
            for one, value in zip(columns, (document, name, number), strict=True)
        ]
        rows = units.filter(pc.and_(pc.and_(is_of_pass[0], is_of_pass[1]), is_of_pass[2]))
        tables[document].later[name, number] = rows
