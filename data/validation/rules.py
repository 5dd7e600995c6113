"""The rules that a row must keep: each has a name, a table, messages and one Arrow predicate.

Everything else is derived from this declaration: the masks of `data.validation.preparation` and the
Great Expectations suite (`data.validation.checks`), which states a rule on the table's columns
where Great Expectations can (`Rule.stock`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from functools import cache
from typing import Any, Protocol, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import as_numpy, column, number_column, one_chunk, scalar
from ..label_sets import EMPTY
from ..schema import Role, State
from ..sentences import shorten
from .deliveries import CONFLICTS

Mask = NDArray[np.bool_]
Booleans: TypeAlias = pa.ChunkedArray | pa.Array
EXAMPLES = 5

KNOWN_AS = "known_as"
"""Column of a view: the annotator, or `AS_AUDIT` for one whose labels are an audit."""

AS_AUDIT = "\x1faudit"
"""Audits need no declaration: they enter no agreement, and `accordeur next` names who gives them.
No annotator has this name (`NAME_SEPARATOR`)."""


_LONGEST_VALUE = 120  # characters in a message


class Scope(Enum):
    """The rows that a rule applies to."""

    EVERY_ROW = "every row"
    LAYERS_WITH_TAGSET = "the rows of layers whose tagset is declared, stated once per layer"
    LAYERS_OF_OBJECTS = "the rows of layers whose labels are objects, stated once per layer"
    DECLARED_ANNOTATORS = "every row, where annotators are declared"


class ObjectReader(Protocol):
    """What reads the objects of a layer from its labels: a distance, which other layers know."""

    def problem(self, text: str) -> str:
        """Return why a text stands for no object, and what is expected; "" if it stands for one."""


@dataclass(frozen=True, slots=True)
class Declared:
    """Declarations of the campaign file that rows can break.

    `tagsets` maps a layer to its categories (other layers may have any category); `roles` maps
    declared annotators to roles (empty: anyone may annotate); `unlabelled` names the layers in
    which a unit may have no category; `trim` says whether units lose blanks and punctuation at
    their edges before the rules are applied (`trimming`); `objects` maps a layer whose labels are
    objects to what reads them; `deliveries` has the number of each source's delivery, None where
    none is declared.
    """

    tagsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    unlabelled: tuple[str, ...] = ()
    trim: bool = False
    objects: Mapping[str, ObjectReader] = field(default_factory=dict)
    deliveries: tuple[int | None, ...] = ()

    def category_like(self, name: str) -> str:
        """Return the declared category that is spelt like `name`; "" if none is.

        >>> Declared({"topic": ("politics", "sport")}).category_like("Sport ")
        'sport'
        """
        by_fold = {one.casefold(): one for tagset in self.tagsets.values() for one in tagset}
        near = get_close_matches(name.strip().casefold(), by_fold, n=1, cutoff=0.75)
        return by_fold[near[0]] if near else ""


@dataclass(frozen=True, slots=True)
class Stock:
    """An expectation of Great Expectations on columns of a table's view; `layer`: only its rows."""

    type: str
    arguments: Mapping[str, Any]
    layer: str = ""

    @property
    def columns(self) -> list[str]:
        """Return the columns that it reads."""
        named = [str(self.arguments[one]) for one in _COLUMNS if one in self.arguments]
        return [*named, "layer"] if self.layer else named


_COLUMNS = ("column", "column_A", "column_B")
_IN_SET = "expect_column_values_to_be_in_set"


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition that must hold for each row of `table`.

    `description` states the condition, `problem` its violation, and `advice` what to do; `column`
    names the value shown to users. `broken` is true where a row of the table's view
    (`data.validation.rule_views`) breaks the rule; null counts as kept. `stock` gives the
    expectation that states the rule, of a layer if the rule is stated once per layer.
    """

    name: str
    table: str
    description: str
    problem: str
    column: str
    advice: str
    broken: Callable[[pa.Table, Declared], Booleans]
    scope: Scope = Scope.EVERY_ROW
    stock: Callable[[Declared, str], Stock] | None = None

    def on_mask(self, layer: str) -> Stock:
        """Return the expectation that a column of booleans, named after the rule, is false."""
        name = f"{self.name} of {layer}" if layer else self.name
        return Stock(_IN_SET, {"column": name, "value_set": [False]})

    def described(self, layer: str) -> str:
        """Return the words of a statement of the rule; `layer` is "" for a rule of all layers."""
        return f"{self.description} (layer {layer})" if layer else self.description

    def message(self, value: str, declared: Declared, layer: str = "") -> str:
        """Return what is wrong with a row of a layer, and what to do.

        For a category, it says which may be meant; for an object, why it cannot be read.
        """
        meant = declared.category_like(str(value)) if self.advice == _TAGSET else ""
        shown = shorten(str(value), _LONGEST_VALUE) + (
            f"; did you mean “{meant}”?" if meant else ""
        )
        why = declared.objects[layer].problem(value) if self.advice == _OBJECT else ""
        return f"{self.problem} ({shown}): {why or self.advice}"

    def broken_rows(self, rows: pa.Table, declared: Declared) -> Mask:
        """Return which rows break the rule."""
        return as_numpy(self.broken(rows, declared))

    def by_layer(
        self, rows: pa.Table, mask: Mask, declared: Declared
    ) -> Iterator[tuple[str, Mask]]:
        """Yield (layer or "", rows that break the rule) for each statement of the rule."""
        for layer in self.statements(declared):
            of_layer = as_numpy(pc.equal(rows["layer"], scalar(layer))) if layer else True
            yield layer, mask & of_layer

    def statements(self, declared: Declared) -> list[str]:
        """Return the layers that the rule is stated for; [""] for a statement about all rows."""
        match self.scope:
            case Scope.LAYERS_WITH_TAGSET:
                return [*declared.tagsets]
            case Scope.LAYERS_OF_OBJECTS:
                return [*declared.objects]
            case Scope.DECLARED_ANNOTATORS if not declared.roles:
                return []
            case _:
                return [""]


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of a rule on one table (tagsets: of one layer), with up to five broken values."""

    rule: str
    table: str
    description: str
    passed: bool
    n_rows: int
    n_unexpected: int
    examples: tuple[str, ...] = field(default=())
    layer: str = ""  # for a rule that is stated once per layer
    severity: str = "critical"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.table, self.rule, self.description


