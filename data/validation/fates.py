"""Which accepted rows enter a measure, and the fates of the others, for quick looks and runs.

`preparation` accepts or rejects a row; here, an accepted row of a layer is measured, excluded with
a reason, or set apart as those of a system, a reference or an audit, and a `RowTally` counts it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import are_rows_among, as_numpy, column, rows_where, scalar
from ..coded import Coded
from ..row_account import RowTally
from ..schema import NOT_HUMAN, ExclusionReason
from .merge_sources import FINISHED
from .rule import Mask
from .rule_views import join_columns

_OF_PASS = ("document", "annotator", "pass")


def are_of_first_pass(rows: pa.Table) -> Mask:
    return as_numpy(pc.equal(rows["pass"], scalar(1)))


def first_pass_only(tally: RowTally, rows: pa.Table, among: Mask | None = None) -> Mask:
    """Return which rows are of the first pass; later ones `among` some, or all, are excluded."""
    is_first = are_of_first_pass(rows)
    is_late = ~is_first if among is None else among & ~is_first
    tally.exclude(ExclusionReason.LATER_PASS, int(is_late.sum()))
    return is_first


def humans_only(tally: RowTally, rows: pa.Table, roles: Mapping[str, str]) -> Mask:
    """Return which rows are of humans; those of other roles are set apart.

    roles  role of each annotator; humans may be left out
    """
    is_human = np.ones(rows.num_rows, dtype=np.bool_)
    for role in NOT_HUMAN:
        is_of_role = are_by_annotators(rows, [who for who, own in roles.items() if own == role])
        tally.set_apart(role, int(is_of_role.sum()))
        is_human &= ~is_of_role
    return is_human


def are_by_annotators(rows: pa.Table, annotators: Sequence[str]) -> Mask:
    """Return which rows are of these annotators."""
    return as_numpy(pc.is_in(rows["annotator"], value_set=column(annotators, pa.string())))


def are_of_assignments(rows: pa.Table, assignments: pa.Table) -> Mask:
    """Return which rows have the document, annotator and pass of one of the assignments."""
    if not assignments.num_rows:
        return np.zeros(rows.num_rows, dtype=np.bool_)
    keys = pc.unique(join_columns(assignments, _OF_PASS))
    return as_numpy(pc.is_in(join_columns(rows, _OF_PASS), value_set=keys))


def are_finished(assignments: pa.Table) -> Mask:
    """Return which assignments were finished, with annotations or without any."""
    return as_numpy(pc.is_in(assignments["state"], value_set=FINISHED))


def finished_work(rows: pa.Table, assignments: pa.Table) -> pa.Table:
    """Return the rows of work that its annotator finished.

    Every accepted row of labels or units has an assignment to its layer.
    """
    unfinished = rows_where(assignments, ~are_finished(assignments))
    if not unfinished.num_rows:
        return rows
    return rows_where(rows, ~are_rows_among(rows, unfinished, ["layer", *_OF_PASS]))


@dataclass(frozen=True, slots=True)
class Standing:
    """Of each row of a layer: is it of a finished document, of the first pass?"""

    is_finished: Mask
    is_first: Mask

    @classmethod
    def of(cls, rows: pa.Table, unfinished: pa.Table) -> Standing:
        """Return the standing of the layer's rows in all annotation passes.

        unfinished  the layer's assignments that were not finished
        """
        return cls(~are_of_assignments(rows, unfinished), are_of_first_pass(rows))

    @property
    def is_measurable(self) -> Mask:
        """Which rows agreement is computed on, if they are of humans."""
        return self.is_finished & self.is_first

    def count(
        self,
        tally: RowTally,
        rows: pa.Table,
        roles: Mapping[str, str],
        among: Mask | None = None,
        serves: Mask | None = None,
    ) -> Mask:
        """Count the rows that agreement does not use; return which rows of humans it may use.

        roles   role of each annotator; humans may be left out
        among   which rows are counted; default: all
        serves  whether a row also serves as reference
        """
        among = np.ones(rows.num_rows, dtype=np.bool_) if among is None else among
        is_human = among
        for role in NOT_HUMAN:
            own = [who for who, of in roles.items() if of == role]
            is_of_role = among & are_by_annotators(rows, own)
            tally.set_apart(role, int(is_of_role.sum()))
            is_human = is_human & ~is_of_role
        tally.exclude(ExclusionReason.UNFINISHED, int((is_human & ~self.is_finished).sum()))
        is_late = is_human & self.is_finished & ~self.is_first
        n_reference = 0 if serves is None else int((is_late & serves).sum())
        tally.exclude(ExclusionReason.LATER_PASS, int(is_late.sum()), n_reference=n_reference)
        return is_human & self.is_measurable


def tally_measured_labels(
    tally: RowTally,
    items: NDArray[np.int64],
    annotators: Coded,
    *,
    serves: Mask | None = None,
    fewest: int = 2,
    complete: bool = False,
) -> None:
    """Count labels (n_rows) of humans: those on items with `fewest` labels or more are measured.

    items     the number of each label's item, from 0
    serves    whether the label also serves as reference
    complete  whether `fewest` is the number of annotators, and other items are incomplete
    """
    reason = ExclusionReason.INCOMPLETE_ITEM if complete else ExclusionReason.SINGLE_ANNOTATOR
    n_labels = np.bincount(items)[items]
    is_measured = n_labels >= fewest
    n_also = n_only = 0
    if serves is not None:
        n_also, n_only = int((serves & is_measured).sum()), int((serves & ~is_measured).sum())
    tally.exclude(reason, int((~is_measured).sum()), n_reference=n_only)
    n_by_code = np.bincount(annotators.codes[is_measured], minlength=len(annotators.texts))
    people = [annotators.texts[code] for code in np.flatnonzero(n_by_code).tolist()]
    most = int(n_labels[is_measured].max(initial=0))
    tally.measure(int(is_measured.sum()), people, most, n_reference=n_also)


def tally_measured_units(
    tally: RowTally, sizes: Mapping[str, int], *, serving: Collection[str] = ()
) -> None:
    """Count the units of a document, measured if several humans finished it.

    sizes    number of units of each human who finished the document
    serving  annotators whose units also serve as reference
    """
    for annotator, n in sizes.items():
        n_reference = n if annotator in serving else 0
        if len(sizes) > 1:
            tally.measure(n, [annotator], len(sizes), n_reference=n_reference)
        else:
            tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, n, n_reference=n_reference)
