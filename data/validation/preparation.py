"""Divide a shard's raw rows into accepted tables and rejected rows; every row is accounted for.

Rows of several sources are combined here: a document read twice with the same text becomes one row,
an annotator's assignments on a document become one, and every row that breaks a rule goes to
`rejected` with its source, its location, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..schema import SCHEMAS
from .merging import merged_assignments, merged_documents, with_unseen_documents
from .rule_views import documents_with_texts, rule_view, with_relation_ends
from .rules import Checked, Declared, Mask, Rule, check_result, judge, rules_of

UNNAMED_LAYER = {"units": "units", "labels": "labels"}  # name of a layer without a name


@dataclass(frozen=True, slots=True)
class Prepared:
    """Accepted and excluded tables (in the schemas of `data.schema`) and the `rejected` table.

    rows_in, rows_accepted, rows_rejected: numbers of rows of exports, without the rows that the
    table `excluded` stands for; rows_in = rows_accepted + rows_rejected.

    views      the tables that the rules were applied to
    checks     what each rule found in this shard (a row may break several)
    masks      the rows that broke each of these checks, for `data.validation.checks`
    """

    tables: dict[str, pa.Table]
    rejected: pa.Table
    rows_in: int
    rows_accepted: int
    rows_rejected: int
    views: dict[str, pa.Table]
    checks: list[Checked]
    masks: list[Mask]


def prepare(
    raw: Mapping[str, pa.Table],
    declared: Declared,
    layers: Sequence[Sequence[str]],
    further: Sequence[Rule] = (),
) -> Prepared:
    """Apply every rule to one shard.

    raw: the spilled tables of all sources with the columns `origin` (number of the source) and
    `row` besides the schema's. All rows of a document are in one shard.
    layers: the layers of each source, to which its assignments apply: an annotator of labels has
    not left the units empty.
    further: rules of the campaign file, whose columns the raw tables have.
    """
    raw = {name: with_named_layer(name, table) for name, table in raw.items()}
    documents, texts = documents_with_texts(raw["documents"])
    views: dict[str, pa.Table] = {"documents": documents}
    for name in ("assignments", "units", "labels", "relations"):
        views[name] = rule_view(name, raw[name], texts)
    kept: dict[str, pa.Table] = {}
    rejected = [raw["rejected"].select(SCHEMAS["rejected"].names)]
    checks: list[Checked] = []
    masks: list[Mask] = []
    n_in = n_accepted = 0
    for name in ("documents", "assignments", "units", "labels", "relations"):
        rows = views[name]
        if name == "relations":
            rows = views[name] = with_relation_ends(rows, kept["units"])
        rules = rules_of(name, further)
        first_broken, broken = judge(rules, rows, declared)
        for rule, mask in zip(rules, broken, strict=True):
            for layer, of_layer in rule.by_layer(rows, mask, declared):
                checks.append(check_result(rule, rows, of_layer, layer))
                masks.append(of_layer)
        kept[name] = rows.filter(pa.array(first_broken < 0))
        rejected.append(refused_rows(name, rows, first_broken, rules))
        n_in += rows.num_rows
        n_accepted += kept[name].num_rows
    tables = {
        "documents": merged_documents(kept["documents"]),
        "units": kept["units"].select(SCHEMAS["units"].names),
        "labels": kept["labels"].select(SCHEMAS["labels"].names),
        "relations": kept["relations"].select(SCHEMAS["relations"].names),
        "excluded": raw["excluded"].select(SCHEMAS["excluded"].names),
    }
    rejected_rows = pa.concat_tables(rejected)
    tables["assignments"] = merged_assignments(kept["assignments"], tables, layers, rejected_rows)
    tables["documents"] = with_unseen_documents(tables["documents"], tables["assignments"])
    return Prepared(
        tables=tables,
        rejected=rejected_rows,
        rows_in=n_in + raw["rejected"].num_rows,
        rows_accepted=n_accepted,
        rows_rejected=rejected_rows.num_rows,
        views=views,
        checks=checks,
        masks=masks,
    )


def with_named_layer(name: str, rows: pa.Table) -> pa.Table:
    """Return rows of the table `name`, naming a layer without a name after its content."""
    if name not in UNNAMED_LAYER:
        return rows
    named = pc.if_else(pc.equal(rows["layer"], ""), UNNAMED_LAYER[name], rows["layer"])
    return rows.set_column(rows.column_names.index("layer"), "layer", named)


def refused_rows(
    name: str, rows: pa.Table, first_broken: NDArray[np.int64], rules: tuple[Rule, ...]
) -> pa.Table:
    """Return the table `rejected` for a view's rows; `first_broken` is -1 for valid rows."""
    parts = []
    for r, rule in enumerate(rules):
        bad = rows.filter(pa.array(first_broken == r))
        n = bad.num_rows
        if not n:
            continue
        value = pc.cast(bad[rule.column], pa.string())
        messages = [*map(rule.message, value.to_pylist())]
        empty = pa.array([""] * n, pa.string())
        parts.append(
            pa.table(
                {
                    "source": bad["source"],
                    "location": bad["location"] if "location" in bad.column_names else empty,
                    "rule": pa.array([rule.name] * n, pa.string()),
                    "value": value,
                    "message": pa.array(messages, pa.string()),
                    "table_name": pa.array([name] * n, pa.string()),
                    "document": bad["document"],
                    "annotator": bad["annotator"] if "annotator" in bad.column_names else empty,
                },
                schema=SCHEMAS["rejected"],
            )
        )
    return pa.concat_tables(parts) if parts else SCHEMAS["rejected"].empty_table()
