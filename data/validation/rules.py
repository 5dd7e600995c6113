"""The rules a row must keep, each as a mask over an Arrow table.

`data.validation.checks` states the same rules as Great Expectations expectations: those judge,
these masks say which rows. The two counts are compared in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..schema import Role, State

Mask = NDArray[np.bool_]
_OF_TAGSETS = ("category_in_tagset", "label_in_tagset")
_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Declared:
    """What the campaign file declares, as far as rows can break it.

    `tagsets` maps a layer to its categories (a layer that is not there may have any); `roles` maps
    declared annotators to roles (empty: anyone may annotate); `unlabelled` names the layers in
    which a unit may have no category.
    """

    tagsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    unlabelled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """`broken` gives a mask over the rows of the table's view (see `data.validation.preparation`).

    `description` says what holds, `problem` what is wrong when it does not, `advice` what to do;
    `column` names the value shown to people.
    """

    name: str
    table: str
    description: str
    problem: str
    column: str
    advice: str
    broken: Callable[[pa.Table, Declared], Mask]


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule on one table (for tagsets, of one layer). `examples`: at most five broken values."""

    rule: str
    table: str
    description: str
    passed: bool
    n_rows: int
    n_unexpected: int
    examples: tuple[str, ...] = field(default=())
    layer: str = ""  # of a rule that is stated once a layer

    @property
    def key(self) -> tuple[str, str, str]:
        return self.table, self.rule, self.description


def describe(rule: Rule, layer: str) -> str:
    return f"{rule.description} (layer {layer})" if layer else rule.description


def checked(rule: Rule, rows: pa.Table, mask: Mask, declared: Declared) -> list[Checked]:
    """What the mask found: one entry, or one a declared tagset; none where nothing is declared."""
    if rule.name in _OF_TAGSETS:
        layers = np.asarray(rows["layer"].to_numpy(zero_copy_only=False), dtype=object)
        masks = {layer: mask & (layers == layer) for layer in declared.tagsets}
    elif rule.name == "annotator_known" and not declared.roles:
        masks = {}
    else:
        masks = {"": mask}
    found = []
    for layer, broken in masks.items():
        values = rows[rule.column].take(pa.array(np.flatnonzero(broken)[:_EXAMPLES]))
        examples = tuple(str(value) for value in values.to_pylist())
        n = int(broken.sum())
        found.append(
            Checked(
                rule.name, rule.table, describe(rule, layer), n == 0, len(mask), n, examples, layer
            )
        )
    return found


