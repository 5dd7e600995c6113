"""Annotations that coincide in what is measured and differ in another feature.

An annotator may mark a span twice with one category, each time with another value of a second
feature. For a measure of span and category that is one unit: the first stands for all of them, the
others are excluded, and relations to them lead to the first. Copies that differ in nothing stay:
validation reports them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ....schema import Excluded, ExclusionReason, Record, Relation, Unit


def without_coinciding(records: Iterable[Record]) -> Iterator[Record]:
    """The records of one document; relations come after the units that they join."""
    first: dict[tuple[Any, ...], Unit] = {}
    stands_for: dict[tuple[str, str], str] = {}
    for record in records:
        if isinstance(record, Unit):
            who = (record.annotator, record.pass_, record.layer)
            what = (record.start, record.end, record.category, record.fragments)
            known = first.setdefault((*who, *what), record)
            if known is not record and sorted(known.attributes) != sorted(record.attributes):
                stands_for[record.annotator, record.unit] = known.unit
                yield Excluded(
                    source=record.source,
                    where=record.where,
                    reason=ExclusionReason.COINCIDES,
                    document=record.document,
                    annotator=record.annotator,
                )
                continue
        elif isinstance(record, Relation):
            for end in ("from_unit", "to_unit"):
                name = getattr(record, end)
                setattr(record, end, stands_for.get((record.annotator, name), name))
        yield record
