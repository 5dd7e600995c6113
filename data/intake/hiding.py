"""Replace or withhold names of annotators before any row enters the store.

Where the campaign file gives pseudonyms, rows carry these, and files are named by their numbers in
the source. In privacy mode an annotator without a pseudonym has no name at all, and a document,
batch, layer, item or category whose name contains the name of an annotator is rejected (of a
document, also a long word of the name; a number only if it is not one of a numbering): after
ingestion no name is known that could be written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from itertools import tee
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import Block, Rows
from ..errors import DataError
from ..schema import GOLD, UNDECLARED, UNNAMED_LAYER, Label, Record, Relation, Unit

WITHHELD = "(withheld)"  # shown for another name of an export in privacy mode
LONG_NAME = 5  # names of at least this length are also searched inside words
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(rf"[^\W\d_]{{{LONG_NAME},}}")  # a first name or surname in a longer name
_REFERRING = ("unit", "relation", "from_unit", "to_unit")
_SAYING = ("location", "source_offsets", "value", "message")
_NAMING = {
    "document": "documents",
    "batch": "batches",
    "layer": "layers",
    "item": "items",
    "category": "categories",
}


def pattern_of_names(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds any of the names, and the part of an address before the @.

    Case is ignored. A short name is found only as a whole word: `ann` is not in `annotation`.
    """
    parts = set()
    for name in {part for one in names for part in (one, one.partition("@")[0])}:
        if len(name) < 2:
            continue  # a single letter is not searched
        before, after = (
            r"(?<!\d)" if end.isdigit() else r"(?<![^\W\d_])" if len(name) < LONG_NAME else ""
            for end in (name[0], name[-1])
        )
        after = after.replace("?<!", "?!")
        parts.add(before + re.escape(name) + after)
    longest_first = sorted(parts, key=lambda part: (-len(part), part))
    return re.compile("|".join(longest_first), re.IGNORECASE) if parts else None


@dataclass(frozen=True, slots=True)
class Hiding:
    """What a campaign hides about its annotators.

    pseudonyms   name → the name shown instead
    shown        names that may be shown unchanged besides `GOLD`; None: all without a pseudonym
    declared     categories and layers of the campaign file, which may contain a name by chance
    is_private   whether no name, and no value or text of the export, may be kept
    tagsets      layer → its declared categories
    """

    pseudonyms: Mapping[str, str]
    shown: tuple[str, ...] | None = None
    declared: tuple[str, ...] = ()
    is_private: bool = False
    tagsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def name(self, annotator: str) -> str:
        if annotator in self.pseudonyms:
            return self.pseudonyms[annotator]
        is_known = self.shown is None or annotator in (*self.shown, GOLD)
        return annotator if is_known or not annotator else UNDECLARED

    def text(self, text: str) -> str:
        """Return the text with every name that has a pseudonym replaced."""
        pattern = pattern_of_names(self.pseudonyms)
        return text if pattern is None else pattern.sub(self.instead, text)

    def instead(self, found: re.Match[str]) -> str:
        """Return the replacement for a name that was found in a text."""
        said = found[0].casefold()
        for name, pseudonym in self.pseudonyms.items():
            if said in (name.casefold(), name.partition("@")[0].casefold()):
                return pseudonym
        return UNDECLARED


class PrivacyError(DataError):
    """A name of an annotator stands where it cannot be hidden; the message repeats no name."""


@dataclass(slots=True)
class _Seen:
    """Names in a source: its undeclared annotators, and its documents, batches and so on."""

    undeclared: set[str] = field(default_factory=set)
    naming: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in _NAMING})


