"""Tables that help the search for errors: verdicts on the labels of others, audited items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.readers.tables.given import Given
from ...data.readers.tables.reader import open_table
from ...metrics.references.label_list import LabelList
from ...metrics.references.mistakes import Audit, Judgments, Mistakes, find_mistakes
from ..layers import LayerSpec
from ..options import MistakeOptions

JUDGMENTS = ("item", "annotator", "label", "judge", "verdict")
AUDITED = ("item", "label")
_YES, _NO = ("1", "true", "yes", "accept", "accepted"), ("0", "false", "no", "reject", "rejected")
Items = Mapping[tuple[str, str], int]  # (document, item) → number


@dataclass(frozen=True, slots=True)
class Row:
    """A row of one of the tables; `where` is its file and line, for messages."""

    where: str
    document: str
    item: str
    label: str
    annotator: str = ""
    judge: str = ""
    is_accepted: bool = False


@dataclass(frozen=True, slots=True)
class Tables:
    """Verdicts and correct labels of one layer; None where there is no table."""

    verdicts: tuple[Row, ...] | None = None
    audited: tuple[Row, ...] | None = None


NO_TABLES = Tables()


def read_verdicts_and_audits(options: MistakeOptions) -> Tables:
    """Read the tables that the options name.

    Raises DataError for a missing file or column, and an unreadable verdict.
    """
    paths = (None if one is None else Path(one) for one in (options.judgments, options.audited))
    return read_given_verdicts_and_audits(*paths)


def read_given_verdicts_and_audits(judgments: Given | None, audited: Given | None) -> Tables:
    """Read tables of verdicts and of correct labels.

    Raises DataError as `read_verdicts_and_audits` does.
    """
    return Tables(
        None if judgments is None else tuple(_read_verdicts(judgments)),
        None if audited is None else tuple(row for row, _ in _read_rows(audited, AUDITED)),
    )


def read_verdicts_and_audits_of_campaign(
    options: MistakeOptions, layers: Sequence[LayerSpec], shown_as: Callable[[str], str]
) -> dict[str, Tables]:
    """Read the tables of a campaign, by layer of labels, with annotators as they are displayed.

    Raises DataError as `read_verdicts_and_audits` does, and unless exactly one layer has labels.
    """
    given = read_verdicts_and_audits(options)
    if given == NO_TABLES:
        return {}
    names = [layer.name for layer in layers if layer.is_labels]
    if len(names) != 1:
        raise DataError(
            "mistakes.judgments and mistakes.audited are for campaigns with one layer of labels; "
            f"this one has {', '.join(names) or 'none'}"
        )
    if given.verdicts is not None:
        shown = (
            replace(row, annotator=shown_as(row.annotator), judge=shown_as(row.judge))
            for row in given.verdicts
        )
        given = replace(given, verdicts=tuple(shown))
    return {names[0]: given}


@dataclass(frozen=True, slots=True)
class FoundMistakes:
    """Probabilities of errors in labels, with what they were computed from."""

    labels: LabelList
    mistakes: Mistakes
    judgments: Judgments | None
    n_audited: int


def find_with_judgments(
    labels: LabelList, items: Items, tables: Tables, distances: NDArray[np.float64] | None
) -> FoundMistakes:
    """Compute the probabilities of errors with the tables; audited items are known and have none.

    Raises DataError if a table names an annotation or an item that does not exist.
    """
    judgments = audit = None
    if tables.verdicts is not None:
        labels, judgments = _judgments(tables.verdicts, items, labels)
    if tables.audited is not None:
        audit = _audit(tables.audited, items, labels)
    found = find_mistakes(labels, distances=distances, judgments=judgments, audit=audit)
    if audit is not None:
        found.probability[audit.items] = np.nan
    return FoundMistakes(labels, found, judgments, 0 if audit is None else len(audit.items))


def _judgments(
    verdicts: Sequence[Row], items: Items, labels: LabelList
) -> tuple[LabelList, Judgments]:
    """Return the verdicts as arrays; the judges are added to the annotators of the labels."""
    names = list(labels.annotator_names)
    column = {name: a for a, name in enumerate(names)}
    code = {label: k for k, label in enumerate(labels.tagset)}
    known = set(
        zip(labels.items.tolist(), labels.annotators.tolist(), labels.codes.tolist(), strict=True)
    )
    item_of = _item_finder(items)
    rows = []
    for row in verdicts:
        annotation = (item_of(row), column.get(row.annotator, -1), code.get(row.label, -1))
        if annotation not in known:
            raise DataError(
                f"{row.where}: {row.annotator!r} did not give the label {row.label!r} to item "
                f"{row.item!r}: a verdict must be on an annotation of the export"
            )
        if row.judge not in column:
            column[row.judge] = len(names)
            names.append(row.judge)
        rows.append((*annotation, column[row.judge]))
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    accepted = np.array([row.is_accepted for row in verdicts], dtype=np.bool_)
    judged = Judgments(table[:, 0], table[:, 2], table[:, 1], table[:, 3], accepted)
    roles = labels.roles and (*labels.roles, *["human"] * (len(names) - len(labels.roles)))
    return replace(labels, annotator_names=tuple(names), roles=roles), judged


def _audit(audited: Sequence[Row], items: Items, labels: LabelList) -> Audit:
    """Return the right labels of items, one row each; an empty label means that none is right."""
    code = {label: k for k, label in enumerate(labels.tagset)}
    item_of = _item_finder(items)
    right: dict[int, set[int]] = {}
    for row in audited:
        found = right.setdefault(item_of(row), set())
        if row.label in code:  # labels that were never assigned have no effect
            found.add(code[row.label])
    table = np.zeros((len(right), len(labels.tagset)), dtype=np.bool_)
    for k, codes in enumerate(right.values()):
        table[k, list(codes)] = True
    return Audit(np.array(list(right), dtype=np.int64), table)


def _item_finder(items: Items) -> Callable[[Row], int]:
    """Return the function from a row to its item; without a document, the item of that name."""
    by_name: dict[str, list[int]] = {}
    for (_, item), number in items.items():
        by_name.setdefault(item, []).append(number)

    def number_of(row: Row) -> int:
        named = f"{row.document}, {row.item}" if row.document else row.item
        found = [] if row.document else by_name.get(row.item, [])
        if (row.document, row.item) in items:
            found = [items[row.document, row.item]]
        if len(found) > 1:
            raise DataError(
                f"{row.where}: {len(found)} documents have an item {named!r}: add the column "
                "document"
            )
        if not found:
            raise DataError(f"{row.where}: the export has no item {named!r}")
        return found[0]

    return number_of


def _read_verdicts(path: Given) -> Iterator[Row]:
    for row, cells in _read_rows(path, JUDGMENTS):
        verdict = cells["verdict"].strip().lower()
        if verdict not in (*_YES, *_NO):
            raise DataError(
                f"{row.where}: the verdict is {cells['verdict']!r}; give 1 or 0, yes or no"
            )
        yield replace(
            row,
            annotator=cells["annotator"],
            judge=cells["judge"],
            is_accepted=verdict in _YES,
        )


def _read_rows(path: Given, needed: Sequence[str]) -> Iterator[tuple[Row, dict[str, str]]]:
    if isinstance(path, Path) and not path.is_file():
        raise DataError(f"{path}: no such file")
    table = open_table(path)
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
        given = (cell if isinstance(cell, str) else "" for cell in row)
        cells = dict(zip(table.header, given, strict=False))
        yield Row(where, cells.get("document", ""), cells["item"], cells["label"]), cells
