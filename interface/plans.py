"""Plans of an annotation from a pilot, from data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from ..data.readers.tables.given import Given
from ..metrics.options import Interval
from ..reports.columns import OwnColumn, Table
from ..tasks.planning.annotation_plan import DetectionRow, PlanRow, SpendRow
from ..tasks.planning.annotation_plan import plan as planned
from .distances import Distance, Scale, given_category_distance
from .frames import Column, Kind, category_order, reading_with_order
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .measure_names import CoefficientName
from .reading import Data, are_units
from .result import Rows
from .unit_tables import unit_table


class Plan(Rows[PlanRow]):
    """What to annotate for the width: a row for each number of annotators.

    Attributes
    ----------
    measure
        What is planned.
    unit
        What ``documents`` counts: ``document``, or ``item`` if the pilot has no documents.
    sentence
        What the width needs with as many annotators as in the pilot, and how much is left.
    spending
        What ``budget`` buys with each number of annotators; without one, no rows.
    detection
        Documents with which ``null`` is excluded, and ``difference`` found, with ``power``.
    """

    def __init__(self, found: Any, kind: Kind) -> None:
        from ..reports.warnings import in_english

        super().__init__(
            found.rows, PlanRow._fields, kind, [in_english(one) for one in found.warnings]
        )
        self.measure: str = found.pilot.measure
        self.unit: str = found.unit
        self.sentence: str = found.what_is_left
        self.spending: Rows[SpendRow] = Rows(found.budget, SpendRow._fields, kind)
        self.detection: Rows[DetectionRow] = Rows(found.detection, DetectionRow._fields, kind)
        for table in (self, self.spending, self.detection):
            table._named = {
                name: OwnColumn(name.replace("document", found.unit)) for name in table.names
            }

    def _blocks(self) -> Iterable[str | Table]:
        further = [one for one in (self.spending, self.detection) if len(one)]
        tables = [block for one in further for block in one._blocks()]
        return [*self._first_rows(), *filter(None, [self.sentence]), *tables]


@public(measure="measure")
def plan(
    pilot: Data,
    *,
    width: float = 0.1,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    measure: CoefficientName | Literal["gamma"] | None = None,
    scale: Scale = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    annotators: int | Sequence[int] = tuple(range(2, 11)),
    crowd: bool = False,
    budget: float | None = None,
    cost_per_label: float = 1.0,
    cost_per_annotator: float = 0.0,
    null: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    interval: Interval = "bootstrap",
    confidence_level: float = 0.95,
    seed: int = 0,
    rng: Rng | None = None,
) -> Plan:
    """Number of documents and annotators needed for an interval of a given width, from a pilot.

    ``pilot`` and its columns are as ``data`` of :func:`agreement`, or with a column ``start`` of
    :func:`gamma`; ``scale``, ``distance``, ``categories``, ``interval``, ``confidence_level``,
    ``seed`` and ``rng``, too.

    Parameters
    ----------
    width
        Width of the interval, from end to end.
    measure
        The coefficient. Default: ``krippendorff_alpha``; of units ``gamma``, the only one.
    annotators
        The numbers of annotators to plan for.
    crowd
        Whether different annotators label each item: the plan is then for labels per item.
    budget, cost_per_label, cost_per_annotator
        What can be spent, and what a label and the training of an annotator cost: ``.spending``.
    null, difference, power
        A value that the interval is to exclude if the pilot's value is the true one; a difference
        of two campaigns whose interval is to exclude 0; the probability of either: ``.detection``.

    Returns
    -------
    Plan
        For each number of annotators, the documents (or items) needed for the width, and the width
        for a campaign of the pilot's size, each with its interval.

    Raises
    ------
    MetricsError
        A measure that is not planned, such as a pairwise F; a pilot that does not permit a plan.
    """
    from ..tasks.inputs.label_options import PlanOptions

    on_units = are_units(pilot, start, category)
    if on_units:
        places = (document or "document", annotator, start, end, category)
        given: tuple[Given, Kind] = unit_table(pilot, *places)
    else:
        given = label_table(pilot, item, annotator, label, document)
    table, kind = given
    found = planned(
        table,
        reading_with_order(
            table, category_order(categories, pilot, category if on_units else label)
        ),
        make_options(
            PlanOptions,
            width=width,
            measure=measure,
            distance=given_category_distance(scale, distance, categories),
            annotators=(annotators,) if isinstance(annotators, int) else tuple(annotators),
            crowd=crowd,
            budget=budget,
            cost_per_label=cost_per_label,
            cost_per_annotator=cost_per_annotator,
            null=null,
            difference=difference,
            power=power,
            interval=interval,
            confidence_level=confidence_level,
            seed=seed_of(seed, rng),
        ),
    )
    return Plan(found, kind)
