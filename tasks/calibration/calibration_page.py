"""The HTML page of a calibration, written to a path chosen by the user."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from ...data.errors import DataError
from ...metrics.plugins import plugin_versions
from ...metrics.signature import VERSION
from ...metrics.units.setting_curves import DocumentShare, Setting, SettingPoint
from ...reports.calibration.calibration_results import (
    CalibrationResults,
    ProposedPair,
    SettingCurves,
    TriedPoint,
)
from ...reports.render import render_calibration
from ...reports.results import Run, Validation
from .calibrate import Calibration
from .calibration_output import as_toml, current_distance

_PACKAGES = ("numpy", "numba", "pyarrow")


def write_page(
    path: Path,
    found: Calibration,
    command: str,
    *,
    language: Literal["en", "fr"] = "en",
    seed: int = 0,
) -> None:
    """Write the page of a calibration. Raises DataError if the file cannot be written."""
    html = render_calibration(as_results(found, command, seed=seed), language=language)
    try:
        path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise DataError(
            f"--to {path}: {error.strerror or error}: give a file in an existing folder"
        ) from error


def as_results(found: Calibration, command: str, *, seed: int = 0) -> CalibrationResults:
    material, present, proposal = found.material, found.present, found.proposal
    metric = material.dissimilarity
    input_ = present.how.input
    signatures = [present.signature, *([found.proposal_signature] if proposal else [])]
    return CalibrationResults(
        name=material.name,
        layer=material.layer,
        position=metric.position,
        alpha=metric.alpha,
        beta=metric.beta,
        delta_empty=metric.delta_empty,
        gamma=present.value,
        gamma_low=present.interval[0],
        gamma_high=present.interval[1],
        reason=present.reason,
        level=present.confidence_level,
        n_documents=found.n_documents,
        n_units=present.n_items,
        n_annotators=present.n_annotators,
        curves=[
            _setting_curves(setting, points, float(getattr(metric, setting)))
            for setting, points in found.curves.items()
        ],
        form="" if proposal is None else found.form,
        distances=[
            ProposedPair(
                first=one.first,
                second=one.second,
                distance=one.distance,
                low=one.interval[0],
                high=one.interval[1],
                weight=one.weight,
                at_present=current_distance(material, one),
            )
            for one in (proposal.seen if proposal else ())
        ],
        unseen=[] if proposal is None else list(proposal.unseen),
        toml=as_toml(found),
        signatures=signatures,
        run=Run(
            version=VERSION,
            input_hash=input_,
            seed=seed,
            command=command,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            versions={name: version(name) for name in _PACKAGES} | plugin_versions(),
        ),
        validation=_validation(found),
    )


def _setting_curves(setting: Setting, points: Sequence[SettingPoint], own: float) -> SettingCurves:
    return SettingCurves(
        setting=setting,
        own=own,
        gamma=[
            _tried_point(point.value, DocumentShare(point.gamma.value, point.gamma.interval))
            for point in points
        ],
        aligned=[_tried_point(point.value, point.aligned) for point in points],
        kept=[_tried_point(point.value, point.kept) for point in points],
    )


def _tried_point(x: float, share: DocumentShare) -> TriedPoint:
    return TriedPoint(x=x, y=share.value, low=share.interval[0], high=share.interval[1])


def _validation(found: Calibration) -> Validation | None:
    from ..reporting.validation_summary import validation_of_export, validation_without_links

    if found.material.account is not None:
        return validation_of_export(found.material.account)
    return validation_without_links(found.material.results or {})
