"""Tables with a row per relation between two ends that all annotators share, and their query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .column_facts import ColumnFacts
from .column_fit import fit_of_name, may_be_label, named_columns
from .known_shapes import Shape
from .written_queries import query_of_relations

_ENDS = (
    *(("head", "tail"), ("arg1", "arg2"), ("source", "target"), ("governor", "dependent")),
    *(("subject", "object"), ("subj", "obj"), ("parent", "child"), ("e1", "e2")),
    *(("entity1", "entity2"), ("anaphor", "antecedent")),
)
_CATEGORY = re.compile(r"rel(ation)?([ _.-]?(type|label|name))?|type|category|label", re.I)
_DOCUMENT = re.compile(r"(doc|document|text|file|sentence|abstract)([ _.-]?(id|name|no|nr))?", re.I)
_NONE = re.compile(r"(no|not|un|none|other|false|n/?a|0|-)([\W_]?(relat\w*|link\w*|edge))?", re.I)
_NOTE = (
    "An item is a pair of ends, which mean the same for all annotators; (none) is the label of an "
    "annotator who has rows in the document and drew no relation there. accordeur.relations in "
    "Python gives the mutual F, which ignores pairs without any."
)
_FEWEST_ALONE = 0.1  # share of pairs that one annotator alone linked
_MOST_EACH = 20  # annotators of a document


def ends_of_relations(facts: ColumnFacts) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the columns that are called like the two ends of a relation, if there are such."""
    names = {name.strip().casefold(): k for k, name in enumerate(facts.header)}
    for words in _ENDS:
        head, tail = (_columns_of_end(names, word) for word in words)
        if head and tail:
            return head, tail
    return None


def _columns_of_end(names: Mapping[str, int], word: str) -> tuple[int, ...]:
    bounds = [names[one] for side in ("start", "end") if (one := f"{word}_{side}") in names]
    if len(bounds) == 2:
        return tuple(bounds)
    return next(((names[one],) for one in (f"{word}_id", word) if one in names), ())


def relation_shape(facts: ColumnFacts) -> Shape | None:
    """Return the shape of a table of relations that annotators drew; None for another table.

    Its query gives a label for each pair of ends in a document. Where pairs were given to
    annotators, a column names them, a label says that nothing relates them, or nearly all pairs
    have each annotator.
    """
    ends = ends_of_relations(facts)
    left = [k for k in named_columns(facts) if k not in chain(*(ends or ()))]
    annotators = [k for k in left if fit_of_name(facts, k, "annotator") > 0]
    if ends is None or len(annotators) != 1 or not facts.n_rows:
        return None
    head, tail = ends
    left.remove(annotators[0])
    documents = [k for k in left if _DOCUMENT.fullmatch(facts.header[k].strip())][:1]
    called = [k for k in left if _CATEGORY.fullmatch(facts.header[k].strip())]
    categories = [k for k in called if may_be_label(facts, k)][:1]
    are_named = any(
        facts.n_values(k) < facts.n_rows
        and all(facts.is_determined(end, [k]) for end in head + tail)
        for k in left
    )
    is_none = any(_NONE.fullmatch(one.strip()) for k in categories for one in facts.values(k))
    of_pair = _n_annotators(facts, [*documents, *head, *tail], annotators[0])
    of_document = _n_annotators(facts, documents, annotators[0])
    are_few = 1 < of_document.max() <= _MOST_EACH
    if are_named or is_none or not are_few or (of_pair == 1).mean() < _FEWEST_ALONE:
        return None
    names = [[facts.header[k] for k in own] for own in (*ends, documents, annotators, categories)]
    query = query_of_relations(names[0], names[1], *("".join(own) for own in names[2:]))
    name = f"relations from {' + '.join(names[0])} to {' + '.join(names[1])}"
    return Shape(query, name, "table", (), query, note=_NOTE)


def _n_annotators(facts: ColumnFacts, group: Sequence[int], annotator: int) -> NDArray[np.int64]:
    """Return how many annotators have a row in each group."""
    groups = facts.codes(*group)
    first = np.unique(facts.codes(*group, annotator), return_index=True)[1]
    return np.bincount(groups[first])
