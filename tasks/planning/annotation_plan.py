"""`accordeur plan`: number of documents and annotators for an interval, from pilot labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import NO_INTERVAL, json_value
from ...metrics.resampling.planning import PilotVariance, allocate_budget
from ...metrics.resampling.planning_error import interval_of_plan_figure, range_beyond_pilot
from ...metrics.signature import signature_line
from ..agreement.agree import DEFAULT_READING
from ..inputs.label_options import PlanOptions
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import rows_json, warnings_json
from ..wording import counted
from .pilot import Pilot, read_pilot

DEFAULT_PLAN = PlanOptions()


class PlanRow(NamedTuple):
    """For a number of annotators: documents required, and width for a campaign of the pilot's size.

    beyond     more annotators than in the pilot: intervals are ranges without a point estimate
    documents  None if no number suffices, and if `beyond`; an unknown interval is nan
    """

    annotators: int
    documents: int | None
    documents_interval: tuple[float, float]
    labels: int | None
    width: float
    width_interval: tuple[float, float]
    beyond: bool


class SpendRow(NamedTuple):
    """One way to spend the budget, with the resulting width (only a range if `beyond`)."""

    annotators: int
    documents: int
    labels: int
    cost: float
    width: float
    width_interval: tuple[float, float]
    beyond: bool


class DetectionRow(NamedTuple):
    """Documents (of each campaign) for a probability to find an effect, and that of the pilot's.

    effect     the pilot's value minus the value to be excluded, or a difference of two campaigns
    campaigns  1 or 2
    documents  None if no number suffices
    """

    effect: float
    campaigns: int
    annotators: int
    documents: int | None
    labels: int | None
    power_of_pilot: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan based on a pilot; documents stand for items if the pilot has no documents."""

    options: PlanOptions
    pilot: PilotVariance
    n_annotators: int
    has_documents: bool
    rows: list[PlanRow]
    budget: list[SpendRow]
    detection: list[DetectionRow]
    signature: str
    account: RowAccount
    rejected: list[Rejected]
    warnings: list[CodedWarning]

    @property
    def unit(self) -> str:
        return "document" if self.has_documents else "item"

    @property
    def people(self) -> str:
        return "labels per item" if self.options.crowd else "annotators"

    @property
    def what_is_left(self) -> str:
        """Say how much the width needs in all and beyond the pilot, for as many annotators."""
        rows = [row for row in self.rows if row.documents is not None]
        if not rows:
            return ""
        row = min(rows, key=lambda row: abs(row.annotators - self.n_annotators))
        needed, there = row.documents or 0, self.pilot.n_documents
        measure, width = self.pilot.measure, self.options.width
        rest = f"{needed - there:,} more" if needed > there else "enough"
        return (
            f"{measure}: width {width:g} with {row.annotators} {self.people}: "
            f"{counted(needed, self.unit)}, of which you have {there:,}: {rest}"
        )

    @property
    def annotation_noun(self) -> str:
        """What annotators produce: `units` or `labels`."""
        return "units" if self.pilot.measure == "gamma" else "labels"

    @property
    def who(self) -> str:
        if self.options.crowd:
            return "for annotators as interchangeable as the labels of an item"
        if self.options.for_new_annotators:
            return "for annotators like the pilot's"
        return "for the pilot's annotators"


def plan(
    path: Given, reading: Reading = DEFAULT_READING, options: PlanOptions = DEFAULT_PLAN
) -> Plan:
    """Plan a campaign from a pilot of labels, or of units for the measure `gamma`.

    Raises DataError if there are none, MetricsError for a pilot that does not permit a plan.
    """
    found = read_pilot(path, reading, options)
    planned = tuple(a for a in options.annotators if a <= found.variance.max_annotators)
    if not planned:
        raise MetricsError(
            f"{path}: a pilot of {found.variance.n_annotators} annotators cannot plan for "
            f"{min(options.annotators)}: give {option('annotators')} "
            f"{found.variance.max_annotators} at "
            "most, or have more annotators label a part of the pilot"
        )
    rows = [_plan_row(a, found, options) for a in planned]
    return Plan(
        options,
        found.variance,
        found.n_annotators,
        found.has_documents,
        rows,
        _budget_rows(found, options, planned),
        _detection_rows(found.variance, options, planned),
        signature_line(
            f"plan of {found.variance.measure}",
            **found.settings,
            level=options.confidence_level,
            annotators="new" if options.for_new_annotators else None,
            seed=options.seed,
            interval=f"jackknife/{len(found.left_out)} groups/0.95",
            input=found.input_,
        ),
        found.rows,
        found.rejected,
        [*found.warnings, *_without_range(rows, found)],
    )


def _without_range(rows: Sequence[PlanRow], found: Pilot) -> list[CodedWarning]:
    """Warn of a pilot that does not show how far its numbers may be off."""
    if all(math.isfinite(row.width_interval[0]) for row in rows):
        return []
    n, unit = found.variance.n_documents, "document" if found.has_documents else "item"
    return [CodedWarning("pilot_too_small", {"n_documents": n, "pilot": counted(n, unit)})]


