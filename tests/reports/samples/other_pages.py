"""A study, a simulation and a calibration, for the pages that are not of a campaign."""

from __future__ import annotations

import math

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.results import DocumentShare, ProposedDistance, SettingPoint
from accordeur.reports.calibration.calibration_results import CalibrationResults
from accordeur.reports.study import study_results as studies
from tests.reports.samples.parts import VERSION, run


def study() -> studies.StudyResults:
    """M(k) of two ways to break ties, over k and over α, with its worst subsets."""
    parts = [
        studies.StudyPart(
            label=f"ties {ties}",
            apart={"ties": ties},
            settings={"kind": "subsets", "ties": ties, "n_annotators": 9},
            n_trials=502,
            curves=[
                studies.StudyCurve(
                    name="exact",
                    x="k",
                    y="modification_rate",
                    spread="items",
                    points=[
                        studies.CurvePoint(
                            x=k, y=base / k, low=base / k - 0.01, high=base / k + 0.02, n=200
                        )
                        for k in range(1, 10)
                    ],
                ),
                studies.StudyCurve(
                    name="subsets",
                    x="k",
                    y="modification_rate",
                    spread="subsets",
                    points=[
                        studies.CurvePoint(x=k, y=base / k, low=0.0, high=base, sd=0.02, n=9)
                        for k in range(1, 10)
                    ],
                ),
            ],
            worst=[studies.WorstSubset(k=3, rate=0.31, annotators=["Ana", "Bruno", "Chloé"])],
            signature=f"modification_rate|ties:{ties}|{VERSION}",
        )
        for ties, base in (("random", 0.3), ("nearest_mean", 0.24))
    ]
    return studies.StudyResults(
        name="Fewer annotators", kind="subsets", trials=502, seed=7, run=run(), parts=parts
    )


def simulation() -> studies.StudyResults:
    """Coefficients of two annotators who stay as good while a category becomes rarer."""
    shares = [0.01, 0.05, 0.1, 0.3, 0.5]
    curves = [
        studies.StudyCurve(
            name="simulation",
            x="share",
            y=measure,
            x_name="for",
            points=[studies.CurvePoint(x=share, y=low + slope * share, n=200) for share in shares],
        )
        for measure, low, slope in (
            ("krippendorff_alpha", 0.62, 0.14),
            ("cohen_kappa", 0.6, 0.16),
            ("percent_agreement", 0.9, 0.0),
        )
    ]
    part = studies.StudyPart(
        label="",
        settings={"accuracy": 0.95, "own": 0.1},
        n_trials=200,
        curves=curves,
        signature=f"simulation|moved:prevalence|{VERSION}",
    )
    return studies.StudyResults(
        name="Rare category",
        kind="prevalence",
        trials=200,
        seed=7,
        run=run(),
        observed={"krippendorff_alpha": 0.66},
        parts=[part],
    )


def calibration() -> CalibrationResults:
    """How γ moves with Δ∅, and two proposed distances."""
    values = [0.25, 0.5, 1.0, 2.0, 4.0]
    return CalibrationResults(
        name="Coastal news",
        layer="entities",
        position="positional",
        alpha=1,
        beta=1,
        delta_empty=1,
        present=Estimate("gamma", 0.724, interval=(0.69, 0.75), n_items=131, n_annotators=3),
        n_documents=12,
        curves={
            "delta_empty": [
                SettingPoint(
                    x,
                    Estimate("gamma", 0.7 + i / 50, interval=(0.66 + i / 50, 0.78)),
                    131,
                    DocumentShare(0.8 + i / 25, (math.nan, math.nan)),
                    DocumentShare(0.9 + i / 50, (math.nan, math.nan)),
                )
                for i, x in enumerate(values)
            ]
        },
        form="mean",
        distances=[(ProposedDistance("person", "organisation", 0.6, (0.4, 0.8), 12.0), 1.0)],
        unseen=(),
        toml="[units]\ndelta_empty = 1.0\n",
        signatures=[f"gamma|delta_empty:1|{VERSION}"],
        run=run(),
    )
