"""One annotator's work on one document, as the formats of one file per annotator give it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ....errors import DataError
from ....schema import Document, Record, Rejected, Relation, Role, Unit
from ...base import SourceOptions
from ..spans import Problem
from ..token_offsets import counts_tokens, in_tokens, token_document
from .coinciding import without_coinciding
from .steps import (
    assignment,
    finished_state,
    rejected,
    text_difference,
    text_document,
)


@dataclass(slots=True)
class Work:
    """`records` are its units, relations and refused rows; `document` what it is called.

    `tokens` are the places of the text's tokens, where the offsets of units count tokens.
    """

    text: str
    records: list[Record] = field(default_factory=list)
    document: str = ""
    tokens: Sequence[tuple[int, int]] | None = None

    @property
    def is_empty(self) -> bool:
        """Nothing was marked: no unit, not even a refused one."""
        return not self.records


def work_of(
    text: str,
    records: Iterable[Record],
    tokens: Callable[[], Sequence[tuple[int, int]]],
    document: str,
    source: str,
    options: SourceOptions,
) -> Work:
    """An annotator's work, with one unit where several coincide, in characters or in tokens.

    Raises DataError where tokens are to be counted and there are none.
    """
    made = list(without_coinciding(records))
    if not counts_tokens(options):
        return Work(text, made, document)
    places = tokens()
    if not places and text.strip():
        raise DataError(
            f"{source}: option offsets = 'token': the export has no tokens; use offsets=char"
        )
    return Work(text, list(in_tokens(made, places)), document, places)


def document_of(work: Work, document: str, source: str, options: SourceOptions) -> Document:
    """The document that the work is on."""
    if work.tokens is None:
        return text_document(document, work.text, source, options)
    return token_document(document, work.tokens, work.text, source, options)


def loose_work(
    work: Work, document: str, annotator: str, source: str, options: SourceOptions
) -> Iterator[Record]:
    """A file that stands alone: nobody says that its annotator has not finished.

    A file called CURATION_USER is INCEpTION's reference.
    """
    yield document_of(work, document, source, options)
    state = finished_state(empty=work.is_empty)
    role = role_of(annotator)
    yield assignment(document, annotator, state, source, options, role=role)
    yield from work.records


def role_of(annotator: str) -> Role:
    """INCEpTION and WebAnno call the curated document's annotator CURATION_USER."""
    return Role.REFERENCE if annotator == "CURATION_USER" else Role.HUMAN


def checked_against(work: Work, first: Work) -> Iterator[Record]:
    """The work's records, all rejected when its text (or its tokens) are not the first one's."""
    problem = text_difference(first.text, work.text)
    if problem is None and work.tokens != first.tokens:
        message = "this annotator's copy of the text has other tokens than that of the others"
        problem = Problem("text_differs", f"{len(work.tokens or ())} tokens", message)
    for record in work.records:
        if problem is None or not isinstance(record, Unit | Relation):
            yield record
        else:
            yield refusal_of(record, problem)


def refusal_of(record: Unit | Relation, problem: Problem) -> Rejected:
    """The refusal of a unit or relation that was well formed in itself."""
    return rejected(
        problem,
        source=record.source,
        where=record.where,
        table=record.TABLE,
        document=record.document,
        annotator=record.annotator,
    )
