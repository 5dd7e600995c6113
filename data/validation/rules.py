"""The rules that a row must keep: each has a name, a table, messages and one Arrow predicate.

Everything else is derived from this declaration: the masks of `data.validation.preparation` and the
Great Expectations suite (`data.validation.checks`), which states a rule on the table's columns
where Great Expectations can (`Rule.stock`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import as_numpy, column, number_column, one_chunk, scalar
from ..label_sets import EMPTY
from ..schema import Role, State
from .deliveries import CONFLICTS
from .rule import IN_SET, Booleans, Declared, Mask, Rule, Scope, Stock

KNOWN_AS = "known_as"
"""Column of a view: the annotator, or `AS_AUDIT` for one whose labels are an audit."""

AS_AUDIT = "\x1faudit"
"""Audits need no declaration: they enter no agreement, and `accordeur next` names who gives them.
No annotator has this name (`NAME_SEPARATOR`)."""


def _not_in(values: pa.ChunkedArray, allowed: Iterable[str]) -> Booleans:
    return pc.invert(pc.is_in(values, value_set=column([*map(str, allowed)], pa.string())))


def _outside_tagset(rows: pa.Table, declared: Declared) -> Booleans:
    bad = number_column(np.zeros(rows.num_rows, dtype=np.bool_))
    for layer, tagset in declared.tagsets.items():
        allowed = [*tagset, ""] if layer in declared.unlabelled else tagset
        of_layer = pc.equal(rows["layer"], scalar(layer))
        bad = pc.or_(bad, pc.and_(of_layer, _not_in(rows["category"], allowed)))
    return bad


def _any_outside_tagset(rows: pa.Table, declared: Declared) -> Booleans:
    labels = one_chunk(rows["labels"])
    parents = pc.list_parent_indices(labels)
    each = {"layer": rows["layer"].take(parents), "category": pc.list_flatten(labels)}
    return _rows_with(parents, _outside_tagset(pa.table(each), declared), rows.num_rows)


def _rows_with(parents: pa.Array, bad: Booleans, n_rows: int) -> pa.Array:
    """Return which rows have a bad value; `parents` are the rows of the values."""
    rows = np.zeros(n_rows, dtype=np.bool_)
    rows[as_numpy(parents)[as_numpy(bad)]] = True
    return number_column(rows)


def _has_blank_label(rows: pa.Table, declared: Declared) -> Booleans:
    """An empty list is not blank: the annotator chose none of several labels."""
    labels = one_chunk(rows["labels"])
    blank = pc.equal(pc.list_flatten(labels), scalar(""))
    return _rows_with(pc.list_parent_indices(labels), blank, rows.num_rows)


def _is_no_object(rows: pa.Table, declared: Declared) -> Booleans:
    """A row of several labels is none; without a label, its object is the empty set."""
    bad = np.zeros(rows.num_rows, dtype=np.bool_)
    for layer, reader in declared.objects.items():
        at = np.flatnonzero(as_numpy(pc.equal(rows["layer"], scalar(layer))))
        problem = cache(reader.problem)
        for row, labels in zip(at, rows["labels"].take(number_column(at)).to_pylist(), strict=True):
            bad[row] = len(labels) > 1 or problem(labels[0] if labels else EMPTY) != ""
    return number_column(bad)


def _is_undeclared(rows: pa.Table, declared: Declared) -> Booleans:
    if not declared.roles:
        return number_column(np.zeros(rows.num_rows, dtype=np.bool_))
    return _not_in(rows[KNOWN_AS], [*declared.roles, AS_AUDIT])


def _is_repeated(rows: pa.Table, declared: Declared) -> Booleans:
    return pc.greater(rows["occurrence"], scalar(1))


def _has_other_text(rows: pa.Table, declared: Declared) -> Booleans:
    return rows["text_differs"]


def _conflicts(rows: pa.Table, declared: Declared) -> Booleans:
    return rows[CONFLICTS]


def _stock_in_set(column: str, values: Iterable[object]) -> Callable[[Declared, str], Stock]:
    value_set = list(values)
    return lambda *_: Stock(IN_SET, {"column": column, "value_set": value_set})


def _not_blank(column: str) -> Callable[[Declared, str], Stock]:
    arguments = {"column": column, "value_set": [""]}
    return lambda *_: Stock("expect_column_values_to_not_be_in_set", arguments)


def _between(column: str, **limits: int) -> Callable[[Declared, str], Stock]:
    arguments = {"column": column, **limits}
    return lambda *_: Stock("expect_column_values_to_be_between", arguments)


def _greater(column_a: str, column_b: str, **more: object) -> Callable[[Declared, str], Stock]:
    arguments = {"column_A": column_a, "column_B": column_b, **more}
    return lambda *_: Stock("expect_column_pair_values_a_to_be_greater_than_b", arguments)


def _declared_annotators(declared: Declared, layer: str) -> Stock:
    return Stock(IN_SET, {"column": "annotator", "value_set": [*declared.roles]})


def _tagset_of_layer(declared: Declared, layer: str) -> Stock:
    allowed = [*declared.tagsets[layer], *([""] if layer in declared.unlabelled else [])]
    return Stock(IN_SET, {"column": "category", "value_set": allowed}, layer)


_TEXT = (
    "use one text for all exports, or correct the export whose text differs; if these are other "
    "documents of the same name, as tasks of two projects that were numbered independently, "
    "rename them"
)
_WHO = "add the annotator to [annotators] in the campaign file, or correct the name in the export"
_DELIVERED = (
    "neither the export nor the campaign file says which copy counts: give each source its "
    "`delivery` (a number or date), keep one copy, or number the copies as passes if the annotator "
    "annotated twice"
)
_OBJECT = "give one label that the distance of the layer can read"
_TAGSET = "add the category to the layer's categories, or correct the annotation"

RULES: tuple[Rule, ...] = (
    Rule("text_agrees", "documents", "a document has the same text in all its exports",
         "the text differs from that of another export", "document", _TEXT, _has_other_text,
         stock=_stock_in_set("text_differs", [False])),
    Rule("annotator_named", "assignments", "an assignment names its annotator",
         "no annotator", "annotator", "name one with `annotator` in the source",
         lambda rows, _: pc.equal(rows["annotator"], scalar("")), stock=_not_blank("annotator")),
    Rule("annotator_known", "assignments", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("role_known", "assignments", "a role is human, system, reference or audit",
         "unknown role", "role", "use human, system, reference or audit",
         lambda rows, _: _not_in(rows["role"], Role),
         stock=_stock_in_set("role", map(str, Role))),
    Rule("state_known", "assignments", "a state is one of the four states of absence",
         "unknown state", "state", f"use one of {', '.join(State)}",
         lambda rows, _: _not_in(rows["state"], State),
         stock=_stock_in_set("state", map(str, State))),
    Rule("text_agrees", "units", "the document of a unit has the same text in all its exports",
         "the document's text differs from that of another export", "document",
         _TEXT, _has_other_text, stock=_stock_in_set("text_differs", [False])),
    Rule("start_before_end", "units", "start < end",
         "start is not before end", "offsets",
         "correct the offsets (a unit must have a positive length)",
         lambda rows, _: pc.greater_equal(rows["start_offset"], rows["end_offset"]),
         stock=_greater("end_offset", "start_offset")),
    Rule("start_not_negative", "units", "start ≥ 0",
         "negative start", "start_offset", "correct the offsets",
         lambda rows, _: pc.less(rows["start_offset"], scalar(0)),
         stock=_between("start_offset", min_value=0)),
    Rule("inside_document", "units", "end ≤ length of the document",
         "end is after the end of the document", "end_offset",
         "correct the offsets, or check that this is the text that was annotated",
         lambda rows, _: pc.greater(rows["end_offset"], rows["document_length"]),
         stock=_greater("document_length", "end_offset", or_equal=True,
                        ignore_row_if="either_value_is_missing")),
    Rule("annotator_known", "units", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("category_in_tagset", "units", "categories are among those of the layer",
         "category not among the layer's categories", "category", _TAGSET, _outside_tagset,
         Scope.LAYERS_WITH_TAGSET, _tagset_of_layer),
    Rule("delivered_once", "units", "copies of an annotator's work on a document are equal",
         "the annotator's units in this document differ between files", "document", _DELIVERED,
         _conflicts, stock=_stock_in_set(CONFLICTS, [False])),
    Rule("unit_occurs_once", "units", "an annotator marks a unit once",
         "the same annotator already marked this unit", "offsets",
         "only the first of the two is measured; correct one of them if they were meant to "
         "differ", _is_repeated, stock=_between("occurrence", max_value=1)),
    Rule("text_agrees", "labels", "the document of a label has the same text in all its exports",
         "the document's text differs from that of another export", "document",
         _TEXT, _has_other_text, stock=_stock_in_set("text_differs", [False])),
    Rule("label_given", "labels", "a label row has a label",
         "no label", "item", "label the item, or leave the row out",
         _has_blank_label, stock=_not_blank("category")),
    Rule("annotator_known", "labels", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("label_in_tagset", "labels", "labels are among the layer's categories",
         "label not among the layer's categories", "category", _TAGSET, _any_outside_tagset,
         Scope.LAYERS_WITH_TAGSET, _tagset_of_layer),
    Rule("object_readable", "labels", "a label is an object that the layer's distance can read",
         "not an object that the layer's distance can read", "category", _OBJECT, _is_no_object,
         Scope.LAYERS_OF_OBJECTS),
    Rule("delivered_once", "labels", "copies of an annotator's label on an item are equal",
         "the annotator's labels on this item differ between files", "item", _DELIVERED,
         _conflicts, stock=_stock_in_set(CONFLICTS, [False])),
    Rule("label_occurs_once", "labels", "an annotator labels an item once per pass",
         "a second label of the same annotator on this item", "item",
         "only the first of the two is measured; keep one, or number them in a column `pass` if "
         "the item was labelled twice", _is_repeated,
         stock=_between("occurrence", max_value=1)),
    Rule("annotator_known", "relations", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("ends_accepted", "relations", "both units of a relation are accepted units",
         "one of its units is missing or was rejected", "ends",
         "correct the units that the relation joins",
         lambda rows, _: pc.invert(pc.and_(rows["from_known"], rows["to_known"]))),
)  # fmt: skip


def rules_of(table: str, further: Sequence[Rule] = ()) -> tuple[Rule, ...]:
    """Return the rules in the order in which they reject a row; `further` rules come last."""
    return tuple(rule for rule in (*RULES, *further) if rule.table == table)


def find_broken_rules(
    rules: Sequence[Rule], rows: pa.Table, declared: Declared
) -> tuple[NDArray[np.int64], list[Mask]]:
    """Return (index of the first rule that each row breaks, -1 for none; the mask of each rule)."""
    first = np.full(rows.num_rows, -1, dtype=np.int64)
    masks = [rule.broken_rows(rows, declared) for rule in rules]
    for number, mask in enumerate(masks):
        first[(first < 0) & mask] = number
    return first, masks
