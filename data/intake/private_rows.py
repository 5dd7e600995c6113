"""The one function through which each row goes in privacy mode, before anything is stored.

What remains of a row is where it was, who made it (`hiding` gives pseudonyms), its offsets and the
names of what is measured: documents, batches, layers, items and categories. Identifiers, which join
relations to units, become keyed hashes; whatever else an export says about a row is dropped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import datetime

import pyarrow as pa

from ..arrow_columns import repeated_column
from ..blocks import Block, Rows
from ..readers.common.span_rules import is_number
from ..schema import SCHEMAS, Record, withheld_message

_COUNTED = re.compile(r"(?:line|row|element|chain) \d{1,18}(?:, column \d{1,9})?|end of file")
_IDENTIFIERS = ("unit", "relation", "from_unit", "to_unit")
_Change = Callable[[str], str]


def private_rows(rows: Iterator[Rows], pseudonyms: Mapping[str, str]) -> Iterator[Rows]:
    """Yield the rows with only what is measured of them.

    pseudonyms: of the campaign's annotators. Their names are in no file that a run writes, so they
    are the key of the hashes of identifiers, which could be guessed otherwise.
    """
    changes = _changes(pseudonyms)
    for row in rows:
        if isinstance(row, Block):
            yield _private_block(row, changes)
        else:
            _make_private(row, changes)
            yield row


def _changes(pseudonyms: Mapping[str, str]) -> Mapping[str, _Change]:
    """Return what becomes of each column of text that is not kept unchanged."""
    key = hashlib.blake2b(repr(sorted(pseudonyms.items())).encode()).digest()

    def hashed(text: str) -> str:
        content = text.encode(errors="backslashreplace")
        return text and hashlib.blake2b(content, key=key, digest_size=8).hexdigest()

    return {
        **dict.fromkeys(_IDENTIFIERS, hashed),
        "location": lambda text: text if _COUNTED.fullmatch(text) else "",
        "source_offsets": lambda _: "",
        "time": lambda text: text if _is_time(text) else "",
        "seconds": lambda text: text if is_number(text) else "",
        "value": lambda _: "",
    }


_WITHOUT = {"text": None, "surface": None, "attributes": ()}


def _make_private(record: Record, changes: Mapping[str, _Change]) -> None:
    for name in (one.name for one in fields(record)):
        if name in _WITHOUT:
            setattr(record, name, _WITHOUT[name])
        elif name in changes:
            setattr(record, name, changes[name](getattr(record, name)))
        elif name == "message":
            setattr(record, name, withheld_message(getattr(record, "rule")))  # noqa: B009


def _private_block(block: Block, changes: Mapping[str, _Change]) -> Block:
    for name in SCHEMAS[block.TABLE].names:
        if name in _WITHOUT:
            kind = SCHEMAS[block.TABLE].field(name).type
            nothing = repeated_column(_WITHOUT[name], kind, len(block))
            block = block.with_column(name, nothing)
        elif name in changes:
            block = block.with_column(name, _changed(block.rows[name], changes[name]))
        elif name == "message":
            block = block.with_column(name, _changed(block.rows["rule"], withheld_message))
    return block


def _changed(texts: pa.ChunkedArray, change: _Change) -> pa.Array:
    encoded = texts.combine_chunks().dictionary_encode()
    changed = [text and change(text) for text in encoded.dictionary.to_pylist()]
    return pa.array(changed, pa.string()).take(encoded.indices)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
