"""Small steps in making records: states, rejected rows, one text per document."""

from __future__ import annotations

from unicodedata import normalize

from ....annotator_names import role_of
from ....errors import DataError
from ....schema import Assignment, Document, OffsetUnit, Record, Rejected, Role, State
from ...base import SourceOptions
from ..files.text import sha256_of
from ..span_rules import Problem


def make_rejected(
    problem: Problem,
    *,
    source: str,
    location: str,
    table: str = "",
    document: str = "",
    annotator: str = "",
) -> Rejected:
    """Make the rejected row for a problem."""
    return Rejected(
        source=source,
        location=location,
        rule=problem.rule,
        value=problem.value[:500],
        message=problem.message,
        table_name=table,
        document=document,
        annotator=annotator,
    )


def reject_record(record: Record, problem: Problem) -> Rejected:
    """Make the rejected row for a record that is well formed by itself."""
    return make_rejected(
        problem,
        source=record.source,
        location=getattr(record, "location", ""),
        table=record.TABLE,
        document=record.document,
        annotator=getattr(record, "annotator", ""),
    )


def require_no_layers(name: str, options: SourceOptions) -> None:
    """Raise DataError when the source selects layers of a format that has none."""
    if options.layers:
        raise DataError(f"format {name!r} has no layers: remove `layers` from the source")


def finished_state(*, empty: bool) -> State:
    return State.FINISHED_EMPTY if empty else State.FINISHED


def make_document(
    name: str,
    source: str,
    options: SourceOptions,
    *,
    text: str | None = None,
    length: int = -1,
    offset_unit: str = OffsetUnit.CHAR,
    content: str = "",
) -> Document:
    """Make the record of a document, which a reader yields before what is in it, once or often.

    text     offsets are its code points; None: the export has no text
    length   of a document without text, in its unit; -1: not stated
    content  of a document without text, what tells it from others with the same name: the path of a
             picture, the tokens

    The hash of a text ignores trailing white space, where copies differ without effect on offsets.
    """
    if text is not None:
        length, offset_unit = len(text), OffsetUnit.CHAR
    sha256 = sha256_of(content if text is None else text.rstrip())
    if text is None and not content:
        sha256 = ""
    return Document(name, length, offset_unit, options.batch, source, sha256, text)


def make_assignment(
    document: str,
    annotator: str,
    state: State,
    source: str,
    options: SourceOptions,
    *,
    role: Role = Role.HUMAN,
    pass_: int = 1,
    time: str = "",
) -> Assignment:
    """Make an assignment; the role of the source in the campaign file overrides `role`."""
    return Assignment(
        document=document,
        annotator=annotator,
        role=options.role or role_of(annotator, role),
        pass_=pass_,
        state=state,
        source=source,
        time=time,
    )


def text_difference(expected: str, found: str) -> Problem | None:
    """Return `text_differs` when an annotator's copy of a document differs from the others."""
    if expected == found:
        return None
    if expected.replace("\r\n", "\n") == found.replace("\r\n", "\n"):
        how = "only the line endings differ, which shifts every offset after the first line"
    elif normalize("NFC", expected) == normalize("NFC", found):
        how = (
            "only the encoding of accented letters differs (é is one character in one copy, a "
            "letter and a combining accent in the other), which shifts every offset after the "
            "first difference"
        )
    else:
        at = next(
            (i for i, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b),
            min(len(expected), len(found)),
        )
        how = f"the first difference is at offset {at}"
    return Problem(
        "text_differs",
        f"{len(found)} code points",
        f"this annotator's copy of the text differs from the others': {how}",
    )
