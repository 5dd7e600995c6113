"""The HTML page of a calibration, written to a path chosen by the user."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from ...data.errors import DataError
from ...metrics.plugins import plugin_versions
from ...metrics.signature import VERSION
from ...reports.calibration.calibration_results import CalibrationResults
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
    metric, seen = material.dissimilarity, proposal.seen if proposal else ()
    return CalibrationResults(
        name=material.name,
        layer=material.layer,
        position=metric.position,
        alpha=metric.alpha,
        beta=metric.beta,
        delta_empty=metric.delta_empty,
        present=present,
        n_documents=found.n_documents,
        curves=found.curves,
        form=found.form if proposal else "",
        distances=[(one, current_distance(material, one)) for one in seen],
        unseen=proposal.unseen if proposal else (),
        toml=as_toml(found),
        signatures=[present.signature, *([found.proposal_signature] if proposal else [])],
        run=Run(
            version=VERSION,
            input_hash=present.how.input,
            seed=seed,
            command=command,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            versions={name: version(name) for name in _PACKAGES} | plugin_versions(),
        ),
        validation=_validation(found),
    )


def _validation(found: Calibration) -> Validation | None:
    from ..reporting.validation_summary import validation_of_export, validation_without_links

    if found.material.account is not None:
        return validation_of_export(found.material.account)
    return validation_without_links(found.material.results or {})
