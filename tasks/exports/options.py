"""What the quick looks compute: one class of options per command, made of those of the measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from ...data.errors import DataError
from ...metrics.errors import MetricsError
from ...metrics.measures import SOFT_SCORES
from ...metrics.options import (
    Chance,
    GroupComparison,
    IntervalKind,
    Option,
    Resampling,
    Sampling,
    Scale,
    SoftRule,
    Weights,
    combine_options,
)
from ...metrics.replacement.options import ReplacementSettings
from ..options import ItemLengths, MistakeOptions, ScoringSettings
from .reading import tagset_of

if TYPE_CHECKING:
    from ...metrics.alignment.best_alignment import Objective
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.unitizing.settings import GammaSettings
    from ..scores.evaluation import MeasureSelection


def _distance(name: str) -> str:
    """The name of a distance between labels. Raises DataError for another, with their list."""
    from ...metrics.agreement.distances import IN_COMMANDS

    if name not in IN_COMMANDS:
        raise DataError(f"no distance {name!r}; the distances are {', '.join(IN_COMMANDS)}")
    return name


def _require_label_distance(name: str) -> str:
    """The name of a distance between single labels. Raises DataError for another."""
    from ...metrics.agreement.distances import OF_LABELS

    if name not in OF_LABELS:
        raise DataError(f"no distance {name!r}; the distances are {', '.join(OF_LABELS)}")
    return name


_DISTANCE = Option(
    "Distance between categories, for coefficients that take one: nominal, ordinal, interval, "
    "ratio, jaccard or masi between sets of labels. An unknown name lists them all.",
    text=_distance,
)
_QUEUE: TypeAlias = Annotated[
    str | None,
    Option(
        "Queue of `accordeur next` (Parquet, or the folder of its rounds): what it chose as "
        "informative is excluded."
    ),
]
_OBJECTIVES: dict[str, Objective] = {"soft_gamma": "soft", "holistic": "mean"}


@dataclass(frozen=True)
class LabelOptions(IntervalKind, Sampling):
    """Which coefficients on labels; without any all the usual ones, and those of pairs for two."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only this coefficient; may be repeated. An unknown name lists them all.",
            flag="--measure",
        ),
    ] = ()
    distance: Annotated[str, _DISTANCE] = "nominal"
    queue: _QUEUE = None

    @property
    def analytic(self) -> bool:
        return self.interval == "analytic"

    @property
    def sets(self) -> bool:
        """Whether the distance compares sets of labels."""
        from ...metrics.agreement.distances import SETS

        return self.distance in SETS


@dataclass(frozen=True)
class GroupOptions(GroupComparison):
    """Which groups of annotators are compared; without a table of their attributes, none."""

    attributes: Annotated[
        Path | None,
        Option(
            "Table of annotator attributes, with a column `annotator` and a column for each "
            "attribute: also report agreement within and between the groups that they define."
        ),
    ] = None


@dataclass(frozen=True)
class ResampleOptions(Sampling, Resampling):
    """How M(k) is computed, and the reliability of k annotators together."""

    distance: Annotated[str, _DISTANCE] = "nominal"


def numbers_of(given: str) -> tuple[int, ...]:
    """`2,3,5` or `2-10` as numbers. Raises DataError for anything else."""
    found: set[int] = set()
    for part in given.split(","):
        first, dash, last = (text.strip() for text in part.partition("-"))
        if not (first.isdecimal() and (last.isdecimal() if dash else not last)):
            raise DataError(f"--annotators {given}: give numbers such as 2,3,5 or 2-10")
        found |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))


@dataclass(frozen=True)
class RatingOptions(Sampling):
    """How ratings are studied."""

    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to forecast for, such as 1-10.", text=numbers_of),
    ] = tuple(range(1, 11))


