"""Results of a command on exports, as plain values for JSON: null where undefined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate
from ...metrics.measures import FOUND, UNITS, measure_of
from .estimate_warnings import warnings_on_estimates
from .part_kind import PartKind

if TYPE_CHECKING:  # quick looks at labels need no results of other kinds
    from ...metrics.results import AttributeGroups, ErrorCost
    from ...reports.value import Model
    from .measure_difference import MeasureDifference

Found = TypeVar("Found", bound="Model")


@dataclass(frozen=True, slots=True)
class ExportResults:
    """Estimates from exports, the account of their rows, and warnings.

    remarks      warnings about the data; `warnings` also contains warnings about the values
    groups       agreement within and between groups of annotators
    error_costs  loss of γ due to each cause of disorder
    explained    found, where, what: three values that explain γ (`unitizing.found_units`)
    by, parts    the main measure for each part of a kind, with the name of the part; of questions,
                 `by` is the column that names them
    differences  of the first part and the second, where there are two of different items
    """

    estimates: Sequence[Estimate]
    rows: RowAccount
    rejected: Sequence[Rejected]
    remarks: Sequence[CodedWarning] = ()
    error_costs: Sequence[ErrorCost] = ()
    explained: Sequence[Estimate] = ()
    groups: Sequence[AttributeGroups] = ()
    by: PartKind | str | None = None
    parts: Sequence[tuple[str, Estimate]] = ()
    differences: Sequence[MeasureDifference] = ()

    @property
    def warnings(self) -> list[CodedWarning]:
        return [*self.remarks, *warnings_on_estimates(self.estimates)]

    @property
    def parted(self) -> tuple[list[Estimate], str, list[str]]:
        """The values of a table, what they are for, and for which: those of the parts, if any."""
        if self.by is not None:
            return [one for _, one in self.parts], str(self.by), [name for name, _ in self.parts]
        values = list(self.estimates)
        if values and measure_of(values[0].measure).by_category:
            return values, "category", [one.detail.category for one in values]
        return values, "", []

    def as_json(self) -> dict[str, Any]:
        """``{"results": […], "explained": […], "rows": {…}, "rejected": […], "warnings": […]}`."""
        return {
            "results": [estimate_row(one) for one in self.estimates],
            **({"error_costs": list(map(asdict, self.error_costs))} if self.error_costs else {}),
            **(
                {"explained": [estimate_row(one) for one in self.explained]}
                if self.explained
                else {}
            ),
            **({"groups": groups_json(self.groups)} if self.groups else {}),
            **({"by": self.by, "parts": self._parts_json()} if self.by else {}),
            **(
                {"differences": [one.as_json() for one in self.differences]}
                if self.differences
                else {}
            ),
            **rows_json(self.rows, self.rejected),
            "warnings": warnings_json(self.warnings),
        }

    def _parts_json(self) -> list[dict[str, Any]]:
        return [{"part": name, **estimate_row(one)} for name, one in self.parts]


@dataclass(frozen=True, slots=True)
class ExportSummary(Generic[Found]):
    """A part of the results document computed from exports, the account of their rows, warnings."""

    found: Found
    rows: RowAccount
    rejected: Sequence[Rejected]
    warnings: Sequence[CodedWarning] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the part, then `rows`, `rejected` and `warnings`."""
        return {
            **self.found.model_dump(mode="json"),
            **rows_json(self.rows, self.rejected),
            "warnings": warnings_json(self.warnings),
        }


def groups_json(groups: Sequence[AttributeGroups]) -> list[dict[str, Any]]:
    """Return each attribute in the form used in the results of a run."""
    from pydantic import TypeAdapter

    from ...metrics.results import AttributeGroups
    from ...reports.value import Plain

    adapter = TypeAdapter(Plain[AttributeGroups])
    return [adapter.dump_python(one, mode="json") for one in groups]


def rows_json(rows: RowAccount, rejected: Sequence[Rejected]) -> dict[str, Any]:
    """Return `{"rows": {…}, "rejected": […]}`: counts by fate, and rejected rows with places."""
    return {"rows": rows.as_json(), "rejected": [asdict(row) for row in rejected]}


def warnings_json(warnings: Sequence[CodedWarning]) -> list[dict[str, Any]]:
    """Return the warnings that the terminal prints, with their codes and figures."""
    from ...reports.warnings import warning_json

    return [warning_json(one) for one in warnings]


def estimate_row(estimate: Estimate) -> dict[str, Any]:
    row = estimate.as_json()
    detail = row.pop("detail")
    on_items = estimate.measure not in (
        *UNITS,
        *FOUND,
    )  # for units, the components are disorders or lengths
    row["p_o"] = row["observed"] if on_items else None
    row["p_e"] = row["expected"] if on_items else None
    if estimate.measure == "modification_rate":
        row = {"k": detail["k"], "modification_rate": row["value"], **row}
    row["detail"] = detail
    return row
