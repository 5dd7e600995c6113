"""The column of a table of labels that has the text of each item, which disagreements show."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ...schema import LONGEST_ITEM_TEXT
from .cells import Cell, cell_text
from .column_names import is_remark_name
from .judgement_key import item_columns
from .layout import Layout
from .options import TableOptions

if TYPE_CHECKING:
    from ..base import SourceOptions
    from .column_facts import ColumnFacts
    from .meaning import TableMeaning

TEXT = "text"  # the column in `Columns.at`
_TEXT_NAME = re.compile(r"(?i:(.*[ _.-])?(text|sentence|tweet|post|utterance|message)s?)")
_OF_LIST = ("[", "{")
_KEPT = LONGEST_ITEM_TEXT + 1  # one more than is shown, so that a cut is seen


def with_item_texts(meaning: TableMeaning, options: SourceOptions) -> TableMeaning:
    """Return how a table is read with the column of the items' texts, if exactly one may be it.

    It has sentences, is used for nothing else, and nearly every item has one text. Whether an item
    has one in all rows is decided where it is shown.
    """
    columns, own = meaning.columns, options.of_format(TableOptions)
    if columns.layout not in (Layout.LONG, Layout.WIDE) or "item" not in columns.at:
        return meaning
    file, facts = meaning.file.with_facts()
    header = file.header
    used = {*columns.at.values(), *(k for k, _ in columns.across)}
    names = {*own.ignore, own.time, *meaning.item_parts}
    free = [k for k, name in enumerate(header) if k not in used and name not in names]
    found = [k for k in free if _are_texts_of(facts, k, item_columns(columns.at))]
    named = [k for k in found if _TEXT_NAME.fullmatch(header[k].strip())]
    chosen = named if len(found) > 1 else found
    meaning = replace(meaning, file=file)
    if len(chosen) != 1:
        return meaning
    name = header[chosen[0]]
    options.notes.use_column("item_texts", name)
    columns = replace(
        columns,
        at={**columns.at, TEXT: chosen[0]},
        ignored=tuple(one for one in columns.ignored if one != name),
    )
    return replace(meaning, columns=columns)


def _are_texts_of(facts: ColumnFacts, at: int, item: tuple[int, ...]) -> bool:
    name = facts.header[at].strip()
    is_remark = is_remark_name(name) and not _TEXT_NAME.fullmatch(name)
    if is_remark or not facts.has_sentences(at) or not facts.is_determined(at, item):
        return False
    return not any(one.lstrip().startswith(_OF_LIST) for one in facts.values(at))


def item_text(cell: Cell) -> str | None:
    """Return as much of a text as is kept; None for a missing cell."""
    return None if cell is None else cell_text(cell)[:_KEPT].encode("utf-8", "replace").decode()


def shortened_texts(cells: pa.Array) -> pa.Array:
    """Apply `item_text` to a column."""
    return pc.utf8_slice_codeunits(cells, 0, _KEPT)
