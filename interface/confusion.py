"""The confusion matrix of two annotators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..metrics.agreement.label_matrix import table_matrix
from ..metrics.arrays import Ints
from ..metrics.errors import MetricsError
from ..reports.columns import Table, table_of_values
from .frames import Column, Kind, Labels, category_order, reading_with_order
from .keyword_options import public
from .label_matrices import names_of_lists, two_lists
from .label_tables import Annotators, label_table
from .reading import Data
from .result import Result


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(Result):
    """Number of items by the labels of two annotators.

    Attributes
    ----------
    categories
        The categories, in the order of the rows and of the columns.
    counts
        Counts of items, with the first annotator in rows.
    annotators
        The annotators of the rows and of the columns: the names of the series, if they have any.
    """

    categories: tuple[str, ...]
    counts: Ints
    annotators: tuple[str, str] = ("first", "second")
    _kind: Kind = "pandas"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.counts, dtype)

    def __getitem__(self, labels: tuple[Any, Any]) -> int:
        """Return the items with these labels of the first and the second annotator."""
        first, second = (self.categories.index(str(label)) for label in labels)
        return int(self.counts[first, second])

    def _columns(self) -> dict[str, list[Any]]:
        """A row for each category of the first annotator, who heads them, and a column for each."""
        first = self.annotators[0] if self.annotators[0] not in self.categories else "first"
        columns = {name: self.counts[:, k].tolist() for k, name in enumerate(self.categories)}
        return {first: list(self.categories), **columns}

    def plot(self, ax: Any = None) -> Any:
        """Draw the counts, and return the axes of matplotlib."""
        from .plots import plot_counts

        return plot_counts(self.categories, self.counts.tolist(), self.annotators, ax)

    def to_frame(self, kind: Kind | None = None) -> Any:
        """Return the counts as a data frame; of pandas, with the first annotator's as its index."""
        frame: Any = super().to_frame(kind)
        return frame.set_index(frame.columns[0]) if (kind or self._kind) == "pandas" else frame

    def _blocks(self) -> Iterable[str | Table]:
        first, second = self.annotators
        return [f"rows: {first}; columns: {second}", table_of_values(self._columns())]


@public()
def confusion_matrix(
    first: Data,
    second: Labels | None = None,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    categories: Sequence[Any] | None = None,
) -> ConfusionMatrix:
    """Count the items by the labels of two annotators, as two lists, arrays or series.

    Or ``first`` is a table of the labels of two annotators, whose columns are as for
    :func:`agreement`; ``annotator=["ann", "bob"]`` chooses two annotators.

    Returns
    -------
    ConfusionMatrix
        ``counts[j, k]`` is the number of items with the category j of the first annotator and k of
        the second; it is an array for NumPy. Items without one of the two labels are not counted.
    """
    from ..metrics.agreement.breakdown import confusion_between

    if second is None:
        from ..tasks.inputs.exported_labels import read_exported_labels

        given, kind = label_table(first, item, annotator, label, document)
        reading = reading_with_order(given, category_order(categories or (), first, label))
        table = read_exported_labels([given], reading).rows.matrix()
        if table.n_annotators != 2:
            raise MetricsError(
                f"a confusion matrix is of two annotators, and there are {table.n_annotators} "
                f"({', '.join(table.annotators[:8])}): give the rows of two, or two lists"
            )
        people = (table.annotators[0], table.annotators[1])
    else:
        table = table_matrix(annotators_by_items=two_lists(first, second), tagset=categories)
        people, kind = names_of_lists(first, second), _library_of(first)
    return ConfusionMatrix(tuple(table.tagset), confusion_between(table, 0, 1), people, kind)


def _library_of(given: Any) -> Kind:
    kind = type(given).__module__.partition(".")[0]
    return "polars" if kind == "polars" else "pyarrow" if kind == "pyarrow" else "pandas"
