"""Sets of labels in numbered columns: `code 1`, `code 2` …, which rows fill from the first on."""

from __future__ import annotations

from collections.abc import Iterator

from .column_facts import ColumnFacts
from .column_fit import fit_of_name, named_columns
from .judgement_proposals import items_of_rows, may_be_annotator
from .other_shapes import families_of_sets
from .written_queries import query_of_sets


def sets_in_columns(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for the sets of labels of the annotators whom a column names, or stems do."""
    families = families_of_sets(facts)
    used = {k for own in families.values() for k in own}
    names = {stem: [facts.header[k] for k in own] for stem, own in families.items()}
    others = [k for k in named_columns(facts) if k not in used]
    annotators = [k for k in others if fit_of_name(facts, k, "annotator") > 0]
    if not annotators and all(map(facts.repeats, others)):
        annotators = [k for k in others if may_be_annotator(facts, k)]
        annotators = sorted(annotators, key=facts.n_values)[:1]
    if len(annotators) == 1:
        things = [k for k in others if k not in annotators and not facts.is_time(k)]
        for item in items_of_rows(facts, things, annotators[0]) if families else ():
            key = [facts.header[k] for k in item], facts.header[annotators[0]]
            yield from ({"query": query_of_sets(key[0], own, key[1])} for own in names.values())
    elif len(families) > 1 and len({*map(len, families.values())}) == 1:
        items = [k for k in others if facts.is_distinct(k)]
        items.sort(key=lambda k: -fit_of_name(facts, k, "item"))
        yield from ({"query": query_of_sets([facts.header[k]], names)} for k in items[:1])
