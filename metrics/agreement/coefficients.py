"""The coefficients on items: their names, chance models, sources and what each can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from .formulas import aickin, alpha, finn, gwet, kappa
from .formulas.spread import Spread
from .sources import SOURCES
from .sums import Sums

Floats = NDArray[np.float64]
Annotators = Literal["two", "many"]

AVAILABLE = "Every item with two labels counts; chance is estimated from all labels."
COMPLETE = "Items that every annotator labelled; the others are left out."
NO_CHANCE = "None: the share of pairs of labels that agree."
UNIFORM = "Categories are drawn uniformly from the declared tagset, used or not."
POOLED = "Categories are drawn from the distribution of all annotators together."
OWN = "Each annotator draws from their own distribution of categories."


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientSpec:
    """What a coefficient is, for people and for the code that computes it.

    chance_model  how labels would fall by chance, in one sentence
    source        its key in `sources`
    disagreements  D_o and D_e of B batch elements; the value is 1 − D_o/D_e
    annotators    `two`: asked of more it is nan, and its reason names `generalisation`
    weighted      it takes the distance asked for; otherwise it is always `own_distance`
    missing       how items with missing labels take part, in one sentence
    has_observed, has_expected  whether it has a p_o and a p_e
    paired_marginals  an ordinal distance reads the margins of the paired labels (α), not of all
    complete_items    it reads the items that every annotator labelled
    confusions        it reads the table of each pair of annotators
    """

    name: str
    label: str
    chance_model: str
    source: str
    disagreements: Callable[[Sums, Spread], kappa.Disagreements]
    annotators: Annotators = "many"
    weighted: bool = False
    missing: str = AVAILABLE
    generalisation: str = ""
    own_distance: str = "nominal"
    has_observed: bool = True
    has_expected: bool = True
    paired_marginals: bool = False
    complete_items: bool = False
    confusions: bool = False

    @property
    def publication(self) -> str:
        """The publication, in short."""
        return SOURCES[self.source][0]

    @property
    def bibtex(self) -> str:
        """The publication as a BibTeX entry."""
        return SOURCES[self.source][1]


COEFFICIENTS: dict[str, CoefficientSpec] = {
    spec.name: spec
    for spec in (
        CoefficientSpec(
            name="percent_agreement",
            label="Percent agreement",
            chance_model=NO_CHANCE,
            source="artstein2008",
            disagreements=kappa.percent,
            has_expected=False,
        ),
        CoefficientSpec(
            name="weighted_agreement",
            label="Weighted percent agreement",
            chance_model=NO_CHANCE,
            source="gwet2014",
            disagreements=kappa.percent,
            weighted=True,
            has_expected=False,
        ),
        CoefficientSpec(
            name="bennett_s",
            label="Bennett's S",
            chance_model=UNIFORM,
            source="bennett1954",
            disagreements=kappa.bennett,
        ),
        CoefficientSpec(
            name="weighted_s",
            label="Weighted S (Brennan–Prediger)",
            chance_model=UNIFORM,
            source="brennan1981",
            disagreements=kappa.bennett,
            weighted=True,
        ),
        CoefficientSpec(
            name="scott_pi",
            label="Scott's π",
            chance_model=POOLED,
            source="scott1955",
            disagreements=kappa.fleiss,
            annotators="two",
            generalisation="fleiss_kappa",
        ),
        CoefficientSpec(
            name="fleiss_kappa",
            label="Fleiss' κ (multi-π)",
            chance_model=POOLED,
            source="fleiss1971",
            disagreements=kappa.fleiss,
        ),
        CoefficientSpec(
            name="weighted_pi",
            label="Weighted π",
            chance_model=POOLED,
            source="gwet2014",
            disagreements=kappa.fleiss,
            weighted=True,
        ),
        CoefficientSpec(
            name="cohen_kappa",
            label="Cohen's κ",
            chance_model=OWN,
            source="cohen1960",
            disagreements=kappa.conger,
            annotators="two",
            generalisation="conger_kappa",
        ),
        CoefficientSpec(
            name="conger_kappa",
            label="Conger's κ (multi-κ)",
            chance_model=OWN,
            source="conger1980",
            disagreements=kappa.conger,
        ),
        CoefficientSpec(
            name="hubert_kappa",
            label="Hubert's κ",
            chance_model="Each of a pair draws from their own labels of that pair's items.",
            source="hubert1977",
            disagreements=kappa.hubert,
            missing="Each pair of annotators by the items both labelled; pairs weigh the same.",
            confusions=True,
        ),
        CoefficientSpec(
            name="weighted_kappa",
            label="Weighted κ",
            chance_model=OWN,
            source="cohen1968",
            disagreements=kappa.conger,
            weighted=True,
        ),
        CoefficientSpec(
            name="krippendorff_alpha",
            label="Krippendorff's α",
            chance_model="Labels are drawn without replacement from all the paired labels.",
            source="krippendorff2004",
            disagreements=alpha.krippendorff,
            weighted=True,
            missing="Every item with two labels counts, by its number of labels; others do not.",
            paired_marginals=True,
        ),
        CoefficientSpec(
            name="gwet_ac1",
            label="Gwet's AC1",
            chance_model="Chance acts only on hard items; there, categories are uniform.",
            source="gwet2008",
            disagreements=gwet.gwet,
        ),
        CoefficientSpec(
            name="gwet_ac2",
            label="Gwet's AC2",
            chance_model="As AC1, with partial agreement between near categories.",
            source="gwet2014",
            disagreements=gwet.gwet,
            weighted=True,
        ),
        CoefficientSpec(
            name="aickin_alpha",
            label="Aickin's α",
            chance_model="Easy items are labelled alike; on the others each draws for themselves.",
            source="aickin1990",
            disagreements=aickin.aickin,
            missing=COMPLETE,
            complete_items=True,
        ),
        CoefficientSpec(
            name="finn_r",
            label="Finn's R",
            chance_model="Ranks are drawn uniformly from the declared scale.",
            source="finn1970",
            disagreements=finn.finn,
            own_distance="squared ranks",
            has_observed=False,
            has_expected=False,
        ),
    )
}

DEFAULT_MEASURES = (
    "percent_agreement",
    "bennett_s",
    "fleiss_kappa",
    "conger_kappa",
    "krippendorff_alpha",
    "gwet_ac1",
)


def specification(measure: str) -> CoefficientSpec:
    """The spec of a measure. Raises MetricsError for an unknown name."""
    if measure not in COEFFICIENTS:
        raise MetricsError(f"unknown coefficient {measure!r}; known: {', '.join(COEFFICIENTS)}")
    return COEFFICIENTS[measure]
