"""Shared code for judging systems on exported labels and units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data.errors import DataError
from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate
from ...reports import results as page
from ..exports.results import about_rows, warnings_json


@dataclass(frozen=True, slots=True)
class ExportReplacement:
    """All output of `accordeur replace`.

    agreement  agreement of the human annotators; None for units, for which `accordeur gamma`
               computes it
    """

    found: page.Replacement
    rows: RowAccount
    rejected: Sequence[Rejected]
    warnings: Sequence[CodedWarning] = ()
    agreement: Estimate | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            **self.found.model_dump(mode="json"),
            **about_rows(self.rows, self.rejected),
            "agreement": None if self.agreement is None else self.agreement.as_json(),
            "warnings": warnings_json(self.warnings),
        }


def judged_systems(
    humans: Sequence[str], systems: Sequence[str], named: Sequence[str]
) -> list[str]:
    """Return the systems to judge, in the order given. Raises DataError."""
    for name in named:
        if name not in systems:
            raise DataError(
                f"--system {name}: no annotation of {name!r}; the annotators are "
                f"{', '.join([*humans, *systems])}"
            )
    if not systems:
        raise DataError(
            f"there is no system among the annotators ({', '.join(humans)}): name each system "
            "with --system"
        )
    return list(dict.fromkeys(named)) or list(systems)
