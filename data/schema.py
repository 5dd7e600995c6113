"""The tables of a campaign: records that readers yield, and Arrow schemas of the store.

| table | one row is |
|---|---|
| documents | a text, recording or film |
| assignments | an annotator's task on a document, and its state |
| labels | the category or categories that an annotator gave an item |
| units | a located span with a category |
| relations | a link between two units of one annotator (a coreference chain is a run of links) |
| rejected | a row that is invalid: nothing is dropped silently |
| excluded | valid rows that a reader read and did not emit, with the reason and their number |

Offsets are `[start_offset, end_offset)`, integers, in the document's own offset unit: Unicode code
points for text (`char`), milliseconds for audio and video (`ms`), token indices where there is no
text (`token`). `source_offsets` keeps the offsets as exported.

Records are not frozen, because frozen ones take three times as long to make and sources have
millions.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, TypeAlias

import pyarrow as pa

from .sentences import shorten

UNNAMED_LAYER = {"units": "units", "labels": "labels"}  # name of a layer without a name
SCHEMA_VERSION = (
    "3"  # version of all tables in a store: raise it when a column is renamed or changes meaning
)


NAME_SEPARATOR = "\x1f"
"""Between names that are joined to one key; no name may contain it."""

UNREADABLE_FILE = "unreadable_file"  # rule of the one rejected row of a file that cannot be read

LONGEST_ITEM_TEXT = 500  # characters that are shown of a text that is labelled as a whole

GOLD = "gold"
UNDECLARED = "(undeclared)"  # annotator whose name is withheld
"""Name in a queue of whoever gives the right labels of an audit, which has no annotator."""


class Role(StrEnum):
    """Who produced an annotation. Roles never mix: agreement uses humans only.

    An audit is right labels of a sample of items: it estimates the error of a reference, and is
    never one itself.
    """

    HUMAN = "human"
    SYSTEM = "system"
    REFERENCE = "reference"
    AUDIT = "audit"


NOT_HUMAN = (Role.SYSTEM, Role.REFERENCE, Role.AUDIT)


class State(StrEnum):
    """State of an annotator's work on a document. Measures use only the last two states."""

    NOT_ASSIGNED = "not_assigned"
    UNFINISHED = "unfinished"
    FINISHED_EMPTY = "finished_empty"
    FINISHED = "finished"


FINISHED_STATES = (State.FINISHED, State.FINISHED_EMPTY)


class Copy(StrEnum):
    """Which of two assignments with the same rows of the export counts these rows."""

    ORIGINAL = "original"  # its rows also serve as reference
    COPY = "copy"  # its rows are the original's, read again as the reference


class ExclusionReason(StrEnum):
    """Why valid rows enter no measure. Codes are stable: results and `--json` contain them."""

    CANCELLED = "cancelled"  # the annotator or the tool cancelled the annotation
    DRAFT = "draft"  # saved, not submitted
    REJECTED_TASK = "rejected_task"  # the annotator rejected the task or the suggested annotation
    IGNORED_TASK = "ignored_task"  # the annotator skipped the task
    TEST_QUESTION = "test_question"  # of a crowdsourcing platform, which knows the answer
    REJECTED_BY_PLATFORM = "rejected_by_platform"  # the platform rejected the annotator's work
    REVISED = "revised"  # another label of the annotator on the item counts (option `repeats`)
    EMPTY_ANSWER = "empty_answer"  # without a label or unit, read as missing (option `empty`)
    NOT_ANNOTATED = "not_annotated"  # a task or record that nobody annotated
    NOT_AN_ANNOTATOR = "not_an_annotator"  # of an initial copy, or of nobody (`nobodies`)
    OTHER_LAYER = "other_layer"  # a layer that was not chosen
    ZERO_LENGTH = "zero_length"  # markup without extent, which no measure of spans can use
    ATTRIBUTE = "attribute"  # an attribute, normalisation or note, which is kept with its unit
    COINCIDES = "coincides"  # equal in span and category to another unit of the annotator
    OTHER_VIEW = "other_view"  # on a different text of the same export
    BROKEN_TYPE = "broken_type"  # its type is not described, and the user chose to skip such types
    OTHER_KIND = "other_kind"  # labels, units or relations that the command does not measure
    SINGLE_ANNOTATOR = "single_annotator"  # no second annotator of the item or document
    INCOMPLETE_ITEM = "incomplete_item"  # on an item that not every annotator labelled
    UNFINISHED = "unfinished"  # the annotator did not finish the document
    LATER_PASS = "later_pass"  # noqa: S105 - a later annotation pass
    ANNOTATOR_EXCLUDED = "annotator_excluded"  # the user excluded the annotator
    DOCUMENT_EXCLUDED = "document_excluded"  # the user excluded the document
    ADAPTIVE = "adaptive"  # selected because it was informative, not at random (accordeur next)
    NOT_IN_BOTH = "not_in_both"  # compared with a second annotation that lacks the item or document
    NOT_PAIRED = "not_paired"  # a relation whose ends are not two of the compared places
    DELIVERED_AGAIN = "delivered_again"  # of a copy; the copy that counts is read from another file
    NO_REFERENCE = "no_reference"  # scored: the reference lacks the item or document


