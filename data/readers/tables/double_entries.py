"""Records that two people entered, such as `7--1` and `7--2` in REDCap: each is an item."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .column_facts import ColumnFacts
from .column_fit import named_columns
from .column_names import is_remark_name
from .other_shapes import column_of_entries
from .written_queries import query_of_entries

_OF_EVENT = re.compile(r"redcap_(event_name|repeat_instrument|repeat_instance)")
_OF_FORM = re.compile(r"redcap_.*|.*_complete|.*_timestamp")


def double_entries(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for the fields of records that were entered twice."""
    record = column_of_entries(facts)
    if record is None:
        return
    others = [k for k in named_columns(facts) if k != record and facts.values(k)]
    key = [record, *(k for k in others if _OF_EVENT.fullmatch(facts.header[k]))]
    fields = [
        facts.header[k]
        for k in others
        if not (_OF_FORM.fullmatch(facts.header[k]) or facts.is_time(k))
        and not (facts.has_sentences(k) or is_remark_name(facts.header[k]))
    ]
    if fields:
        yield {"query": query_of_entries([facts.header[k] for k in key], fields)}
