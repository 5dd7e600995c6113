"""The coefficients on items: how each of the registry is computed, and what it can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from .formulas import aickin, alpha, finn, gwet, kappa
from .formulas.spread import Spread
from .sums import Sums

Floats = NDArray[np.float64]
Annotators = Literal["two", "many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientSpec:
    """How a coefficient is computed; what it is called and cited by stands in `metrics.measures`.

    disagreements  D_o and D_e of B batch elements; the value is 1 − D_o/D_e
    annotators    `two`: asked of more it is nan, and its reason names `generalisation`
    weighted      it takes the distance asked for; otherwise it is always `own_distance`
    has_observed, has_expected  whether it has a p_o and a p_e
    paired_marginals  an ordinal distance reads the margins of the paired labels (α), not of all
    complete_items    it reads the items that every annotator labelled
    confusions        it reads the table of each pair of annotators
    """

    name: str
    label: str
    disagreements: Callable[[Sums, Spread], kappa.Disagreements]
    annotators: Annotators = "many"
    weighted: bool = False
    generalisation: str = ""
    own_distance: str = "nominal"
    has_observed: bool = True
    has_expected: bool = True
    paired_marginals: bool = False
    complete_items: bool = False
    confusions: bool = False


COEFFICIENTS: dict[str, CoefficientSpec] = {
    spec.name: spec
    for spec in (
        CoefficientSpec(
            name="percent_agreement",
            label="Percent agreement",
            disagreements=kappa.percent,
            has_expected=False,
        ),
        CoefficientSpec(
            name="weighted_agreement",
            label="Weighted percent agreement",
            disagreements=kappa.percent,
            weighted=True,
            has_expected=False,
        ),
        CoefficientSpec(
            name="bennett_s",
            label="Bennett's S",
            disagreements=kappa.bennett,
        ),
        CoefficientSpec(
            name="weighted_s",
            label="Weighted S (Brennan–Prediger)",
            disagreements=kappa.bennett,
            weighted=True,
        ),
        CoefficientSpec(
            name="scott_pi",
            label="Scott's π",
            disagreements=kappa.fleiss,
            annotators="two",
            generalisation="fleiss_kappa",
        ),
        CoefficientSpec(
            name="fleiss_kappa",
            label="Fleiss' κ (multi-π)",
            disagreements=kappa.fleiss,
        ),
        CoefficientSpec(
            name="weighted_pi",
            label="Weighted π",
            disagreements=kappa.fleiss,
            weighted=True,
        ),
        CoefficientSpec(
            name="cohen_kappa",
            label="Cohen's κ",
            disagreements=kappa.conger,
            annotators="two",
            generalisation="conger_kappa",
        ),
        CoefficientSpec(
            name="conger_kappa",
            label="Conger's κ (multi-κ)",
            disagreements=kappa.conger,
        ),
        CoefficientSpec(
            name="hubert_kappa",
            label="Hubert's κ",
            disagreements=kappa.hubert,
            confusions=True,
        ),
        CoefficientSpec(
            name="weighted_kappa",
            label="Weighted κ",
            disagreements=kappa.conger,
            weighted=True,
        ),
        CoefficientSpec(
            name="krippendorff_alpha",
            label="Krippendorff's α",
            disagreements=alpha.krippendorff,
            weighted=True,
            paired_marginals=True,
        ),
        CoefficientSpec(
            name="gwet_ac1",
            label="Gwet's AC1",
            disagreements=gwet.gwet,
        ),
        CoefficientSpec(
            name="gwet_ac2",
            label="Gwet's AC2",
            disagreements=gwet.gwet,
            weighted=True,
        ),
        CoefficientSpec(
            name="aickin_alpha",
            label="Aickin's α",
            disagreements=aickin.aickin,
            complete_items=True,
        ),
        CoefficientSpec(
            name="finn_r",
            label="Finn's R",
            disagreements=finn.finn,
            own_distance="squared ranks",
            has_observed=False,
            has_expected=False,
        ),
    )
}


def specification(measure: str) -> CoefficientSpec:
    """The spec of a measure. Raises MetricsError for an unknown name."""
    if measure not in COEFFICIENTS:
        raise MetricsError(f"unknown coefficient {measure!r}; known: {', '.join(COEFFICIENTS)}")
    return COEFFICIENTS[measure]
