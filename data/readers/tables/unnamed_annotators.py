"""What is asked of a table whose columns do not say who gave the labels, or of what they are."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...option_names import look_hint, option
from ...sentences import LONGEST
from .column_facts import ColumnFacts
from .column_fit import (
    best_columns,
    fit_of_name,
    may_be_annotator,
    may_be_label,
    named_columns,
)
from .column_names import listed_columns
from .written_queries import query_of_places

_FEWEST_ITEMS, _MOST_ROWS = 5, 5  # of an item
_MOSTLY = 0.95  # of the items


def sentence_on_unnamed_annotators(facts: ColumnFacts, path: Path) -> str:
    """Say which column names items with as many rows each, and what to add; "" if none does."""
    columns = named_columns(facts)
    if any(fit_of_name(facts, k, "annotator") > 0 for k in columns):
        return ""
    for item in best_columns(facts, columns, "item"):
        n_rows = np.bincount(facts.codes(item)) if facts.n_rows else np.array([0])
        usual = int(np.median(n_rows))
        if any(facts.unique_share(item, k) == 1 and facts.repeats(k) for k in columns):
            continue  # perhaps whose they are
        if facts.has_fractions(item):
            continue
        labels = [
            k
            for k in columns
            if k != item and may_be_label(facts, k) and not facts.is_determined(k, [item])
        ]
        is_item = len(n_rows) >= _FEWEST_ITEMS and 2 <= usual <= _MOST_ROWS
        if is_item and (n_rows == usual).mean() >= _MOSTLY and labels:
            name, label = (facts.header[k] for k in (item, best_columns(facts, labels, "label")[0]))
            options = (
                f"{option('query', shlex.quote(query_of_places(name)))} "
                f"{option('item', shlex.quote(name))} {option('label', shlex.quote(label))}"
            )
            command = f"accordeur agree {shlex.quote(str(path))} " if look_hint() else ""
            said = (
                f"{path.name}: each `{name}` has {usual} rows, and no column says whose they are: "
                "add one that does; or, if they are in one order, number them: "
            )
            is_short = len(said) + len(command) + len(options) < LONGEST - 20
            return f"{said}`{command if is_short else ''}{options}`"
    return ""


def question_on_columns(facts: ColumnFacts, path: Path, stated: Mapping[str, str]) -> str:
    """Ask for what cannot be seen of a table, with the command that answers: who, or of what."""
    columns = [k for k in named_columns(facts) if 1 < facts.n_values(k) < facts.n_rows]
    columns = [k for k in columns if not (facts.is_time(k) or facts.has_sentences(k))]
    few = [k for k in columns if may_be_annotator(facts, k)]
    called = [k for k in few if fit_of_name(facts, k, "annotator") > 0]
    who = stated.get("annotator", facts.header[called[0]] if len(called) == 1 else "")
    begin = f"accordeur look {shlex.quote(str(path))}"
    if who:
        things = listed_columns([facts.header[k] for k in columns if facts.header[k] != who])
        return (
            f"{path.name}: `{who}` seems to say who gave each label, and what it is of cannot be "
            f"seen. Name the column of the items, or those that identify one together (of "
            f"{things}): `{begin} --annotator {shlex.quote(who)} --item NAME,NAME`"
        )
    names = [facts.header[k] for k in few or columns]
    some = f" ({listed_columns(names)})" if names else ""
    return (
        f"{path.name}: who gave the labels cannot be seen. If a column says it{some}, name it: "
        f"`{begin} --annotator NAME`; if each annotator has a column, name these: "
        f"`{begin} --annotator FIRST,SECOND`"
    )
