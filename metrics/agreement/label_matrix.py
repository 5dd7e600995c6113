"""Labels on items as one array: what coefficients, resampling and label references take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError, RoleError

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class LabelMatrix:
    """Category codes of N items by A annotators.

    codes       int32 (N, A): index into `tagset`, -1 where the annotator gave no label
    tagset      K declared categories, used or not, in the order of the scale if there is one
    annotators  A names
    documents   int64 (N,): index of each item's document, or None when items are not in documents
    items       N names, or () when they do not matter
    roles       A roles (`human`, `system`, `reference`); agreement takes humans only
    n_duplicates  labels left out because their annotator had labelled the item before
    members     bool (K, tags) when each category is a set of tags (see `label_sets`), or None
    tags        the names of these tags, () where they do not matter
    """

    codes: NDArray[np.int32]
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]
    documents: NDArray[np.int64] | None = None
    items: Sequence[str] = ()
    roles: tuple[str, ...] = field(default=())
    n_duplicates: int = 0
    members: NDArray[np.bool_] | None = None
    tags: tuple[str, ...] = ()

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
    def drawn_documents(self) -> NDArray[np.int64] | None:
        """`documents` where there are two or more, else None: intervals then draw items."""
        if self.documents is None or np.unique(self.documents).size < 2:
            return None
        return self.documents

    def counts(self) -> NDArray[np.int64]:
        """n_ik, int64 (N, K): how many annotators gave item i category k."""
        n_items, n_categories = self.codes.shape[0], len(self.tagset)
        rows, columns = np.nonzero(self.codes >= 0)
        flat = rows * n_categories + self.codes[rows, columns]
        return np.bincount(flat, minlength=n_items * n_categories).reshape(n_items, n_categories)

    def require_humans(self, measure: str) -> None:
        """Raise RoleError unless every annotator is human."""
        for name, role in zip(self.annotators, self.roles, strict=True):
            if role != HUMAN:
                raise RoleError(
                    f"{measure} compares annotators, and {name!r} is a {role}: score it against a "
                    "reference instead (`accordeur score`). Chance-corrected agreement misjudges "
                    "systems: one with accuracy .25 gets κ .143, one with accuracy .50 gets κ 0."
                )


def label_matrix(
    items: Sequence[str],
    annotators: Sequence[str],
    labels: Sequence[str],
    *,
    tagset: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
) -> LabelMatrix:
    """A matrix from one row per label: `items[r]` got `labels[r]` from `annotators[r]`.

    Without a declared `tagset` the categories found are taken, sorted (numerically when all are
    numbers). An item is (document, item) when documents are given. When an annotator labelled an
    item twice the first label stays and the others are counted in `n_duplicates`.
    Raises MetricsError for a label outside a declared tagset.
    """
    if not len(items) == len(annotators) == len(labels):
        raise MetricsError("items, annotators and labels must have the same number of rows")
    if tagset is None:
        tagset = sorted_categories(set(labels))
    code_of = {category: k for k, category in enumerate(tagset)}
    column_of = {name: a for a, name in enumerate(sorted(set(annotators)))}
    homes = documents if documents is not None else ("",) * len(items)
    keys = list(zip(homes, items, strict=True))
    row_of = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    codes = np.full((len(row_of), len(column_of)), -1, dtype=np.int32)
    n_duplicates = 0
    for key, annotator, label in zip(keys, annotators, labels, strict=True):
        i, a = row_of[key], column_of[annotator]
        if label not in code_of:
            raise MetricsError(
                f"label {label!r} of annotator {annotator!r} on item {key[1]!r} is not in the "
                f"tagset ({', '.join(tagset)}); add it to the tagset or correct the label"
            )
        if codes[i, a] >= 0:
            n_duplicates += 1
        else:
            codes[i, a] = code_of[label]
    document_of = None
    if documents is not None:
        index = {name: d for d, name in enumerate(sorted(set(documents)))}
        document_of = np.array([index[key[0]] for key in row_of], dtype=np.int64)
    names = tuple(f"{document}/{item}" if document else item for document, item in row_of)
    return LabelMatrix(
        codes,
        tuple(tagset),
        tuple(column_of),
        documents=document_of,
        items=names,
        n_duplicates=n_duplicates,
    )


def sorted_categories(found: set[str]) -> tuple[str, ...]:
    """In numerical order when all are numbers, else in alphabetical order."""
    try:
        return tuple(sorted(found, key=float))
    except ValueError:
        return tuple(sorted(found))