def _plan_row(a: int, found: Pilot, options: PlanOptions) -> PlanRow:
    pilot = found.variance

    def about(one: PilotVariance) -> float | None:
        return one.unrounded_documents_for(
            options.width,
            a,
            level=options.confidence_level,
            new_annotators=options.for_new_annotators,
        )

    documents = None
    if a > pilot.n_annotators:
        low, high = range_beyond_pilot(about, a, pilot, found.left_out)
    else:
        documents = pilot.documents_for(
            options.width,
            a,
            level=options.confidence_level,
            new_annotators=options.for_new_annotators,
        )
        low, high = interval_of_plan_figure(about, pilot, found.left_out)
        if documents is None:
            low = high = math.nan
        elif own := about(pilot):  # Student's t requires more documents than the normal quantile
            low, high = low * documents / own, high * documents / own
    width, width_interval = _width_or_range(pilot.n_documents, a, found, options)
    return PlanRow(
        a,
        documents,
        (max(pilot.fewest, low), max(pilot.fewest, high)) if math.isfinite(low) else NO_INTERVAL,
        None if documents is None else round(documents * a * pilot.items_per_document),
        width,
        width_interval,
        a > pilot.n_annotators,
    )


def _width_or_range(
    documents: int, a: int, found: Pilot, options: PlanOptions
) -> tuple[float, tuple[float, float]]:
    """Return the width of a campaign and its interval; beyond the pilot, nan and a range."""
    pilot = found.variance

    def width(one: PilotVariance) -> float:
        return one.width(
            documents, a, level=options.confidence_level, new_annotators=options.for_new_annotators
        )

    if a > pilot.n_annotators:
        return math.nan, range_beyond_pilot(width, a, pilot, found.left_out)
    return width(pilot), interval_of_plan_figure(width, pilot, found.left_out)


def _budget_rows(found: Pilot, options: PlanOptions, annotators: tuple[int, ...]) -> list[SpendRow]:
    pilot = found.variance
    if options.budget is None:
        return []
    lines = allocate_budget(
        pilot,
        options.budget,
        cost_per_label=options.cost_per_label,
        cost_per_annotator=options.cost_per_annotator,
        annotators=annotators,
    )
    if not lines:
        raise MetricsError(
            f"a budget of {options.budget:g} does not cover {pilot.fewest} documents by "
            f"{counted(min(annotators), 'annotator')}"
        )
    return [
        SpendRow(
            line.annotators,
            line.documents,
            line.labels,
            line.cost,
            *_width_or_range(line.documents, line.annotators, found, options),
            line.annotators > pilot.n_annotators,
        )
        for line in lines
    ]


def _detection_rows(
    pilot: PilotVariance, options: PlanOptions, annotators: tuple[int, ...]
) -> list[DetectionRow]:
    """Return the tests that were requested, for numbers of annotators up to the pilot's."""
    asked = [] if options.null is None else [(pilot.value - options.null, 1)]
    asked += [] if options.difference is None else [(options.difference, 2)]
    found = []
    for effect, campaigns in asked:
        for a in (a for a in annotators if a <= pilot.n_annotators):
            how: dict[str, Any] = {
                "campaigns": campaigns,
                "level": options.confidence_level,
                "new_annotators": options.for_new_annotators,
            }
            n = pilot.documents_to_detect(effect, a, power=options.power, **how)
            labels = None if n is None else round(campaigns * n * a * pilot.items_per_document)
            own = pilot.power(effect, pilot.n_documents, a, **how)
            found.append(DetectionRow(effect, campaigns, a, n, labels, own))
    return found


def as_json(found: Plan) -> dict[str, Any]:
    """Return plain values for JSON: null where undefined."""
    pilot, per_document = found.pilot, "units" if found.annotation_noun == "units" else "items"
    return {
        "pilot": {
            "measure": pilot.measure,
            "value": json_value(pilot.value),
            "n_annotators": found.n_annotators,
            f"n_{found.unit}s": pilot.n_documents,
            f"{per_document}_per_document": pilot.items_per_document
            if found.has_documents
            else None,
            "variance": dict(zip(pilot.annotators.tolist(), pilot.variance.tolist(), strict=True)),
            "variance_of_annotators": json_value(pilot.of_annotators),
        },
        "asked": {
            "width": found.options.width,
            "level": found.options.confidence_level,
            "interval": found.options.interval,
            "crowd": found.options.crowd,
            "null": found.options.null,
            "difference": found.options.difference,
            "power": found.options.power,
        },
        "results": [_json_row(row, found.annotation_noun) for row in found.rows],
        "budget": [_json_row(row, found.annotation_noun) for row in found.budget],
        "detection": [_json_row(row, found.annotation_noun) for row in found.detection],
        "signature": found.signature,
        **rows_json(found.account, found.rejected),
        "warnings": warnings_json(found.warnings),
    }


def _json_row(row: PlanRow | SpendRow | DetectionRow, work: str) -> dict[str, Any]:
    return {work if key == "labels" else key: json_value(one) for key, one in row._asdict().items()}
