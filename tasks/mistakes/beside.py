"""Additional tables of an export: annotators' verdicts on other labels, and audited items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.readers.tables.reader import open_rows
from ...metrics.reference.label_list import LabelList
from ...metrics.reference.mistakes import Audit, Judgments

JUDGMENTS = ("item", "annotator", "label", "judge", "verdict")
AUDITED = ("item", "label")
_YES, _NO = ("1", "true", "yes", "accept", "accepted"), ("0", "false", "no", "reject", "rejected")
Items = Mapping[tuple[str, str], int]  # (document, item) → number


def read_judgments(path: Path, items: Items, labels: LabelList) -> tuple[LabelList, Judgments]:
    """Read the verdicts of a table; the judges are added to the annotators of the labels.

    Raises DataError for a missing column, an unreadable verdict, or an annotation that is not in
    the export.
    """
    names = list(labels.annotator_names)
    column = {name: a for a, name in enumerate(names)}
    code = {label: k for k, label in enumerate(labels.tagset)}
    known = set(
        zip(labels.items.tolist(), labels.annotators.tolist(), labels.codes.tolist(), strict=True)
    )
    rows, accepted = [], []
    for where, row in _read_rows(path, JUDGMENTS):
        number = _item_index(row, items, where)
        annotation = (number, column.get(row["annotator"], -1), code.get(row["label"], -1))
        if annotation not in known:
            raise DataError(
                f"{where}: {row['annotator']!r} did not give the label {row['label']!r} to item "
                f"{row['item']!r}: a verdict must be on an annotation of the export"
            )
        verdict = row["verdict"].strip().lower()
        if verdict not in (*_YES, *_NO):
            raise DataError(f"{where}: the verdict is {row['verdict']!r}; give 1 or 0, yes or no")
        if row["judge"] not in column:
            column[row["judge"]] = len(names)
            names.append(row["judge"])
        rows.append((*annotation, column[row["judge"]]))
        accepted.append(verdict in _YES)
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    judged = Judgments(
        table[:, 0], table[:, 2], table[:, 1], table[:, 3], np.array(accepted, dtype=np.bool_)
    )
    roles = labels.roles and (*labels.roles, *["human"] * (len(names) - len(labels.roles)))
    return (
        LabelList(
            labels.items, labels.annotators, labels.codes, labels.n_items, tuple(names),
            labels.tagset, roles=roles,
        ),
        judged,
    )  # fmt: skip


def read_audited(path: Path, items: Items, labels: LabelList) -> Audit:
    """Read the correct labels of items from a table with one row for each correct label.

    An empty label means that no label of the item is correct. Raises DataError for a missing column
    or an item that is not in the export.
    """
    code = {label: k for k, label in enumerate(labels.tagset)}
    right: dict[int, set[int]] = {}
    for where, row in _read_rows(path, AUDITED):
        found = right.setdefault(_item_index(row, items, where), set())
        if row["label"] in code:  # labels that were never assigned have no effect
            found.add(code[row["label"]])
    table = np.zeros((len(right), len(labels.tagset)), dtype=np.bool_)
    for k, codes in enumerate(right.values()):
        table[k, list(codes)] = True
    return Audit(np.array(list(right), dtype=np.int64), table)


def _item_index(row: Mapping[str, str], items: Items, where: str) -> int:
    key = (row.get("document", ""), row["item"])
    if key not in items:
        named = f"{key[0]}, {key[1]}" if key[0] else key[1]
        raise DataError(f"{where}: the export has no item {named!r}")
    return items[key]


def _read_rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    table = open_rows(path)
    missing = [name for name in needed if name not in table.header]
    if missing:
        raise DataError(
            f"{path}: the column {missing[0]} is missing; the columns are {', '.join(needed)} and, "
            "where the export has documents, document"
        )
    for location, row in table.rows():
        where = f"{path.name} {location}"
        if not isinstance(row, list):
            raise DataError(f"{where}: not a row of the table")
        cells = (cell if isinstance(cell, str) else "" for cell in row)
        yield where, dict(zip(table.header, cells, strict=False))
