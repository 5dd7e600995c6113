"""Rules as expectations on the columns of a table, for `data.validation.checks`.

A rule is stated on the table's own columns, or on those that its view derives from other rows
(`occurrence`, `text_differs`, `document_length`), wherever Great Expectations has an expectation
for it. A rule without one, a rule on several labels of a row, and the one on declared annotators
where there is an audit, which needs no declaration, are stated on booleans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_columns import as_numpy, one_chunk, scalar
from .accepted import Accepted
from .expectations import columns_for_expectations
from .rule import Declared, Rule, Stock, shown_column
from .rules import AS_AUDIT, KNOWN_AS, RULES

_RULES = {(rule.table, rule.name): rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class StatedRule:
    """A rule of one table (tagsets: of one layer), the expectation that states it, and its counts.

    n_rows, n_broken  rows that the expectation is about, and those that break it by its mask
    """

    rule: Rule
    description: str
    stock: Stock
    n_rows: int
    n_broken: int


def rules_on_columns(
    prepared: Sequence[Accepted], declared: Declared, without: Collection[str] = ()
) -> Iterator[tuple[pa.Table, list[StatedRule]]]:
    """Yield the rows of each table of all shards, with the columns that its rules need.

    without  names of rules that were already judged
    """
    for table in dict.fromkeys(one.table for one in prepared[0].checks):
        views = [one.views[table] for one in prepared]
        has_single_labels = table != "labels" or all(map(_has_single_labels, views))
        has_audits = KNOWN_AS in views[0].column_names and any(map(_has_audits, views))
        columns: dict[str, pa.ChunkedArray | pa.Array] = {}
        stated = []
        for number, check in enumerate(prepared[0].checks):
            if check.table != table or check.rule in without:
                continue
            rule = built_in_rule(table, check.rule)
            mask = np.concatenate([one.masks[number] for one in prepared])
            stock = stock_expectation(
                rule, check.layer, declared, has_single_labels=has_single_labels
            )
            if has_audits and rule.name == "annotator_known":
                stock = rule.on_mask(check.layer)
            if stock == rule.on_mask(check.layer):
                columns[str(stock.arguments["column"])] = pa.array(mask)
            for name in stock.columns:
                if name not in columns:
                    columns[name] = _column(table, name, views)
            n_rows = sum(one.num_rows for one in views)
            if stock.layer:
                n_rows = int(as_numpy(pc.equal(columns["layer"], scalar(stock.layer))).sum())
            stated.append(StatedRule(rule, check.description, stock, n_rows, int(mask.sum())))
        yield pa.table(columns), stated


def built_in_rule(table: str, name: str) -> Rule:
    """Return a built-in rule. Raises KeyError for another name."""
    return _RULES[table, name]


def stock_expectation(
    rule: Rule, layer: str, declared: Declared, *, has_single_labels: bool
) -> Stock:
    """Return the expectation that states a rule on the columns of its table, else on its mask.

    layer   of the statement, "" for a rule of all layers
    has_single_labels  whether no row has several labels, so that its label is a value and no list
    """
    stock = rule.stock(declared, layer) if rule.stock else rule.on_mask(layer)
    is_list = rule.table == "labels" and "category" in stock.columns
    return rule.on_mask(layer) if is_list and not has_single_labels else stock


def rules_on_own_columns(table: str, declared: Declared) -> Iterator[tuple[str, Stock]]:
    """Yield the description and expectation of each rule on the table's own columns alone."""
    for rule in RULES:
        if rule.table != table or rule.stock is None:
            continue
        for layer in rule.statements(declared):
            stock = rule.stock(declared, layer)
            if set(stock.columns) <= set(columns_for_expectations(table)):
                yield rule.described(layer), stock


def _has_audits(rows: pa.Table) -> bool:
    return AS_AUDIT in pc.unique(rows[KNOWN_AS]).to_pylist()


def _has_single_labels(rows: pa.Table) -> bool:
    return (pc.max(pc.list_value_length(rows["labels"])).as_py() or 0) <= 1


def _column(table: str, name: str, views: Sequence[pa.Table]) -> pa.ChunkedArray:
    """Return a column of all shards; a row of labels that has none of them has no category."""
    values = pa.chunked_array([one_chunk(shown_column(one, name)) for one in views])
    if (table, name) != ("labels", "category"):
        return values
    n_labels = [pc.list_value_length(one["labels"]) for one in views]
    has_none = np.concatenate([as_numpy(one) for one in n_labels]) == 0
    return pc.if_else(has_none, pa.scalar(None, pa.string()), one_chunk(values))
