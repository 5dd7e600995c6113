"""Labels on items as one array: the input of coefficients, resampling and label references."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.coded import Coded
from ..arrays import Flags, Ints, Ints32
from ..errors import MetricsError, RoleError
from .values_as_text import labels_as_text, names_as_text

HUMAN = "human"
_LOOKED_UP = 10_000  # whole numbers within this range are numbered by their difference
_EXACT = 2.0**53  # whole numbers up to this size are exact as float64
_BLOCK = 1 << 15  # numbers that are numbered together, in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMatrix:
    """Category codes of N items by A annotators.

    codes       int32 (N, A): index into `tagset`, -1 where the annotator gave no label
    tagset      K declared categories, used or not, in the order of the scale if there is one
    annotators  A names
    documents   int64 (N,): index of each item's document, or None without documents
    items       N names, or () if they are not needed
    roles       A roles (`human`, `system`, `reference`); agreement takes humans only
    n_duplicates  labels excluded because their annotator had already labelled the item
    members     bool (K, tags) if each category is a set of tags (see `label_sets`), or None
    tags        the names of these tags, or () if they are not needed
    memo        what was computed from the labels (`counts.count`)
    """

    codes: Ints32
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]
    documents: Ints | None = None
    items: Sequence[str] = ()
    roles: tuple[str, ...] = field(default=())
    n_duplicates: int = 0
    members: Flags | None = None
    tags: tuple[str, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes, dtype=np.int32)
        if codes.ndim != 2 or codes.shape[1] != len(self.annotators):
            raise MetricsError(
                f"codes have shape {codes.shape}; expected (items, {len(self.annotators)})"
            )
        if codes.size and (codes.min() < -1 or codes.max() >= len(self.tagset)):
            raise MetricsError(
                f"category codes must lie in -1..{len(self.tagset) - 1}, "
                f"found {int(codes.min())}..{int(codes.max())}"
            )
        if self.documents is not None and self.documents.shape != (codes.shape[0],):
            raise MetricsError(
                f"documents have shape {self.documents.shape}; expected ({codes.shape[0]},)"
            )
        if not self.roles:
            object.__setattr__(self, "roles", (HUMAN,) * len(self.annotators))
        elif len(self.roles) != len(self.annotators):
            raise MetricsError(f"{len(self.roles)} roles for {len(self.annotators)} annotators")
        object.__setattr__(self, "codes", codes)

    @property
    def n_items(self) -> int:
        return self.codes.shape[0]

    @property
    def n_annotators(self) -> int:
        return self.codes.shape[1]

    @property
    def n_labels(self) -> Ints:
        """Return the number of labels of each item, (N,)."""
        if "n_labels" not in self.memo:
            self.memo["n_labels"] = (self.codes >= 0).sum(axis=1)
        found: Ints = self.memo["n_labels"]
        return found

    @property
    def documents_to_resample(self) -> Ints | None:
        """Return `documents` if there are two or more, else None: intervals then resample items."""
        if self.documents is None or not (self.documents[1:] != self.documents[:1]).any():
            return None
        return self.documents

    def counts(self) -> Ints:
        """Return n_ik, int64 (N, K): how many annotators gave item i category k."""
        n_items, n_categories = self.codes.shape[0], len(self.tagset)
        rows, columns = np.nonzero(self.codes >= 0)
        flat = rows * n_categories + self.codes[rows, columns]
        return np.bincount(flat, minlength=n_items * n_categories).reshape(n_items, n_categories)

    def select_annotators(self, columns: Sequence[int]) -> LabelMatrix:
        """Return the same items with some of the annotators only."""
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[:, list(columns)]),
            annotators=tuple(self.annotators[a] for a in columns),
            roles=tuple(self.roles[a] for a in columns),
        )

    def select_items(self, kept: Flags) -> LabelMatrix:
        """Select the items where `kept`, bool (N,), is true."""
        return replace(
            self,
            codes=np.ascontiguousarray(self.codes[kept]),
            documents=None if self.documents is None else self.documents[kept],
            items=tuple(name for name, one in zip(self.items, kept, strict=False) if one),
        )

    def pair(self, a: int, b: int) -> LabelMatrix:
        """Return two annotators, by column, with the items that both labelled, without names.

        A pair is compared on these items alone, as Cohen (1960) defines κ: a label that the other
        annotator lacks does not enter chance either.
        """
        return replace(self, items=()).select_annotators((a, b)).complete()

    def complete(self) -> LabelMatrix:
        """Select the items that every annotator labelled."""
        return self.select_items(np.asarray((self.codes >= 0).all(axis=1)))

    def require_humans(self, measure: str) -> None:
        """Raise RoleError unless every annotator is human."""
        for name, role in zip(self.annotators, self.roles, strict=True):
            if role != HUMAN:
                raise RoleError(
                    f"{measure} compares annotators, but {name!r} is a {role}: score it against "
                    "a reference instead (`accordeur score`), or see whether it may replace an "
                    "annotator (`accordeur replace`). Chance-corrected agreement misjudges "
                    "systems: one with accuracy .25 gets κ .143, one with accuracy .50 gets κ 0."
                )


def label_matrix(
    *,
    items: Sequence[Any],
    annotators: Sequence[Any],
    labels: Sequence[Any],
    tagset: Sequence[Any] | None = None,
    documents: Sequence[Any] | None = None,
) -> LabelMatrix:
    """Build a matrix from one row per label: `annotators[r]` gave `items[r]` the label `labels[r]`.

    Labels are strings or numbers; None, NaN and pandas' NA mean no label. Names of items,
    annotators and documents are strings or whole numbers. Without a declared `tagset` it is the
    categories in use, sorted (numerically if all are numbers). With `documents`, an item is
    identified by (document, item). If an annotator labelled an item twice, the first label is kept
    and the others are counted in `n_duplicates`.

    Raises MetricsError for a label outside a declared tagset, and for an invalid label or name.
    """
    if not len(items) == len(annotators) == len(labels):
        raise MetricsError("items, annotators and labels must have the same number of rows")
    given = labels if isinstance(labels, Coded) else Coded.of(labels_as_text(labels))
    people = _coded_names(annotators, "annotator").sorted(sorted)
    of_items = _coded_names(items, "item")
    homes = None if documents is None else _coded_names(documents, "document").sorted(sorted)
    if tagset is None:
        coded = given.sorted(sort_categories)
    else:
        coded = given.only_texts(require_distinct(names_as_text(tagset, "category")))
        unknown = np.flatnonzero((given.codes >= 0) & (coded.codes < 0))
        if unknown.size:
            label, name, item = (
                one.texts[one.codes[unknown[0]]] for one in (given, people, of_items)
            )
            raise _unknown_label_error(label, coded.texts, name, item)
    rows, firsts = _numbered_items(of_items, homes)
    labelled = np.flatnonzero(coded.codes >= 0)[
        ::-1
    ]  # of several labels, the first is written last
    codes = np.full((firsts.size, len(people.texts)), -1, dtype=np.int32)
    codes[rows[labelled], people.codes[labelled]] = coded.codes[labelled]
    names = [of_items.texts[code] for code in of_items.codes[firsts]]
    if homes is not None:
        where = [homes.texts[code] for code in homes.codes[firsts]]
        names = [
            f"{home}/{item}" if home else item for home, item in zip(where, names, strict=True)
        ]
    return LabelMatrix(
        codes=codes,
        tagset=tuple(coded.texts),
        annotators=tuple(people.texts),
        documents=None if homes is None else homes.codes[firsts].astype(np.int64),
        items=tuple(names),
        n_duplicates=int(labelled.size - np.count_nonzero(codes >= 0)),
    )


def _coded_names(column: Sequence[Any], what: str) -> Coded:
    return column if isinstance(column, Coded) else Coded.of(names_as_text(column, what))


def _numbered_items(items: Coded, homes: Coded | None) -> tuple[Ints, Ints]:
    """Return the number of each row's item, and each item's first row; in order of first rows."""
    keys = items.codes.astype(np.int64)
    if homes is not None:
        keys += homes.codes * np.int64(len(items.texts))
        keys = np.unique(keys, return_inverse=True)[1]
    n_rows = keys.size
    first = np.full(int(keys.max(initial=-1)) + 1, n_rows, dtype=np.int64)
    first[keys[::-1]] = np.arange(n_rows)[::-1]  # the first row of each key is written last
    firsts = np.sort(first[first < n_rows])
    number = np.zeros(n_rows, dtype=np.int64)
    number[firsts] = np.arange(firsts.size)
    return number[first[keys]], firsts


def table_matrix(
    *,
    items_by_annotators: Sequence[Sequence[Any]] | None = None,
    annotators_by_items: Sequence[Sequence[Any]] | None = None,
    annotators: Sequence[Any] | None = None,
    items: Sequence[Any] = (),
    tagset: Sequence[Any] | None = None,
) -> LabelMatrix:
    """Build a matrix from a table with a row per item (`items_by_annotators`) or per annotator.

    Pass exactly one of the two, an array or a list of lists. Labels, names and `tagset` are as in
    `label_matrix`; annotators without names are numbered from 1. Raises MetricsError for rows of
    different lengths, and whatever `label_matrix` raises.
    """
    if (items_by_annotators is None) == (annotators_by_items is None):
        raise MetricsError(
            "give the table either as items_by_annotators (a row per item) or as "
            "annotators_by_items (a row per annotator)"
        )
    cells, shape = _cells_of(
        annotators_by_items if items_by_annotators is None else items_by_annotators
    )
    table = cells.codes.reshape(shape)
    table = table.T if items_by_annotators is None else table
    n_items, n_annotators = table.shape
    numbers = range(1, n_annotators + 1)
    who = names_as_text(numbers if annotators is None else annotators, "annotator")
    names = tuple(names_as_text(items, "item"))
    if names and len(names) != n_items:
        raise MetricsError(f"{len(names)} names for {n_items} items")
    if len(who) != n_annotators:
        raise MetricsError(f"{len(who)} names for {n_annotators} annotators")
    if tagset is None:
        declared = sort_categories(cells.texts_in_use())
    else:
        declared = require_distinct(names_as_text(tagset, "category"))
    codes = Coded(table, cells.texts).only_texts(declared).codes
    if tagset is not None and ((table >= 0) & (codes < 0)).any():
        i, a = np.argwhere((table >= 0) & (codes < 0))[0].tolist()
        label = cells.texts[table[i, a]]
        raise _unknown_label_error(label, declared, who[a], names[i] if names else str(i))
    return LabelMatrix(codes=codes, tagset=declared, annotators=tuple(who), items=names)


def _cells_of(table: Any) -> tuple[Coded, tuple[int, int]]:
    """Return the labels of a table, row after row, and the numbers of its rows and columns."""
    if isinstance(table, np.ndarray) and table.ndim == 2 and table.dtype.kind in "iuf":
        return _coded_numbers(table.ravel()), table.shape
    rows = [] if table is None else [list(row) for row in table]
    if len({len(row) for row in rows}) > 1:
        raise MetricsError(
            "the rows of the table differ in length: write None where there is no label"
        )
    cells = Coded.of(labels_as_text([cell for row in rows for cell in row]))
    return cells, (len(rows), len(rows[0]) if rows else 0)


def _coded_numbers(values: NDArray[np.number[Any]]) -> Coded:
    """Return an array of numbers as labels by number; NaN is no label."""
    numbered = _numbered_by_difference(values)
    if numbered is None:
        codes, given = np.full(values.size, -1, dtype=np.int32), values == values  # not NaN
        found, codes[given] = np.unique(values[given], return_inverse=True)
    else:
        found, codes = numbered
    return Coded(codes, [str(text) for text in labels_as_text(found.tolist())])


def _numbered_by_difference(
    values: NDArray[np.number[Any]],
) -> tuple[NDArray[np.number[Any]], Ints32] | None:
    """Return the different numbers, sorted, and which one each value is, -1 for NaN.

    None unless the numbers are whole and within a short range.
    """
    if not values.size:
        return None
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    first, last = float(low), float(high)
    if not (last - first < _LOOKED_UP and first > -_EXACT and last < _EXACT):  # also NaN
        return None
    codes, used = np.empty(values.size, dtype=np.int32), np.zeros(int(last - first) + 1, np.int64)
    for start in range(0, values.size, _BLOCK):
        block = values[start : start + _BLOCK].astype(np.float64)
        missing = block != block
        if not (missing | (block == np.floor(block))).all():
            return None
        block -= first
        block[missing] = -1
        codes[start : start + _BLOCK] = block
        used += np.bincount(codes[start : start + _BLOCK] + 1, minlength=used.size + 1)[1:]
    if not used.all():
        codes = np.append(np.cumsum(used > 0) - 1, -1).astype(np.int32)[codes]
    return np.flatnonzero(used) + low, codes


def _unknown_label_error(
    label: str, tagset: Sequence[str], annotator: str, item: str
) -> MetricsError:
    return MetricsError(
        f"label {label!r} of annotator {annotator!r} on item {item!r} is not one of the categories "
        f"({', '.join(tagset)}); add it to the categories or correct the label"
    )


def require_distinct(tagset: Sequence[str]) -> tuple[str, ...]:
    """Return the categories. Raises MetricsError for one that occurs twice."""
    seen: set[str] = set()
    for name in tagset:
        if name in seen:
            raise MetricsError(f"the category {name!r} occurs twice among the categories")
        seen.add(name)
    return tuple(tagset)


def sort_categories(found: set[str]) -> tuple[str, ...]:
    """Sort categories numerically if all are numbers, else alphabetically."""
    try:
        numbers = {name: float(name) for name in found}
    except ValueError:
        numbers = {}
    if not numbers or any(map(math.isnan, numbers.values())):
        return tuple(sorted(found))
    return tuple(sorted(found, key=lambda name: (numbers[name], name)))