def pseudonymised_rows(
    rows: Iterator[Rows], hiding: Hiding, files: Collection[str], number: int
) -> Iterator[Rows]:
    """Yield the rows of a source under pseudonyms, its files by number.

    files: the names of the source's files, in order. number: number of the source, from 1. Raises
    PrivacyError, after the last row, if a name must be rejected in privacy mode.
    """
    seen = _Seen()
    places = {name: f"source {number}, file {k}" for k, name in enumerate(files, 1)}
    patterns: dict[int, re.Pattern[str] | None] = {}  # by the number of undeclared names in it
    known: dict[str, str] = {}

    def source(text: str) -> str:
        inside = text
        while inside not in places and "/" in inside:  # a file in an archive
            inside = inside.rpartition("/")[0]
        return places.get(inside, f"source {number}") if text else ""

    def replaced(text: str, instead: Callable[[re.Match[str]], str]) -> str:
        n = len(seen.undeclared)
        if n not in patterns:
            patterns[n] = pattern_of_names([*hiding.pseudonyms, *seen.undeclared])
        pattern = patterns[n]
        return text if pattern is None else pattern.sub(instead, text)

    def referring(text: str) -> str:
        return replaced(text, hiding.instead)

    def saying(text: str) -> str:
        """Withhold numbers: `line A1` between `line 49` and `line 51` would say who A1 is."""
        return replaced(text, lambda hit: WITHHELD if hit[0].isdigit() else hiding.instead(hit))

    def annotator(text: str) -> str:
        if text not in known:
            known[text] = hiding.name(text)
            if known[text] == UNDECLARED:
                seen.undeclared.add(text)
        return known[text]

    # replace annotators first: other columns of a row may contain their names
    changes: dict[str, Callable[[str], str]] = {"annotator": annotator, "source": source}
    changes |= dict.fromkeys(_REFERRING, referring) | dict.fromkeys(_SAYING, saying)
    for row in rows:
        if isinstance(row, Block):
            yield _pseudonymised_block(row, changes, hiding, seen)
        else:
            _pseudonymise_fields(row, changes, hiding, seen)
            yield row
    if hiding.is_private:
        _refuse_names(seen, hiding, number)


def rows_without_names(rows: Iterator[Rows], hiding: Hiding, number: int) -> Iterator[Rows]:
    """Yield the rows of a source unchanged. Raises PrivacyError where `pseudonymised_rows` does."""
    unchanged, others = tee(rows)
    hidden = pseudonymised_rows(map(copy, others), hiding, (), number)
    for row, _ in zip(unchanged, hidden, strict=True):
        yield row


def _pseudonymise_fields(
    record: Record, changes: Mapping[str, Callable[[str], str]], hiding: Hiding, seen: _Seen
) -> None:
    columns = {one.name for one in fields(record)}
    for name, change in changes.items():
        if name in columns and getattr(record, name):
            setattr(record, name, change(getattr(record, name)))
    if hiding.is_private and isinstance(record, (Unit, Label, Relation)):
        _withhold_fields(record, hiding)
    for name in columns.intersection(_NAMING):
        seen.naming[name].add(getattr(record, name))
    if isinstance(record, Label):
        seen.naming["category"].update(record.labels)
    if isinstance(record, (Unit, Relation)):
        change = changes["value"]
        record.attributes = tuple((name, change(text)) for name, text in record.attributes)


def _pseudonymised_block(
    block: Block, changes: Mapping[str, Callable[[str], str]], hiding: Hiding, seen: _Seen
) -> Block:
    columns = block.rows.column_names
    for name, change in changes.items():
        if name in columns:
            encoded = block.rows[name].combine_chunks().dictionary_encode()
            texts = [text and change(text) for text in encoded.dictionary.to_pylist()]
            block = block.with_column(name, pa.array(texts, pa.string()).take(encoded.indices))
    if hiding.is_private and block.TABLE in ("units", "labels", "relations"):
        block = _with_values_withheld(block, hiding)
    for name in set(columns).intersection(_NAMING):
        seen.naming[name].update(block.rows[name].unique().to_pylist())
    if "labels" in columns:
        labels = block.rows["labels"].combine_chunks().flatten().unique()
        seen.naming["category"].update(labels.to_pylist())
    if "attributes" in columns:
        change, values = changes["value"], block.rows["attributes"]
        pairs: list[Any] = [
            [{"name": pair["name"], "value": change(pair["value"])} for pair in of_row]
            for of_row in values.to_pylist()
        ]
        block = block.with_column("attributes", pa.array(pairs, values.type))
    return block


def _withhold_fields(record: Unit | Label | Relation, hiding: Hiding) -> None:
    """Withhold what is typed in a row that is certainly rejected: its item and categories.

    Validation rejects rows of undeclared annotators and categories that a tagset lacks.
    """
    is_unknown = record.annotator == UNDECLARED
    tagset = None if is_unknown else _tagset_of(hiding, record.TABLE, record.layer)

    def shown(category: str) -> str:
        is_known = not is_unknown and (tagset is None or category in tagset)
        return category if is_known or not category else UNDECLARED

    if isinstance(record, Label):
        record.labels = tuple(map(shown, record.labels))
        record.item = UNDECLARED if is_unknown and record.item else record.item
    else:
        record.category = shown(record.category)