@dataclass(frozen=True)
class UnitComparison(Weights):
    """How two units of an export are compared."""

    distance: Annotated[
        Scale,
        Option("Distance between categories: nominal, ordinal (by rank) or interval (by number)."),
    ] = "nominal"

    def of_corpus(
        self, measure: str, continua: Sequence[Continuum], *, declared: bool
    ) -> Dissimilarity:
        """The dissimilarity of the documents; `declared`: their tagset has the scale's order.

        Raises MetricsError for a setting out of range, and where a distance needs an order, or
        numbers, that nothing gives.
        """
        from ...metrics.agreement.distances import require_order
        from ...metrics.chance.corpus import corpus_of
        from ...metrics.unitizing.settings import for_corpus, scale_distances

        tagset = continua[0].tagset
        if not declared:
            require_order(tagset, self.distance, declare="--tagset")
        if self.alpha == self.beta == 0:
            raise MetricsError("with --alpha 0 and --beta 0 nothing is compared: give one a weight")
        found = self.dissimilarity(scale_distances(self.distance, tagset), measure=measure)
        return for_corpus(found, corpus_of(continua, measure="γ"))


@dataclass(frozen=True)
class UnitOptions(Sampling, Chance, UnitComparison):
    """How units are compared, and their chance and intervals."""

    def settings(self, measure: str = "gamma") -> GammaSettings:
        """Raises MetricsError for a setting out of range."""
        from ...metrics.unitizing.settings import GammaSettings

        return combine_options(GammaSettings, self, objective=_OBJECTIVES.get(measure, "sum"))


@dataclass(frozen=True)
class GammaOptions(IntervalKind, UnitOptions):
    """Which measure on units."""

    measure: Annotated[
        str,
        Option(
            "gamma (2015, with γ-cat), gamma_k, soft_gamma, holistic (2011, exact and greedy), "
            "alpha_u, u_alpha and others. An unknown name lists them all."
        ),
    ] = "gamma"
    empty_pairs: Annotated[
        bool,
        Option(
            "Also compute γ-cat as in pygamma-agreement, where pairs with the empty unit count."
        ),
    ] = False
    queue: _QUEUE = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_no_analytic("units")


def factors_of(given: str) -> tuple[float, ...]:
    """Raises DataError for anything but numbers."""
    try:
        return tuple(float(part) for part in given.split(","))
    except ValueError:
        raise DataError(
            f"--factors {given}: give numbers separated by commas, such as 0.5,1,2"
        ) from None


@dataclass(frozen=True)
class CalibrationOptions(UnitOptions):
    """Which settings are tried, around the present one."""

    precision: Annotated[float, Option("Relative precision of each expected disorder.")] = 0.02
    factors: Annotated[
        tuple[float, ...],
        Option("Multiples of the current setting to try.", text=factors_of),
    ] = (0.25, 0.5, 1.0, 2.0, 4.0)
    form: Annotated[
        Literal["mean", "product"],
        Option("Form of the proposed distances: mean (d_α) or product (d_κω)."),
    ] = "mean"


