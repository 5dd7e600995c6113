"""One annotator's work on one document, as the formats of one file per annotator give it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from data.readers.base import SourceOptions
from data.readers.common.records.steps import (
    assignment,
    finished_state,
    rejected,
    text_difference,
    text_document,
)
from data.readers.common.spans import Problem
from data.schema import Record, Rejected, Relation, Role, Unit


@dataclass(slots=True)
class Work:
    """`records` are its units, relations and refused rows; `document` what it is called."""

    text: str
    records: list[Record] = field(default_factory=list)
    document: str = ""

    @property
    def is_empty(self) -> bool:
        """Nothing was marked: no unit, not even a refused one."""
        return not self.records


def loose_work(
    work: Work, document: str, annotator: str, source: str, options: SourceOptions
) -> Iterator[Record]:
    """A file that stands alone: nobody says that its annotator has not finished.

    A file called CURATION_USER is INCEpTION's reference.
    """
    yield text_document(document, work.text, source, options)
    state = finished_state(empty=work.is_empty)
    role = role_of(annotator)
    yield assignment(document, annotator, state, source, options, role=role)
    yield from work.records


def role_of(annotator: str) -> Role:
    """INCEpTION and WebAnno call the curated document's annotator CURATION_USER."""
    return Role.REFERENCE if annotator == "CURATION_USER" else Role.HUMAN


def checked_against(work: Work, text: str) -> Iterator[Record]:
    """The work's records, all refused when its text is not the document's."""
    problem = text_difference(text, work.text)
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
