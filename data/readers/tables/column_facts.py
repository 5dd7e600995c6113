"""Facts of the columns of a table, from its first rows: how their values repeat and depend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...arrow_columns import codes_and_values, number_column, scalar
from ..common.span_rules import is_number
from .cells import text_column

_SCALE = 20  # more different numbers are measurements
_MOSTLY = 0.98
_DATE = re.compile(
    r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([T ,].*)?|[0-9]{1,2}:[0-9]{2}(:[0-9.,]+)?.*"
)
_DATE_NAME = re.compile(
    r"(?i:.*(\b|_)(date|datum|time|times?tamp|heure|zeit|day|jour|tag)(\b|_).*)"
    r"|\w*(Date|Time|Day)(At)?|.*_at"
)

_NUMBERED = re.compile(r"([^0-9]{0,20})([0-9]{1,12})(\.0)?")
_FEWEST_ROWS = 3
_FEWEST_ITEMS = 5  # with several rows
_FEWEST_BLANKS = 4  # in a cell on average, of a column of texts
_EVEN = 0.5  # of what independent draws of values give

Codes: TypeAlias = NDArray[np.int64]


@dataclass(slots=True)
class ColumnFacts:
    """The first rows of a table by column, coded once; positions name the columns.

    header   names of the columns
    columns  Arrow arrays of texts, equally long; null or "" where a cell is empty
    is_whole whether these are all rows of the table
    """

    header: Sequence[str]
    columns: Sequence[pa.Array]
    is_whole: bool = False
    _cells: dict[int, list[str | None]] = field(default_factory=dict)
    _codes: dict[tuple[int, ...], Codes] = field(default_factory=dict)

    @staticmethod
    def of_cells(
        header: Sequence[str], cells: Sequence[Sequence[str]], missing: str = ""
    ) -> ColumnFacts:
        """Return the facts of columns of texts, in which `missing` is an empty cell, too."""
        columns = [["" if cell == missing else cell for cell in one] for one in cells]
        return ColumnFacts(header, [*map(text_column, columns)])

    @property
    def n_rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def of_rows(self, kept: NDArray[np.bool_]) -> ColumnFacts:
        rows = number_column(np.flatnonzero(kept))
        columns = [cells.take(rows) for cells in self.columns]
        return ColumnFacts(self.header, columns, self.is_whole)

    def with_numbered_columns(self) -> ColumnFacts:
        """Return the facts of a table whose first line is data: its columns are named 1, 2, 3 …"""
        columns = [
            pa.concat_arrays([pa.array([name], pa.string()), column])
            for name, column in zip(self.header, self.columns, strict=True)
        ]
        return ColumnFacts([str(k + 1) for k in range(len(columns))], columns, self.is_whole)

    def of_distinct_rows(self) -> ColumnFacts:
        """Return the facts without rows that are equal to an earlier one in all columns."""
        rows = np.zeros(self.n_rows, dtype=np.int64)
        for k in range(len(self.columns)):
            if int(rows.max(initial=-1)) + 1 < self.n_rows:
                rows = _joined(rows, self.codes(k))
        _, first = np.unique(rows, return_index=True)
        kept = np.zeros(self.n_rows, dtype=bool)
        kept[first] = True
        return self if kept.all() else self.of_rows(kept)

    def cells(self, at: int) -> list[str | None]:
        """Return the cells of a column."""
        if at not in self._cells:
            self._cells[at] = self.columns[at].to_pylist()
        return self._cells[at]

    def codes(self, *at: int) -> Codes:
        """Return a number for each row, equal where all of these columns are equal."""
        if at not in self._codes:
            self._codes[at] = self._coded(at)
        return self._codes[at]

    def _coded(self, at: tuple[int, ...]) -> Codes:
        if not at:
            return np.zeros(self.n_rows, dtype=np.int64)
        if len(at) == 1:
            return codes_and_values(pc.fill_null(self.columns[at[0]], scalar("")))[0]
        return _joined(self.codes(*at[:-1]), self.codes(at[-1]))

    def n_values(self, *at: int) -> int:
        """Return how many different values, or combinations of values, there are."""
        return int(self.codes(*at).max(initial=-1)) + 1

    def values(self, at: int) -> list[str]:
        """Return the different values of a column that are not empty."""
        return [one for one in dict.fromkeys(self.cells(at)) if one]

    def given(self, at: int) -> list[str]:
        """Return the cells of a column that are not empty."""
        return [one for one in self.cells(at) if one]

    def texts(self, at: int) -> list[str]:
        """Return the cells of a column, "" where one is empty."""
        return [one or "" for one in self.cells(at)]

    def is_distinct(self, at: int) -> bool:
        """Whether there is another value in each row, of three or more."""
        return self.n_rows >= _FEWEST_ROWS and len(self.values(at)) == self.n_rows

    def repeats(self, at: int) -> bool:
        """Whether values occur twice on average, as labels do."""
        return 2 * len(self.values(at)) <= len(self.given(at)) + 1

    def is_numeric(self, at: int) -> bool:
        """Whether all cells that are not empty are numbers, of which there is one at least."""
        return bool(self.values(at)) and all(map(is_number, self.values(at)))

    def has_fractions(self, at: int) -> bool:
        """Whether all cells are numbers, some with decimals: measurements, which name nothing."""
        return self.is_numeric(at) and any(float(one) % 1 for one in self.values(at))

    def has_sentences(self, at: int) -> bool:
        """Whether cells have several words on average."""
        return sum(cell.count(" ") for cell in self.given(at)) >= _FEWEST_BLANKS * self.n_rows

    def numbers_of_names(self, at: int) -> list[int] | None:
        """Return the numbers of names such as `d1` or `12`; None if a cell is no such name."""
        parts = [_NUMBERED.fullmatch(cell) for cell in self.texts(at)]
        return [int(part[2]) for part in parts if part] if all(parts) else None

    def is_consecutive(self, at: int) -> bool:
        """Whether a column numbers its rows (1, 2, 3 or d1, d2, d3), in any order."""
        numbers = self.numbers_of_names(at)
        prefixes = {cell.rstrip(".0123456789") for cell in self.values(at)}
        if not numbers or len(prefixes) > 1:
            return False
        return sorted(numbers) == [*range(min(numbers), min(numbers) + len(numbers))]

    def counts_rows(self, at: int) -> bool:
        """Whether a column counts the rows, in their order, from 0 or 1."""
        rows = range(self.n_rows)
        return any(self.texts(at) == [str(k + first) for k in rows] for first in (0, 1))

    def unique_share(self, *at: int) -> float:
        """Return the share of the rows that would be left with one row per combination."""
        return self.n_values(*at) / self.n_rows if self.n_rows else 1.0

    def is_determined(self, column: int, by: Sequence[int]) -> bool:
        """Whether nearly all combinations of `by` have one value of the column only."""
        return self.determined_share(column, by) > _MOSTLY

    def determined_share(self, column: int, by: Sequence[int]) -> float:
        """Return the share of the combinations of `by` that have one value of the column only."""
        groups = self.codes(*by)
        _, first = np.unique(self.codes(*by, column), return_index=True)
        per_group = np.bincount(groups[first], minlength=self.n_values(*by))
        return float((per_group <= 1).mean()) if len(per_group) else 1.0

    def is_constant_within(self, column: int, item: Sequence[int]) -> bool:
        """Whether a column differs between items and never within one, of which some have rows."""
        sizes = np.bincount(self.codes(*item))
        return (
            int((sizes > 1).sum()) >= _FEWEST_ITEMS
            and self.n_values(column) > 1
            and self.n_values(*item, column) == self.n_values(*item)
        )

    def is_continuous(self, at: int) -> bool:
        """Whether a column has measurements: mostly numbers, of many values."""
        values = self.values(at)
        return len(values) > _SCALE and sum(map(is_number, values)) >= 0.95 * len(values)

    def is_time(self, at: int) -> bool:
        """Whether a column has dates or times, by its values or its name."""
        values = self.values(at)
        if _DATE_NAME.fullmatch(self.header[at].strip()):
            return True
        return bool(values) and all(_DATE.fullmatch(one.strip()) for one in values)

    def is_even_within(self, column: int, item: Sequence[int]) -> bool:
        """Whether items have the values of a column more evenly than independent draws would.

        Pearson's statistic of items by values is below half of its degrees of freedom.
        """
        groups, values = self.codes(*item), self.codes(column)
        joint = self.codes(*item, column)
        _, first, counts = np.unique(joint, return_index=True, return_counts=True)
        expected = np.bincount(groups)[groups[first]] * np.bincount(values)[values[first]]
        freedom = (self.n_values(*item) - 1) * (self.n_values(column) - 1)
        if not freedom:
            return False
        ratio = self.n_rows * (float((counts**2 / expected).sum()) - 1) / freedom
        return ratio < min(_EVEN, 1 - 5 * float(np.sqrt(2 / freedom)))

    def counts_within(self, groups: Codes, at: int) -> bool:
        """Whether the column numbers the rows of each group from 0 or 1, in any order."""
        try:
            numbers = np.array([int(one or "") for one in self.cells(at)])
        except (TypeError, ValueError):
            return False
        n_groups = int(groups.max(initial=-1)) + 1
        sizes = np.bincount(groups, minlength=n_groups)
        most, least = np.full(n_groups, -(2**62)), np.full(n_groups, 2**62)
        np.maximum.at(most, groups, numbers)
        np.minimum.at(least, groups, numbers)
        from_0_or_1 = np.isin(least, (0, 1))
        distinct = len(np.unique(np.stack([groups, numbers]), axis=1).T) == len(groups)
        return distinct and bool((from_0_or_1 & (most - least + 1 == sizes)).all())


def _joined(first: Codes, last: Codes) -> Codes:
    """Return a number for each row that is equal where both are."""
    joined = first * (int(last.max(initial=0)) + 1) + last
    return np.unique(joined, return_inverse=True)[1].astype(np.int64).reshape(-1)
