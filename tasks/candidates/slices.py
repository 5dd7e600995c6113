"""Slices of the judged items: the values of each text in a column of the table, such as a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from ...data.errors import DataError
from ...data.joined_names import joined_name
from ...data.option_names import option
from ...data.readers.tables.column_names import listed_columns
from ...data.readers.tables.description import TableDescription
from ...data.readers.tables.given import Given, GivenTable
from ...data.readers.tables.joined_columns import named_columns
from ...data.readers.tables.reader import open_table
from ...metrics.arrays import Flags
from ...reports.results.judges import JudgeSlice
from .candidate_agreement import candidate_agreement
from .judge_scores import evaluate_scores, scores_by_system
from .judged_labels import JudgedLabels

MOST_SLICES = 40
Slices: TypeAlias = dict[tuple[str, str], str]
"""Text of a slice by (document, item); the document is "" if the file has no documents."""


def read_slices(
    paths: Given | Sequence[Given], tables: Sequence[TableDescription], column: str
) -> Slices:
    """Return the texts in the column.

    tables  what the tables were understood to be

    Raises DataError for a missing column, for rows without an item, and for an item with two texts.
    """
    found: Slices = {}
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    understood = {one.source: one for one in tables}
    for path in given:
        source, own = path.name, _columns_of(path, understood)
        if not own["item"]:
            raise DataError(f"{option('by', column)} is for tables whose items have names")
        header = open_table(path).header
        if column not in header:
            raise DataError(
                f"{option('by', column)}: {source} has no such column; the columns are "
                f"{listed_columns(header)}"
            )
        items = named_columns(own["item"], header) or [own["item"]]
        _add_texts(found, path, items, own.get("document"), column)
    return found


def read_slices_table(path: Path) -> Slices:
    """Return the texts of a table with the columns item, document if needed, and one other.

    Raises DataError for other columns, and for an item with two texts.
    """
    header = open_table(path).header
    others = [name for name in header if name not in ("item", "document")]
    if "item" not in header or len(others) != 1:
        raise DataError(
            f"{path.name}: slices need the column item, document if items have one, and one other "
            f"column, such as topic; the columns are {listed_columns(header)}"
        )
    found: Slices = {}
    _add_texts(found, path, ["item"], "document" if "document" in header else None, others[0])
    return found


def _add_texts(
    found: Slices, path: Given, items: Sequence[str], home: str | None, column: str
) -> None:
    opened = open_table(path)
    header = opened.header
    at, parts = header.index(column), [header.index(name) for name in items]
    for line, row in opened.rows():
        if not isinstance(row, list) or len(row) < len(header):
            continue  # the reader of the labels rejects it
        item = joined_name([str(row[k]) for k in parts])
        key = ("" if home is None else str(row[header.index(home)]), item)
        text = str(row[at] or "")
        if text and found.setdefault(key, text) != text:
            raise DataError(
                f"{option('by', column)}: {path.name} {line}: item {item} has {text!r} and "
                f"{found[key]!r}; a slice is a property of the item"
            )


def _columns_of(path: Given, understood: Mapping[str, TableDescription]) -> dict[str, str]:
    """Return the columns of item, "" if there is none, and of document."""
    if isinstance(path, GivenTable):
        return {"item": "item", **(path.options or {})}
    table = understood.get(path.name)
    return {"item": ""} if table is None else {"item": ",".join(table.item), **dict(table.more)}


def values_by_slice(
    judged: JudgedLabels, slices: Mapping[tuple[str, str], str]
) -> list[JudgeSlice]:
    """Return the scores and the candidate's coefficients on the items of each slice, in order.

    Raises DataError for more slices than a table can show.
    """
    keys = [judged.document_and_item(i) for i in range(judged.matrix.n_items)]
    own = np.array([slices.get(key, slices.get(("", key[1]), "")) for key in keys])
    names = sorted({*own.tolist()} - {""})
    if len(names) > MOST_SLICES:
        raise DataError(f"the column has {len(names)} texts; slices are at most {MOST_SLICES}")
    return [one for name in names for one in _of_slice(judged, name, own == name)]


def _of_slice(judged: JudgedLabels, name: str, where: Flags) -> list[JudgeSlice]:
    part = replace(
        judged, matrix=judged.matrix.select_items(where), reference=judged.reference[where]
    )
    scores = {one.system: one for one in scores_by_system(part, evaluate_scores(part))}
    candidates = candidate_agreement(
        part.resampled,
        part.systems,
        measures=judged.measures,
        distance=part.distance,
        sampling=part.sampling,
    )
    return [
        JudgeSlice(
            name=name,
            system=one.system,
            n_items=int(where.sum()),
            candidate=[each.mean for each in one.measures],
            scores=scores[one.system].values,
            categories=scores[one.system].categories,
        )
        for one in candidates
    ]