class OffsetUnit(StrEnum):
    CHAR = "char"
    MS = "ms"
    TOKEN = "token"  # noqa: S105


@dataclass(slots=True)
class Document:
    """`length` in the offset unit, -1 if unknown; `sha256` of the text (or of the file).

    In the store the hash is of the text without trailing white space, where tools differ without
    effect on offsets.
    """

    TABLE: ClassVar[str] = "documents"
    document: str
    length: int
    offset_unit: str = OffsetUnit.CHAR
    batch: str = ""
    source: str = ""
    sha256: str = ""
    text: str | None = None


@dataclass(slots=True)
class Assignment:
    """An annotator's task on a document. The empty `layer` stands for all layers of the source.

    `copy` is a `Copy`, or "" if every row occurs once. A reader yields the assignment of a copy
    before its rows.
    """

    TABLE: ClassVar[str] = "assignments"
    document: str
    annotator: str
    role: str = Role.HUMAN
    pass_: int = 1
    state: str = State.FINISHED
    source: str = ""
    time: str = ""  # ISO 8601 time of the last change, if the export has it
    layer: str = ""
    copy: str = ""
    seconds: str = ""  # seconds spent on the document, if the export has them


@dataclass(slots=True)
class Label:
    """`labels` has one entry, or for a multi-label item several or none; strings, as exported."""

    TABLE: ClassVar[str] = "labels"
    document: str
    item: str
    annotator: str
    labels: tuple[str, ...]
    layer: str = ""
    pass_: int = 1
    source: str = ""
    location: str = ""  # line or id in the source
    text: str | None = None  # the item's text in a table, cut if it is long; never published


@dataclass(slots=True)
class Unit:
    """`category` is "" for a unit without one; `fragments` ((start, end), …) if discontinuous."""

    TABLE: ClassVar[str] = "units"
    document: str
    annotator: str
    unit: str
    start_offset: int
    end_offset: int
    category: str = ""
    layer: str = ""
    pass_: int = 1
    fragments: tuple[tuple[int, int], ...] = ()
    source_offsets: str = ""
    attributes: tuple[tuple[str, str], ...] = ()  # notes, features: (name, value)
    surface: str | None = None  # the unit's text in the export, checked against the document's text
    source: str = ""
    location: str = ""


@dataclass(slots=True)
class Relation:
    """A directed link between two `unit` ids of the same annotator and document."""

    TABLE: ClassVar[str] = "relations"
    document: str
    annotator: str
    relation: str
    from_unit: str
    to_unit: str
    category: str = ""
    layer: str = ""
    pass_: int = 1
    attributes: tuple[tuple[str, str], ...] = ()
    source: str = ""
    location: str = ""


@dataclass(slots=True)
class Rejected:
    """One rejected row: its location, the rule that it broke, and the offending value.

    `rule` is a short stable name (`start_before_end`); `message` is a readable sentence.
    `table_name` is the table that the row would belong to, "" if unknown.
    """

    TABLE: ClassVar[str] = "rejected"
    source: str
    location: str
    rule: str
    value: str
    message: str
    table_name: str = ""
    document: str = ""
    annotator: str = ""

    def __post_init__(self) -> None:
        self.message = shorten(self.message)


def withheld_message(rule: str) -> str:
    """Return the message of a rejected row whose value is private."""
    return f"{rule} (value withheld)"


@dataclass(slots=True)
class Excluded:
    """Valid rows that a reader read and did not emit, such as drafts or unselected layers.

    A record stands for `n_rows` rows of the table `table_name` ("units", "labels" or "relations")
    and is not a row itself: row counts add `n_rows`. There is one record per annotation, file, or
    other part that the reader excludes as a whole. `reason` is an `ExclusionReason`.
    """

    TABLE: ClassVar[str] = "excluded"
    source: str
    location: str
    reason: str
    n_rows: int = 1
    table_name: str = Unit.TABLE
    document: str = ""
    annotator: str = ""


Record: TypeAlias = Document | Assignment | Label | Unit | Relation | Rejected | Excluded
RECORD_TYPES: tuple[type[Record], ...] = (
    Document,
    Assignment,
    Label,
    Unit,
    Relation,
    Rejected,
    Excluded,
)
TABLES: tuple[str, ...] = tuple(record.TABLE for record in RECORD_TYPES)

FRAGMENTS = pa.list_(pa.list_(pa.int64(), 2))
_PAIRS = pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))
_ARROW_TYPES: dict[str, pa.DataType] = {
    "length": pa.int64(),
    "start_offset": pa.int64(),
    "end_offset": pa.int64(),
    "pass_": pa.int32(),
    "n_rows": pa.int64(),
    "labels": pa.list_(pa.string()),
    "fragments": FRAGMENTS,
    "attributes": _PAIRS,
}


def column_name(field: str) -> str:
    """Return a record's field as a column name: `pass_` is the column `pass` (a Python keyword)."""
    return field.rstrip("_")


def _arrow_schema(record: type[Record]) -> pa.Schema:
    return pa.schema(
        [(column_name(f.name), _ARROW_TYPES.get(f.name, pa.string())) for f in fields(record)]
    )


SCHEMAS: dict[str, pa.Schema] = {record.TABLE: _arrow_schema(record) for record in RECORD_TYPES}
