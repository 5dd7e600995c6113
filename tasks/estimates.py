"""Estimates and findings of measures as the report has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..metrics.agreement.diagnosis.findings import Finding
from ..metrics.estimate import Estimate
from ..reports import results as page
from ..reports.results import Named


def finding_of(finding: Finding, severity: str = "note") -> page.Finding:
    return page.Finding(
        rule=finding.kind,
        title=finding.title,
        text=finding.seen,
        advice=finding.advice,
        figures=dict(finding.figures),
        severity=severity,
    )


def named(parts: Iterable[tuple[str, Estimate]]) -> list[Named]:
    """Values of parts; their `n_items` are the items that take part, not those of the campaign."""
    return [Named(name=name, value=_paired(estimate)) for name, estimate in parts]


def _paired(estimate: Estimate) -> Estimate:
    n_unpaired = int(estimate.detail.get("n_unpaired", 0))
    return replace(estimate, n_items=estimate.n_items - n_unpaired)
