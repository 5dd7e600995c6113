"""Simulations with the margins of a campaign: curve, page, results document and table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np
from prefect import task

from ..data.errors import DataError
from ..data.store.hashes import settings_hash
from ..data.store.store import Store
from ..metrics.agreement.simulations.known_annotators import CoefficientCurve
from ..metrics.agreement.simulations.simulated_campaign import CampaignMargins, run_experiment
from ..metrics.measures import COEFFICIENTS, GENERALISED
from ..metrics.plugins import plugin_versions
from ..metrics.signature import VERSION, How, signature_line
from ..reports import results as page
from ..reports.language import Code
from ..reports.study.study_results import CurvePoint, StudyCurve, StudyPart, StudyResults
from .study.study_report import write_study

_PACKAGES = ("prefect", "numpy", "numba", "pyarrow")


@dataclass(frozen=True, slots=True)
class SimulationSource:
    """Margins to simulate with, and the values of the campaign itself.

    name        name of the campaign and layer, or of the table
    store       location of the page
    validation  account of the rows
    """

    name: str
    store: str
    margins: CampaignMargins
    observed: Mapping[str, float] = field(default_factory=dict)
    language: Code = "en"
    validation: page.Validation | None = None


def margins_of_run(
    results: Mapping[str, Any], layer: str
) -> tuple[CampaignMargins, dict[str, float], str]:
    """Return the margins, values and name of a layer from a run's results document.

    Raises DataError if the run has no labels of the layer, or its results lack p_o.
    """
    of_layers = {part["layer"]: part for part in results["items"]}
    if not layer and len(of_layers) == 1:
        [layer] = of_layers
    if layer not in of_layers:
        known = ", ".join(of_layers) or "none"
        asked = f"no layer of labels {layer!r}" if layer else "there are several layers of labels"
        raise DataError(f"{asked}: give one with --layer; the layers of the last run are {known}")
    part = of_layers[layer]
    counts = next(
        np.array(one["counts"], dtype=np.float64).sum(axis=1)
        for one in results["distributions"]
        if one["layer"] == layer and one["kind"] == "items"
    )
    values = {one["measure"]: one for one in part["values"]}
    agreed = [
        values[m]["observed"]
        for m, c in COEFFICIENTS.items()
        if c.observes_share_of_pairs and m in values
    ]
    if not agreed or agreed[0] is None:
        raise DataError(
            f"layer {layer}: the last run has no observed agreement; add percent_agreement to "
            "items.measures and run again"
        )
    margins = CampaignMargins(
        tuple(part["tagset"]), counts / counts.sum(), agreed[0], part["n_items"]
    )
    observed = {  # only nominal values are comparable with the nominal simulation
        name: one["value"]
        for name, one in values.items()
        if one["value"] is not None and How.read(one["signature"]).distance == "nominal"
    }
    return margins, observed, layer


simulate_task = task(name="simulate")(run_experiment)


def write_simulation(
    source: SimulationSource,
    experiment: str,
    curve: CoefficientCurve,
    folder: str,
    *,
    trials: int,
    seed: int,
    command: str,
    started: str,
) -> dict[str, Any]:
    """Write `simulation.html`, `results.json` and `points.parquet` below `folder`."""
    margins = source.margins
    observed = {
        measure: source.observed[name]
        for measure in curve.measures
        if (name := measure if measure in source.observed else GENERALISED.get(measure, ""))
        in source.observed
    }
    own = (
        margins.shares[margins.largest_category]
        if experiment == "prevalence"
        else len(margins.tagset)
    )
    input_ = settings_hash(margins.tagset, margins.shares.tolist(), margins.agreement)
    settings: dict[str, str | float | int] = {
        "moved": curve.moved,
        "own": float(own),
        "accuracy": margins.accuracy,
        "n_items": margins.n_items,
        "n_categories": len(margins.tagset),
    }
    line = signature_line(
        f"simulate_{experiment}", accuracy=round(margins.accuracy, 6), items=margins.n_items,
        trials=trials, seed=seed, input=input_,
    )  # fmt: skip
    results = StudyResults(
        name=source.name,
        kind=experiment,
        trials=trials,
        seed=seed,
        run=page.Run(
            version=VERSION,
            input_hash=input_,
            seed=seed,
            command=command,
            started=started,
            versions={name: version(name) for name in _PACKAGES} | plugin_versions(),
        ),
        observed=observed,
        validation=source.validation,
        parts=[
            StudyPart(
                label="", settings=settings, n_trials=trials,
                curves=_curves(experiment, curve, margins),
                signature=line,
            )
        ],
    )  # fmt: skip
    return write_study(Store(source.store), results, folder, "simulation", source.language)


write_simulation_task = task(name="simulation report")(write_simulation)


def _curves(experiment: str, curve: CoefficientCurve, margins: CampaignMargins) -> list[StudyCurve]:
    """Return one curve per measure."""
    return [
        StudyCurve(
            name="simulation",
            x="share" if experiment == "prevalence" else "categories",
            y=measure,
            x_name=margins.tagset[margins.largest_category] if experiment == "prevalence" else "",
            spread="campaigns",
            points=[
                CurvePoint(
                    x=float(x),
                    y=float(curve.values[p, m]),
                    low=float(curve.bands[p, m, 0]),
                    high=float(curve.bands[p, m, 1]),
                    n=int(curve.n_defined[p, m]),
                )
                for p, x in enumerate(curve.points)
                if math.isfinite(curve.values[p, m])
            ],
        )
        for m, measure in enumerate(curve.measures)
    ]