@dataclass(frozen=True)
class ScoreOptions(ScoringSettings):
    """Which scores are computed; without any measure all that need not be asked for."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only this measure; may be repeated. Some measures are computed only on request (pk, "
            "window_diff, ghd, boundary_similarity, segmentation_similarity, der, muc, b_cubed, "
            "ceaf_m, ceaf_e, blanc, conll), some only with --soft (manhattan, cross_entropy, "
            "jensen_shannon, wasserstein, annotator_error_rate).",
            flag="--measure",
        ),
    ] = ()
    soft: Annotated[
        SoftRule | None,
        Option(
            "Score against the distribution of the labels of all annotators of the reference's "
            "export: the shares of their labels (votes), the same shrunk towards the shares over "
            "all items (dirichlet), or the posterior of the true category (dawid_skene). Systems "
            "give labels, or tables with `item` and a column per category."
        ),
    ] = None
    tagset: Annotated[
        tuple[str, ...],
        Option("The categories, separated by commas, in the scale's order.", text=tagset_of),
    ] = ()
    distance: Annotated[
        str,
        Option(
            "Distance between categories, for p_o; an ordered one is the scale of wasserstein. An "
            "unknown name lists them all.",
            text=_require_label_distance,
        ),
    ] = "nominal"
    window: Annotated[
        int | None,
        Option(
            "Window of pk and window_diff, in positions; default: half the mean reference segment.",
            ge=1,
        ),
    ] = None
    collar: Annotated[
        int,
        Option(
            "For der: milliseconds to exclude around each reference bound, half on either side "
            "(NIST's collar of 0.25 s is 500).",
            ge=0,
        ),
    ] = 0
    skip_overlap: Annotated[
        bool, Option("For der: exclude times at which two speakers of the reference speak.")
    ] = False

    def with_soft(self) -> ScoreOptions:
        """The same with `soft` where only measures of distributions are asked for.

        Raises MetricsError for a measure of labels or units beside `soft`.
        """
        if self.soft is None and self.measures and {*self.measures} <= {*SOFT_SCORES}:
            return replace(self, soft="votes")
        others = [name for name in self.measures if name not in SOFT_SCORES]
        if self.soft is not None and others:
            raise MetricsError(
                f"{', '.join(others)} is not a measure of distributions; with --soft the measures "
                f"are {', '.join(SOFT_SCORES)}"
            )
        return self

    def wants(self, name: str) -> bool:
        """Whether a value is printed: `exact` asks for exact_f, `f` for exact_f and macro_f."""
        return not self.measures or any(
            name == m or name.startswith(f"{m}_") or name.endswith(f"_{m}") for m in self.measures
        )

    def wanted(self, main: str) -> MeasureSelection:
        """What is computed: what `wants` says, and `main` at least is compared."""
        from ..scores.evaluation import MeasureSelection

        return MeasureSelection(
            lambda measure, _: self.wants(measure),
            lambda measure: measure == main or (bool(self.measures) and self.wants(measure)),
        )


@dataclass(frozen=True)
class ReplaceOptions(Weights, ItemLengths, ReplacementSettings):
    """Which systems may replace an annotator of an export; weights for the alignment `disorder`."""

    distance: Annotated[
        str,
        Option(
            "Distance between categories, for the alignments `similarity` and `disorder`: nominal, "
            "ordinal, interval, … An unknown name lists them all.",
            text=_distance,
        ),
    ] = "nominal"


@dataclass(frozen=True)
class MistakeSearchOptions(UnitComparison, MistakeOptions):
    """Which annotations of an export are probable errors; weights for the alignment of units."""


@dataclass(frozen=True)
class PlanOptions:
    """What is planned for: a coefficient, the width of its interval, and what may be spent."""

    width: Annotated[float, Option("Width of the interval, from end to end.", ge=0)] = 0.1
    measure: Annotated[
        str, Option("The coefficient, or gamma for units. An unknown name lists them all.")
    ] = "krippendorff_alpha"
    distance: Annotated[str, _DISTANCE] = "nominal"
    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to plan for, such as 2,3,5 or 2-10.", text=numbers_of),
    ] = tuple(range(2, 11))
    level: Annotated[float, Option("Level of the interval: 0.9, 0.95 or 0.99.")] = 0.95
    crew: Annotated[
        bool, Option("Plan for new annotators from the same population as the pilot's.")
    ] = False
    crowd: Annotated[
        bool, Option("Different annotators label each item: plan for labels per item.")
    ] = False
    budget: Annotated[
        float | None, Option("Budget: show how many documents and which widths it allows.")
    ] = None
    cost_per_label: Annotated[float, Option("Cost of one label.")] = 1.0
    cost_per_annotator: Annotated[float, Option("Cost of training one annotator.")] = 0.0
    seed: Annotated[int, Option("Seed of every sample.")] = 0