def _mask(array: pa.ChunkedArray | pa.Array) -> Mask:
    return np.asarray(pc.fill_null(array, False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def _start_before_end(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.greater_equal(rows["start"], rows["end"]))


def _not_negative(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.less(rows["start"], 0))


def _inside_document(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.greater(rows["end"], rows["document_length"]))


def _category_in_tagset(rows: pa.Table, declared: Declared) -> Mask:
    bad = np.zeros(rows.num_rows, dtype=np.bool_)
    for layer, tagset in declared.tagsets.items():
        allowed = [*tagset, ""] if layer in declared.unlabelled else list(tagset)
        known = pc.is_in(rows["category"], value_set=pa.array(allowed, pa.string()))
        bad |= _mask(pc.and_(pc.equal(rows["layer"], layer), pc.invert(known)))
    return bad


def _labels_in_tagset(rows: pa.Table, declared: Declared) -> Mask:
    flat = pa.table(
        {
            "parent": pc.list_parent_indices(rows["labels"].combine_chunks()),
            "category": pc.list_flatten(rows["labels"].combine_chunks()),
        }
    )
    layer = rows["layer"].combine_chunks().take(flat["parent"].combine_chunks())
    broken = _category_in_tagset(flat.append_column("layer", layer), declared)
    bad = np.zeros(rows.num_rows, dtype=np.bool_)
    bad[flat["parent"].to_numpy()[broken]] = True
    return bad


def _annotator_known(rows: pa.Table, declared: Declared) -> Mask:
    if not declared.roles:
        return np.zeros(rows.num_rows, dtype=np.bool_)
    known = pc.is_in(rows["annotator"], value_set=pa.array(list(declared.roles), pa.string()))
    return _mask(pc.invert(known))


def _annotator_named(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.equal(rows["annotator"], ""))


def _occurs_once(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.greater(rows["occurrence"], 1))


def _has_label(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(pc.equal(pc.list_value_length(rows["labels"]), 0))


def _role_known(rows: pa.Table, declared: Declared) -> Mask:
    return ~_mask(pc.is_in(rows["role"], value_set=pa.array([str(role) for role in Role])))


def _state_known(rows: pa.Table, declared: Declared) -> Mask:
    return ~_mask(pc.is_in(rows["state"], value_set=pa.array([str(state) for state in State])))


def _text_agrees(rows: pa.Table, declared: Declared) -> Mask:
    return _mask(rows["text_differs"])


def _ends_known(rows: pa.Table, declared: Declared) -> Mask:
    return ~_mask(pc.and_(rows["from_known"], rows["to_known"]))


_TEXT = "give the documents one text, or correct the export whose text differs"
_WHO = "add the annotator to [annotators] in the campaign file, or correct the name in the export"
_TAGSET = "add the category to the layer's tagset, or correct the annotation"

RULES: tuple[Rule, ...] = (
    Rule("text_agrees", "documents", "a document has one text in all its exports",
         "the text differs from that of another export", "sha256", _TEXT, _text_agrees),
    Rule("annotator_named", "assignments", "an assignment names its annotator",
         "no annotator", "annotator", "name one with `annotator` in the source", _annotator_named),
    Rule("annotator_known", "assignments", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _annotator_known),
    Rule("role_known", "assignments", "a role is human, system or reference",
         "unknown role", "role", "use human, system or reference", _role_known),
    Rule("state_known", "assignments", "a state is one of the four states of absence",
         "unknown state", "state", f"use one of {', '.join(State)}", _state_known),
    Rule("text_agrees", "units", "a unit points into the document's one text",
         "the document's text differs from that of another export", "document",
         _TEXT, _text_agrees),
    Rule("start_before_end", "units", "start < end",
         "start is not before end", "offsets",
         "correct the offsets (a unit of no length has no place)", _start_before_end),
    Rule("start_not_negative", "units", "start ≥ 0",
         "negative start", "start", "correct the offsets", _not_negative),
    Rule("inside_document", "units", "end ≤ length of the document",
         "end is after the end of the document", "end",
         "correct the offsets, or check that this is the text that was annotated",
         _inside_document),
    Rule("annotator_known", "units", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _annotator_known),
    Rule("category_in_tagset", "units", "categories are in the layer's tagset",
         "category not in the layer's tagset", "category", _TAGSET, _category_in_tagset),
    Rule("unit_occurs_once", "units", "an annotator marks a unit once",
         "the same unit of the same annotator once more", "offsets",
         "the first of them is measured; correct it if the two were meant to differ", _occurs_once),
    Rule("label_given", "labels", "a label row has a label",
         "no label", "item", "label the item, or leave the row out", _has_label),
    Rule("annotator_known", "labels", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _annotator_known),
    Rule("label_in_tagset", "labels", "labels are in the layer's tagset",
         "label not in the layer's tagset", "category", _TAGSET, _labels_in_tagset),
    Rule("label_occurs_once", "labels", "an annotator labels an item once a pass",
         "a second label of the same annotator on this item", "item",
         "keep one label, or number the passes", _occurs_once),
    Rule("annotator_known", "relations", "annotators are declared",
         "undeclared annotator", "annotator", _WHO, _annotator_known),
    Rule("ends_accepted", "relations", "both units of a relation are accepted units",
         "one of its units is missing or was refused", "ends",
         "correct the units that the relation joins", _ends_known),
)  # fmt: skip


def rules_of(table: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if rule.table == table)
