"""The rows of one table and layer that a quick look may measure, with the fates of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ..columns import as_numpy, column, constant, rows_where
from ..row_account import RowTally
from ..schema import ExclusionReason
from ..validation.preparation import OF_FILES, Accepted


def rows_of_layer(
    accepted: Accepted, table: str, tally: RowTally, choose: Callable[[pa.Table], str]
) -> tuple[str, pa.Table, pa.Table]:
    """Return (layer, its rows of the first pass, the rows of later passes in every layer).

    choose  returns the layer to measure; its argument is the rows of the first pass
    Rows of other tables and layers get their fates in the tally.
    """
    for name in OF_FILES:
        if name != table:
            n_others = accepted.without_copies(accepted.tables[name]).num_rows
            tally.exclude(ExclusionReason.OTHER_KIND, n_others)
    given = accepted.without_copies(accepted.tables[table])
    is_first = as_numpy(pc.equal(given["pass"], constant(1)))
    first, later = rows_where(given, is_first), rows_where(given, ~is_first)
    wanted = choose(first)
    found = rows_where(first, pc.equal(first["layer"], constant(wanted)))
    tally.exclude(ExclusionReason.OTHER_LAYER, first.num_rows - found.num_rows)
    return wanted, found, later


def by_annotators(rows: pa.Table, annotators: Sequence[str]) -> pa.Table:
    """Return the rows of these annotators."""
    names = column(annotators, pa.string())
    return rows_where(rows, pc.is_in(rows["annotator"], value_set=names))
