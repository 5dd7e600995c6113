"""From rows of readers to accepted tables and rejected rows: the one place where fates are decided.

`accepted_rows` takes an iterator of rows as readers yield them, records and `Block`s in the schemas
of `data.schema` (`Block(name, table)` holds an Arrow table), and returns `Accepted` in memory:
quick looks and the Python interface use it. `accordeur check` and a run call `prepare` for each
shard of their sources; the `Accepted` of a run is written to the store.

Rows of several sources are combined: a document read twice with the same text becomes one row, an
annotator's assignments on a document become one, and every row that breaks a rule goes to
`rejected` with its source, its location, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import (
    are_rows_among,
    column,
    empty_table,
    number_column,
    one_chunk,
    rows_where,
    scalar,
)
from ..blocks import Block, Rows
from ..errors import DataError
from ..option_names import option
from ..schema import NAME_SEPARATOR, SCHEMAS, UNNAMED_LAYER
from ..sentences import visible
from .accepted import OF_FILES, Accepted
from .deliveries import CONFLICTS, choose_deliveries
from .merge_sources import merged_assignments, merged_documents, with_unseen_documents
from .raw_rows import RawRows, names_of_layers
from .rule import Checked, Declared, Mask, ObjectReader, Rule, check_result, shown_column
from .rule_views import audits_among, documents_view, rule_columns
from .rules import find_broken_rules, rules_of
from .trimming import trim_units

_REJECTED_WITH_ORIGIN = pa.schema(
    [*SCHEMAS["rejected"], ("origin", pa.int32()), ("row", pa.int64())]
)


def accepted_rows(
    rows: Iterable[Rows],
    declared: Declared = Declared(),  # noqa: B008 - frozen
    *,
    tagset: Sequence[str] = (),
    layer: str | None = None,
    table: str | None = "labels",
    trim: bool = False,
    objects: ObjectReader | None = None,
) -> Accepted:
    """Apply every rule to the rows of one source in memory.

    table   that the layer is of; None: of labels or of units
    tagset  the categories in `layer` (None: in every layer of `table`); units may have none
    objects what reads the labels of `layer` as objects; None: they are categories
    trim    whether units lose blanks and punctuation at their edges; all texts are in memory then
    Raises DataError for an annotator with two roles.
    """
    sources = RawRows(keeps_texts=trim)
    sources.add(rows)
    [raw] = sources.shards()
    _require_one_role(raw["assignments"])
    named = [layer] if layer is not None else _layers_of(raw, table)
    if tagset:
        declared = Declared({name: tuple(tagset) for name in named}, declared.roles, tuple(named))
    readers = dict.fromkeys(named, objects) if objects else {}
    return prepare(raw, replace(declared, trim=trim, objects=readers), sources.layers)


def _layers_of(raw: Mapping[str, pa.Table], table: str | None) -> list[str]:
    tables = ("labels", "units") if table is None else (table,)
    return list(dict.fromkeys(name for one in tables for name in names_of_layers(one, raw[one])))


def _require_one_role(assignments: pa.Table) -> None:
    before: dict[str, str] = {}
    columns = ("annotator", "role", "source")
    for name, role, source in zip(*(assignments[c].to_pylist() for c in columns), strict=True):
        if before.setdefault(name, role) != role:
            given = option("role", f"{name}={before[name]}")
            raise DataError(
                f"annotator {name!r} is {role} in {source} and {before[name]} in an earlier "
                f"source: give one role (`{given}`), or another name"
            )


def _require_joinable_names(raw: Mapping[str, pa.Table]) -> None:
    """Raise DataError for a name that contains what separates joined names.

    Then a joined name says for certain which document, item and annotator it names.
    """
    for table, name in (
        ("documents", "document"),
        ("assignments", "annotator"),
        ("labels", "item"),
    ):
        is_joined = pc.match_substring(raw[table][name], NAME_SEPARATOR)
        if pc.any(is_joined).as_py():
            first = raw[table][name].filter(is_joined)[0].as_py()
            raise DataError(
                f"{name} {visible(first)}: a name must not contain the control character U+001F, "
                f"which separates names: rename the {name} in the export"
            )


def prepare(
    raw: Mapping[str, pa.Table],
    declared: Declared,
    layers: Sequence[Sequence[str]],
    further: Sequence[Rule] = (),
) -> Accepted:
    """Apply every rule to one shard.

    raw: the spilled tables of all sources with the columns `origin` (number of the source) and
    `row` besides the schema's. All rows of a document are in one shard.
    layers: the layers of each source, to which its assignments apply: an annotator of labels has
    not left the units empty.
    further: rules of the campaign file, whose columns the raw tables have.
    """
    raw = dict(raw)
    for name, content in UNNAMED_LAYER.items():
        at, layer = raw[name].column_names.index("layer"), raw[name]["layer"]
        named = pc.if_else(pc.equal(layer, scalar("")), scalar(content), layer)
        raw[name] = raw[name].set_column(at, "layer", named)
    _require_joinable_names(raw)
    chosen = choose_deliveries(raw, layers, declared.deliveries)
    excluded = chosen.excluded(raw)
    for name, conflicts in chosen.conflicts.items():
        raw[name] = raw[name].append_column(CONFLICTS, number_column(conflicts))
    for name, is_left_out in chosen.left_out.items():
        raw[name] = rows_where(raw[name], ~is_left_out)
    exported = {name: raw[name] for name in OF_FILES}
    documents = raw["documents"] = documents_view(raw["documents"])
    n_trimmed = n_without_text = 0
    if declared.trim:
        raw["units"], n_trimmed, n_without_text = trim_units(raw["units"], documents)
    audits = audits_among(raw["assignments"])
    views: dict[str, pa.Table] = {}
    kept: dict[str, pa.Table] = {}
    are_accepted: dict[str, Mask] = {}
    rejected = [raw["rejected"].select(_REJECTED_WITH_ORIGIN.names)]
    checks: list[tuple[Checked, Mask]] = []
    n_in = n_accepted = sum(int(mask.sum()) for mask in chosen.left_out.values())
    for name in ("documents", "assignments", "units", "labels", "relations"):
        rows, rules = raw[name], rules_of(name, further)
        more = rule_columns(name, rows, documents, audits, kept.get("units"))
        for column_name, values in more.items():
            rows = rows.append_column(column_name, values)
        first_broken, found = _applied(rules, rows, declared)
        checks += found
        views[name], are_accepted[name] = rows, first_broken < 0
        kept[name] = rows_where(rows, are_accepted[name])
        rejected.append(refused_rows(name, rows, first_broken, rules, declared))
        n_in += rows.num_rows
        n_accepted += kept[name].num_rows
    exported["rejected"] = _unread_rows(raw["rejected"], layers, kept["assignments"])
    tables = {
        "documents": merged_documents(kept["documents"]),
        "units": kept["units"].select(SCHEMAS["units"].names),
        "labels": kept["labels"].select(SCHEMAS["labels"].names),
        "relations": kept["relations"].select(SCHEMAS["relations"].names),
        "excluded": excluded,
    }
    rejected_rows = pa.concat_tables(rejected)
    tables["assignments"] = merged_assignments(kept["assignments"], tables, layers, rejected_rows)
    tables["documents"] = with_unseen_documents(tables["documents"], tables["assignments"])
    return Accepted(
        tables=tables,
        rejected_with_origin=rejected_rows,
        rows_in=n_in + raw["rejected"].num_rows,
        rows_accepted=n_accepted,
        rows_rejected=rejected_rows.num_rows,
        views=views,
        are_accepted=are_accepted,
        checks=[check for check, _ in checks],
        masks=[mask for _, mask in checks],
        n_trimmed=n_trimmed,
        n_without_text=n_without_text,
        exported=exported,
        deliveries=chosen.deliveries(),
    )


def _applied(
    rules: Sequence[Rule], rows: pa.Table, declared: Declared
) -> tuple[NDArray[np.int64], list[tuple[Checked, Mask]]]:
    """Return the first rule that each row breaks, -1 for none, and what each rule found."""
    first_broken, broken = find_broken_rules(rules, rows, declared)
    return first_broken, [
        (check_result(rule, rows, of_layer, layer), of_layer)
        for rule, mask in zip(rules, broken, strict=True)
        for layer, of_layer in rule.by_layer(rows, mask, declared)
    ]


def _unread_rows(
    rejected: pa.Table, layers: Sequence[Sequence[str]], assignments: pa.Table
) -> pa.Table:
    """Return the rows that a reader rejected of accepted work, with its layer.

    That is the one layer of the source: a reader that cannot read a row does not say its layer.
    Other names of such a row may be anything, and are kept nowhere.
    """
    of_source = [held[0] if len(held) == 1 else "" for held in layers]
    origins = one_chunk(rejected["origin"]).to_pylist()
    rows = rejected.append_column("layer", column([of_source[k] for k in origins], pa.string()))
    rows = rows_where(rows, pc.not_equal(rows["layer"], scalar("")))
    return rows_where(rows, are_rows_among(rows, assignments, ["document", "annotator"]))


def refused_rows(
    name: str,
    rows: pa.Table,
    first_broken: NDArray[np.int64],
    rules: tuple[Rule, ...],
    declared: Declared,
) -> pa.Table:
    """Return the rejected rows of a view; `first_broken` is -1 for valid rows."""
    parts = [empty_table(_REJECTED_WITH_ORIGIN)]
    for r, rule in enumerate(rules):
        bad = rows.filter(number_column(first_broken == r))
        if not bad.num_rows:
            continue
        value = one_chunk(pc.cast(shown_column(bad, rule.column), pa.string()))
        layers = bad["layer"].to_pylist() if "layer" in bad.column_names else [""] * len(value)
        messages = map(rule.message, value.to_pylist(), repeat(declared), layers)
        columns = {
            **{one: bad[one] for one in SCHEMAS["rejected"].names if one in bad.column_names},
            "rule": rule.name,
            "value": value,
            "message": column([*messages], pa.string()),
            "table_name": name,
        }
        found = Block("rejected", n_rows=bad.num_rows, columns={"location": "", **columns}).rows
        parts.append(found.append_column("origin", bad["origin"]).append_column("row", bad["row"]))
    return pa.concat_tables(parts)