def _with_values_withheld(block: Block, hiding: Hiding) -> Block:
    """Do what `_withhold_fields` does to each row of a block."""
    layers = block.rows["layer"].combine_chunks()
    is_unknown = pc.equal(block.rows["annotator"].combine_chunks(), pa.scalar(UNDECLARED))
    if block.TABLE == "labels":
        lists = block.rows["labels"].combine_chunks()
        rows = pc.list_parent_indices(lists)
        values = _withheld(
            lists.flatten(), layers.take(rows), is_unknown.take(rows), block.TABLE, hiding
        )
        ends = np.cumsum([0, *pc.fill_null(pc.list_value_length(lists), 0).to_pylist()])
        made = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)
        block = block.with_column("labels", made.cast(lists.type))
        items = block.rows["item"].combine_chunks()
        hides = pc.and_(is_unknown, pc.fill_null(pc.not_equal(items, pa.scalar("")), False))
        return block.with_column("item", pc.if_else(hides, pa.scalar(UNDECLARED), items))
    categories = block.rows["category"].combine_chunks()
    return block.with_column(
        "category", _withheld(categories, layers, is_unknown, block.TABLE, hiding)
    )


def _withheld(
    categories: pa.Array, layers: pa.Array, is_unknown: pa.Array, table: str, hiding: Hiding
) -> pa.Array:
    is_hidden = is_unknown
    for layer in layers.unique().to_pylist():
        tagset = _tagset_of(hiding, table, layer)
        if tagset is not None:
            allowed = pc.is_in(categories, value_set=pa.array([*tagset, ""], categories.type))
            is_of_layer = pc.equal(layers, pa.scalar(layer))
            is_hidden = pc.or_(is_hidden, pc.and_(is_of_layer, pc.invert(allowed)))
    is_hidden = pc.and_(is_hidden, pc.fill_null(pc.not_equal(categories, pa.scalar("")), False))
    return pc.if_else(is_hidden, pa.scalar(UNDECLARED, categories.type), categories)


def _tagset_of(hiding: Hiding, table: str, layer: str) -> tuple[str, ...] | None:
    """Return the declared categories of a layer; None if it may have any."""
    if table not in UNNAMED_LAYER:
        return None
    return hiding.tagsets.get(layer or UNNAMED_LAYER[table])


def _refuse_names(seen: _Seen, hiding: Hiding, number: int) -> None:
    names_hidden = [*hiding.pseudonyms, *seen.undeclared]
    words = [word for name in names_hidden for word in _WORD.findall(name.partition("@")[0])]
    pattern, of_documents = (
        pattern_of_names(names_hidden),
        pattern_of_names([*names_hidden, *words]),
    )
    if pattern is None or of_documents is None:
        return
    for kind, names in seen.naming.items():
        searched = of_documents if kind == "document" else pattern  # `labels_by_smith.csv`
        bad = [one for one in names - set(hiding.declared) if one and searched.search(one)]
        bad = _without_numbering(bad, names, searched)
        if bad:
            raise PrivacyError(
                f"sources[{number - 1}]: names of {_NAMING[kind]} contain the name of an annotator "
                f"({len(bad)} of {len(names)}), which privacy = true does not allow: rename them "
                "in the export, or, if a category or layer has that name by coincidence, declare "
                "it in [layers]"
            )


def _without_numbering(
    found: Sequence[str], names: Collection[str], searched: re.Pattern[str]
) -> list[str]:
    """Return the names in which more than the number of an annotator was found by coincidence.

    A number is one of a numbering if most names of its form, such as `task 50`, have others:
    documents that are named after their annotators all have the number of one.
    """
    of_all, of_found = (Counter(_NUMBER.sub("0", one) for one in some) for some in (names, found))
    numbering = {form for form, n in of_found.items() if 2 * n < of_all[form]}
    return [
        one
        for one in found
        if _NUMBER.sub("0", one) not in numbering
        or not all(hit[0].isdigit() for hit in searched.finditer(one))
    ]
