"""Systems that are judged, of labels or units, and their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...data.errors import DataError
from ...data.option_names import option
from ...metrics.estimate import Estimate
from ...metrics.replacement.replaceability import LostItem, Replaceability, correct_for_many_systems
from ...metrics.replacement.replacement_options import ReplacementSettings
from ...reports import results as page
from ..inputs.results_of_exports import ExportSummary

MOST_SHOWN = 100  # items on which a system would lose


@dataclass(frozen=True, slots=True)
class ExportReplacement(ExportSummary[page.Replacement]):
    """All output of `accordeur replace`.

    agreement  agreement of the human annotators; None for units, for which `accordeur gamma`
               computes it
    """

    agreement: Estimate | None = None

    def as_json(self) -> dict[str, Any]:
        agreement = None if self.agreement is None else self.agreement.as_json()
        return {**ExportSummary.as_json(self), "agreement": agreement}


def judged_systems(
    humans: Sequence[str],
    systems: Sequence[str],
    named: Sequence[str],
    called: str = "system",
) -> list[str]:
    """Return the systems to judge, in the order given; `called`: the option that names one.

    Raises DataError for a name without an annotation, and if there is no system.
    """
    for name in named:
        if name not in systems:
            raise DataError(
                f"{option(called, name)}: no annotation of {name!r}; the annotators are "
                f"{', '.join([*humans, *systems])}"
            )
    if not systems:
        raise DataError(
            f"there is no {called} among the annotators ({', '.join(humans)}): name each {called} "
            f"with {option(called)}"
        )
    return list(dict.fromkeys(named)) or list(systems)


def systems_with_verdicts(
    found: Sequence[Replaceability],
    settings: ReplacementSettings,
    *,
    kind: str,
    layer: str,
    lost: Callable[[str, LostItem], page.LostItem],
    checks: Mapping[str, Sequence[Estimate]],
) -> page.Replacement:
    """Return the systems with their verdicts and the common settings.

    kind    items or units
    lost    function that describes an item on which a system would lose
    checks  checks of each system: consistency, drift, position and length
    """
    return page.Replacement.from_measured(
        settings,
        layer=layer,
        kind=kind,
        epsilon=settings.margin,
        expertise=settings.expertise or "",
        is_default=settings.expertise is None and settings.epsilon is None,
        systems=[
            _system_result(one, lost).model_copy(
                update={
                    "checks": list(checks[one.system]),
                    "earlier": settings.earlier.get(one.system, ""),
                }
            )
            for one in correct_for_many_systems(found, settings.error)
        ],
    )


def _system_result(
    one: Replaceability, lost: Callable[[str, LostItem], page.LostItem]
) -> page.SystemReplacement:
    test = one.test
    return page.SystemReplacement.from_measured(
        one,
        values=[one.advantage, one.winning_rate, one.advantage_probability],
        annotators=[]
        if test is None
        else [
            page.ReplacementTest(annotator=name, p_value=p, rejected=rejected)
            for name, p, rejected in zip(one.annotators, test.p_values, test.rejected, strict=True)
        ],
        passed=test is not None and test.passed,
        after_holm=one.after_holm or "",
        parts=[
            page.ReplacementPart(
                name=part.name, value=part.advantage, kind=part.kind, verdict=part.verdict or ""
            )
            for part in one.parts
        ],
        lost=[lost(one.system, item) for item in one.lost[:MOST_SHOWN]],
    )
