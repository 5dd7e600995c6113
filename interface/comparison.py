"""Differences between two annotations of the same items or documents: two rounds, two teams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ..data.readers.tables.given import Given, GivenTable
from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from ..reports.cell_texts import p_text
from ..reports.columns import interval, number, text, values_by_column
from .distances import Distance, Scale, given_category_distance
from .frames import Column, Kind, category_order, reading_with_order
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .measure_names import LabelMeasure, UnitMeasure
from .number import Number
from .reading import Data, Export, are_units, read
from .result import Listing, sentence_of_account
from .unit_tables import unit_table
from .value import Bounds

if TYPE_CHECKING:
    from ..metrics.options import Interval
    from ..tasks.agreement.agreement_differences import Differences
    from ..tasks.inputs.measure_difference import MeasureDifference


@dataclass(frozen=True, eq=False, repr=False)
class Change(Number):
    """Difference of a measure, the first annotation minus the second; it computes as a number.

    Attributes
    ----------
    first, second
        The values of the two annotations.
    value
        Their difference; ``nan`` if it is undefined, with the cause in ``reason``.
    interval, p_value
        Confidence interval at ``confidence_level``, and two-sided p-value. ``least_p_value`` is the
        smallest p-value that so many ``replicates`` can give: at it, report p < ``least_p_value``.
    n_items
        Number of items (or units) on each side.
    """

    measure: str
    first: float
    second: float
    value: float
    interval: Bounds
    confidence_level: float
    p_value: float
    least_p_value: float
    reason: str
    n_items: tuple[int, int]
    signature: str

    def __repr__(self) -> str:
        if math.isnan(self.value):
            return f"{self.measure} undefined: {self.reason}"
        low, high = self.interval
        p = p_text(self.p_value, self.least_p_value)
        p = f"p {p}" if p.startswith("<") else f"p = {p}"
        within = f"{100 * self.confidence_level:g} % CI [{low:.3f}, {high:.3f}], {p}"
        sides = f"first {self.first:.3f} − second {self.second:.3f}"
        return f"{self.measure}: {sides} = {self.value:+.3f} ({within})"

    def __format__(self, specification: str) -> str:
        return format(self.value, specification) if specification else repr(self)


class Comparison(Listing):
    """Differences of measures; ``found["krippendorff_alpha"]`` is one of them.

    Attributes
    ----------
    rows
        Accounts of the rows of the first and of the second annotation, as of :class:`Values`.
    """

    def __init__(self, found: Differences, kind: Kind) -> None:
        self._changes = [_change(one) for one in found.compared]
        self._kind = kind
        self._take_account(found)

    def __len__(self) -> int:
        return len(self._changes)

    @overload
    def __getitem__(self, key: str | int) -> Change: ...

    @overload
    def __getitem__(self, key: slice) -> list[Change]: ...

    def __getitem__(self, key: str | int | slice) -> Change | list[Change]:
        """Return a difference by index or by name of a measure. Raises KeyError if unknown."""
        if not isinstance(key, str):
            return self._changes[key]
        known = {one.measure: one for one in self._changes}
        if key not in known:
            hint = did_you_mean(key, known)
            raise KeyError(f"no difference of {key!r}: {hint}there are {', '.join(known)}")
        return known[key]

    def _columns(self) -> dict[str, list[Any]]:
        return values_by_column(
            self._changes,
            text("measure", lambda one: one.measure),
            number("first", lambda one: one.first),
            number("second", lambda one: one.second),
            number("difference", lambda one: one.value),
            interval("", lambda one: one.interval),
            number("p_value", lambda one: one.p_value),
            number("least_p_value", lambda one: one.least_p_value),
            text("reason", lambda one: one.reason),
        )

    @property
    def account(self) -> str:
        """Accounts of the rows of the two annotations, each as a sentence."""
        named = zip(("first", "second"), self.rows, strict=True)
        return "; ".join(f"{side}: {sentence_of_account(rows)}" for side, rows in named)

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self._changes), *self.notes])


@public()
def compare(
    first: Data,
    second: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    measures: LabelMeasure | UnitMeasure | Sequence[LabelMeasure | UnitMeasure] = (),
    independent: bool = False,
    interval: Interval = "bootstrap",
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Comparison:
    """Compare two annotations, such as two rounds or teams: first minus second.

    A positive difference means that the first annotation has the higher value. Items (of units,
    documents) are paired by name, and those on one side only are excluded. Campaigns are compared
    by ``accordeur compare``.

    Parameters
    ----------
    first, second
        Labels, as for :func:`agreement`, or with a column ``start`` units, as for :func:`gamma`.
    item, annotator, label, document, start, end, category, scale, distance, categories
        As for these functions.
    measures
        Only these coefficients; of units, one measure: γ, or a pairwise F. Default: the usual
        ones, or γ and γ-cat.
    independent
        Whether the two share no items or documents, so that nothing is paired.
    interval
        ``bootstrap``, or ``analytic`` (Gwet's paired test) for labels.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    Comparison
        The differences, with intervals and p-values.

    Raises
    ------
    DataError
        No item or document in common.
    MetricsError
        A missing column, or an unknown measure.
    """
    from ..tasks.agreement.agreement_differences import agree_against
    from ..tasks.inputs.label_options import LabelOptions
    from ..tasks.inputs.unit_options import GammaOptions
    from ..tasks.units.gamma_differences import gamma_against

    wanted = (measures,) if isinstance(measures, str) else tuple(measures)
    given = {
        "distance": given_category_distance(scale, distance, categories), "interval": interval,
        "confidence_level": confidence_level, "replicates": replicates, "seed": seed_of(seed, rng),
    }  # fmt: skip
    first, second = (
        read(data) if isinstance(data, str | Path) else data for data in (first, second)
    )
    if not are_units(first, start, category):
        if all(isinstance(one, Export) and len(one.documents) == 1 for one in (first, second)):
            first, second = map(_without_document, (first, second))
        (one, kind), (two, _) = (
            label_table(data, item, annotator, label, document) for data in (first, second)
        )
        reading = reading_with_order(one, category_order(categories, first, label))
        asked = make_options(LabelOptions, measures=wanted, **given)
        sides = _named(one, "first"), _named(two, "second")
        return Comparison(agree_against(*sides, reading, asked, independent=independent), kind)
    places = (document or "document", annotator, start, end, category)
    (one, kind), (two, _) = (unit_table(data, *places) for data in (first, second))
    reading = reading_with_order(one, category_order(categories, first, category))
    if len(wanted) > 1:
        raise MetricsError(f"units are compared by one measure: choose one of {', '.join(wanted)}")
    of_units = {"measure": wanted[0]} if wanted else {}
    settings = make_options(GammaOptions, **of_units, **given)
    found = gamma_against(
        [_named(one, "first")], [_named(two, "second")], reading, settings, independent=independent
    )
    return Comparison(found, kind)


def _without_document(data: Data) -> Data:
    """Return the labels of an export that is one document, so that its name pairs nothing."""
    return data.labels.drop_columns(["document"]) if isinstance(data, Export) else data


def _named(given: Given, name: str) -> Given:
    """Name a table for messages."""
    return replace(given, name=name) if isinstance(given, GivenTable) else given


def _change(one: MeasureDifference) -> Change:
    found = one.difference
    return Change(
        measure=one.measure,
        first=one.first,
        second=one.second,
        value=found.value,
        interval=Bounds(found.lower, found.upper),
        confidence_level=found.level,
        p_value=found.p_value,
        least_p_value=found.least_p,
        reason=str(found.reason or found.p_reason or ""),
        n_items=one.n_items,
        signature=one.how.signature,
    )
