"""Units of a text in indices of its tokens, for the option `offsets=token`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...errors import DataError
from ...schema import Document, OffsetUnit, Record, Relation, Unit
from ..base import SourceOptions
from .files.text import sha256_of
from .records.steps import rejected
from .spans import Problem

OFFSETS_OPTION = {
    "offsets": "what the units' offsets count: `char` (default) or `token` (the export's tokens)"
}


def counts_tokens(options: SourceOptions) -> bool:
    """Whether the option `offsets` asks for tokens. Raises DataError on its value."""
    offsets = options.extra.get("offsets", "char")
    if offsets not in ("char", "token"):
        raise DataError(f"option offsets = {offsets!r}: allowed are char, token")
    return offsets == "token"


def token_document(
    name: str, tokens: Sequence[tuple[int, int]], text: str, source: str, options: SourceOptions
) -> Document:
    """A document whose offsets are indices of its tokens; all annotators must have the same."""
    surfaces = "\n".join(text[start:end] for start, end in tokens)
    return Document(
        document=name,
        length=len(tokens),
        offset_unit=OffsetUnit.TOKEN,
        batch=options.batch,
        source=source,
        sha256=sha256_of(surfaces),
    )


def in_tokens(records: Iterable[Record], tokens: Sequence[tuple[int, int]]) -> Iterator[Record]:
    """The records with units from their first token to the one after their last.

    A unit that begins or ends inside a token, or between tokens, is rejected, and so is each
    relation to it.
    """
    starts = {start: k for k, (start, _) in enumerate(tokens)}
    ends = {end: k + 1 for k, (_, end) in enumerate(tokens)}
    lost: set[str] = set()
    for record in records:
        if isinstance(record, Unit):
            first, last = starts.get(record.start), ends.get(record.end)
            if first is None or last is None or first >= last:
                lost.add(record.unit)
                value = f"{record.start} {record.end}"
                message = (
                    "the unit does not begin and end where tokens do, as offsets=token needs: "
                    "leave the option out, or annotate whole tokens"
                )
                yield _rejected(record, Problem("not_on_tokens", value, message))
                continue
            record.start, record.end = first, last
        elif isinstance(record, Relation) and (away := {record.from_unit, record.to_unit} & lost):
            name = min(away)
            message = f"its unit {name} does not begin and end where tokens do"
            yield _rejected(record, Problem("rejected_unit", name, message))
            continue
        yield record


def _rejected(record: Unit | Relation, problem: Problem) -> Record:
    return rejected(
        problem,
        source=record.source,
        where=record.where,
        table=record.TABLE,
        document=record.document,
        annotator=record.annotator,
    )