def check_result(rule: Rule, rows: pa.Table, broken: Mask, layer: str) -> Checked:
    """Return the result of one statement of the rule, with examples."""
    values = rows[rule.column].take(number_column(np.flatnonzero(broken)[:EXAMPLES]))
    n = int(broken.sum())
    return Checked(
        rule.name,
        rule.table,
        rule.described(layer),
        n == 0,
        len(broken),
        n,
        tuple(str(value) for value in values.to_pylist()),
        layer,
    )


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


def _in_set(column: str, values: Iterable[object]) -> Callable[[Declared, str], Stock]:
    value_set = list(values)
    return lambda *_: Stock(_IN_SET, {"column": column, "value_set": value_set})


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
    return Stock(_IN_SET, {"column": "annotator", "value_set": [*declared.roles]})


def _tagset_of_layer(declared: Declared, layer: str) -> Stock:
    allowed = [*declared.tagsets[layer], *([""] if layer in declared.unlabelled else [])]
    return Stock(_IN_SET, {"column": "category", "value_set": allowed}, layer)


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
_TAGSET = "add the category to the layer's tagset, or correct the annotation"

RULES: tuple[Rule, ...] = (
    Rule("text_agrees", "documents", "a document has the same text in all its exports",
         "the text differs from that of another export", "document", _TEXT, _has_other_text,
         stock=_in_set("text_differs", [False])),
    Rule("annotator_named", "assignments", "an assignment names its annotator",
         "no annotator", "annotator", "name one with `annotator` in the source",
         lambda rows, _: pc.equal(rows["annotator"], scalar("")), stock=_not_blank("annotator")),
    Rule("annotator_known", "assignments", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("role_known", "assignments", "a role is human, system, reference or audit",
         "unknown role", "role", "use human, system, reference or audit",
         lambda rows, _: _not_in(rows["role"], Role), stock=_in_set("role", map(str, Role))),
    Rule("state_known", "assignments", "a state is one of the four states of absence",
         "unknown state", "state", f"use one of {', '.join(State)}",
         lambda rows, _: _not_in(rows["state"], State), stock=_in_set("state", map(str, State))),
    Rule("text_agrees", "units", "the document of a unit has the same text in all its exports",
         "the document's text differs from that of another export", "document",
         _TEXT, _has_other_text, stock=_in_set("text_differs", [False])),
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
    Rule("category_in_tagset", "units", "categories are in the layer's tagset",
         "category not in the layer's tagset", "category", _TAGSET, _outside_tagset,
         Scope.LAYERS_WITH_TAGSET, _tagset_of_layer),
    Rule("delivered_once", "units", "copies of an annotator's work on a document are equal",
         "the annotator's units in this document differ between files", "document", _DELIVERED,
         _conflicts, stock=_in_set(CONFLICTS, [False])),
    Rule("unit_occurs_once", "units", "an annotator marks a unit once",
         "the same annotator already marked this unit", "offsets",
         "only the first of the two is measured; correct one of them if they were meant to "
         "differ", _is_repeated, stock=_between("occurrence", max_value=1)),
    Rule("text_agrees", "labels", "the document of a label has the same text in all its exports",
         "the document's text differs from that of another export", "document",
         _TEXT, _has_other_text, stock=_in_set("text_differs", [False])),
    Rule("label_given", "labels", "a label row has a label",
         "no label", "item", "label the item, or leave the row out",
         _has_blank_label, stock=_not_blank("category")),
    Rule("annotator_known", "labels", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _is_undeclared, Scope.DECLARED_ANNOTATORS,
         _declared_annotators),
    Rule("label_in_tagset", "labels", "labels are in the layer's tagset",
         "label not in the layer's tagset", "category", _TAGSET, _any_outside_tagset,
         Scope.LAYERS_WITH_TAGSET, _tagset_of_layer),
    Rule("object_readable", "labels", "a label is an object that the layer's distance can read",
         "not an object that the layer's distance can read", "category", _OBJECT, _is_no_object,
         Scope.LAYERS_OF_OBJECTS),
    Rule("delivered_once", "labels", "copies of an annotator's label on an item are equal",
         "the annotator's labels on this item differ between files", "item", _DELIVERED,
         _conflicts, stock=_in_set(CONFLICTS, [False])),
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
