"""Options of the commands on exports: one class per command, composed of the measures' options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from ...data.errors import DataError
from ...data.option_names import option
from ...metrics.errors import MetricsError
from ...metrics.measures import SOFT_SCORES
from ...metrics.objects.object_distance import ObjectDistance
from ...metrics.options import (
    Chance,
    GroupComparison,
    IntervalKind,
    Option,
    Resampling,
    Sampling,
    SoftRule,
    Trimming,
    UnitMatching,
    Weights,
)
from ...metrics.prevalence.prevalence_options import PrevalenceOptions
from ...metrics.replacement.replacement_options import ReplacementSettings
from ..options import ItemLengths, MistakeOptions
from .distance_options import (
    DISTANCE,
    DISTANCE_OF_LABELS,
    CategoryDistances,
    DistancesFile,
    require_category_distance,
    require_single_label_distance,
    require_unit_distance,
)
from .reading_options import parse_tagset

if TYPE_CHECKING:
    from ...metrics.alignment.best_alignment import Objective
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.unitizing.gamma_settings import GammaSettings
    from ..options import MeasureSelection


_QUEUE: TypeAlias = Annotated[
    str | None,
    Option(
        "Queue of `accordeur next` (Parquet, or the folder of its rounds): what it chose as "
        "informative is excluded."
    ),
]
_OBJECTIVES: dict[str, Objective] = {"soft_gamma": "soft", "holistic": "mean"}


class PartKind(StrEnum):
    """What the main measure is also computed for, one by one; `annotator` leaves each out."""

    category = "category"
    pair = "pair"
    annotator = "annotator"


@dataclass(frozen=True)
class LabelOptions(CategoryDistances, IntervalKind, Sampling):
    """Which coefficients on labels; without any all the usual ones, and those of pairs for two."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only this coefficient; may be repeated. An unknown name lists them all.",
            flag="--measure",
        ),
    ] = ()
    distance: Annotated[str, DISTANCE_OF_LABELS] = "nominal"
    distances: DistancesFile = None
    object_distance: Annotated[ObjectDistance | None, Option(flag="")] = None
    complete: Annotated[
        bool,
        Option(
            "Measure only the items that every annotator labelled, as scikit-learn and R's irr do."
        ),
    ] = False
    queue: _QUEUE = None

    @property
    def analytic(self) -> bool:
        return self.interval == "analytic"

    @property
    def objects(self) -> ObjectDistance | None:
        """The distance if it is between objects; None for one between categories."""
        from ...metrics.objects.registry import OBJECT_DISTANCES

        return self.object_distance or OBJECT_DISTANCES.get(self.distance)

    @property
    def sets(self) -> bool:
        """Whether the distance compares sets of labels."""
        from ...metrics.agreement.distances import SETS

        return self.distance in SETS


@dataclass(frozen=True)
class GroupOptions(GroupComparison):
    """Groups of annotators to compare; none without a table of annotator attributes."""

    attributes: Annotated[
        Path | None,
        Option(
            "Table of annotator attributes, with a column `annotator` and a column for each "
            "attribute: also report agreement within and between the groups that they define."
        ),
    ] = None


@dataclass(frozen=True)
class ResampleOptions(CategoryDistances, Sampling, Resampling):
    """Options for the modification rate M(k) and the reliability of k annotators."""

    distance: Annotated[str, DISTANCE] = "nominal"
    distances: DistancesFile = None


def parse_numbers(given: str) -> tuple[int, ...]:
    """Parse `2,3,5` or `2-10` as numbers. Raises DataError for other formats."""
    found: set[int] = set()
    for part in given.split(","):
        first, dash, last = (text.strip() for text in part.partition("-"))
        if not (first.isdecimal() and (last.isdecimal() if dash else not last)):
            raise DataError(f"--annotators {given}: give numbers such as 2,3,5 or 2-10")
        found |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))


@dataclass(frozen=True)
class RatingOptions(Sampling):
    """Options of the study of ratings."""

    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to forecast for, such as 1-10.", text=parse_numbers),
    ] = tuple(range(1, 11))


@dataclass(frozen=True)
class UnitWeights(CategoryDistances, Weights):
    """Weights of units, with a distance between their categories."""

    def dissimilarity_for(
        self, measure: str, continua: Sequence[Continuum], *, declared: bool
    ) -> Dissimilarity:
        """Return the dissimilarity for the documents; `declared`: the tagset is given in order.

        Raises MetricsError for a setting out of range, and if a distance needs an order or numbers
        that neither the data nor the options provide.
        """
        from ...metrics.chance.corpus import corpus_of_continua
        from ...metrics.unitizing.gamma_settings import scale_distances, set_mean_length

        tagset = continua[0].tagset
        self.distance_between(tagset, declared=declared)
        if self.alpha == self.beta == 0:
            weights = f"{option('alpha', '0')} and {option('beta', '0')}"
            raise MetricsError(f"with {weights} nothing is compared: give one a weight")
        if self.distances is None:
            table = scale_distances(self.distance, tagset)
        else:
            table = self.distances.distances_in_tagset(tagset)
        found = self.dissimilarity(table, measure=measure)
        return set_mean_length(found, corpus_of_continua(continua, measure="γ"))


@dataclass(frozen=True)
class UnitComparison(UnitWeights):
    """Options for comparing two units of an export."""

    distance: Annotated[
        str,
        Option(
            "Distance between categories: nominal, ordinal (by rank), interval (by number) or tree "
            "(by the path between categories such as animal/bird; tree/. for another separator).",
            text=require_unit_distance,
        ),
    ] = "nominal"
    distances: DistancesFile = None


@dataclass(frozen=True)
class UnitOptions(Sampling, Chance, UnitComparison):
    """Options for comparing units, for chance samples and for intervals."""

    def settings(self, measure: str = "gamma") -> GammaSettings:
        """Return the settings of γ. Raises MetricsError for a setting out of range."""
        from ...metrics.unitizing.gamma_settings import GammaSettings

        return GammaSettings.from_options(self, self, _OBJECTIVES.get(measure, "sum"))


@dataclass(frozen=True)
class GammaOptions(Trimming, UnitMatching, IntervalKind, UnitOptions):
    """Which measure on units."""

    measure: Annotated[
        str,
        Option(
            "gamma (2015, with γ-cat), gamma_k, soft_gamma, holistic (2011, exact and greedy), "
            "alpha_u, u_alpha, pairwise_f and others. An unknown name lists them all."
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


def parse_multiples(given: str) -> tuple[float, ...]:
    """Parse comma-separated numbers. Raises DataError for anything else."""
    try:
        return tuple(float(part) for part in given.split(","))
    except ValueError:
        raise DataError(
            f"--factors {given}: give numbers separated by commas, such as 0.5,1,2"
        ) from None


@dataclass(frozen=True)
class CalibrationOptions(UnitOptions):
    """Settings to try around the current one."""

    precision: Annotated[float, Option("Relative precision of each expected disorder.")] = 0.02
    factors: Annotated[
        tuple[float, ...],
        Option("Multiples of the current setting to try.", text=parse_multiples),
    ] = (0.25, 0.5, 1.0, 2.0, 4.0)
    form: Annotated[
        Literal["mean", "product"],
        Option("Form of the proposed distances: mean (d_α) or product (d_κω)."),
    ] = "mean"


@dataclass(frozen=True)
class ScoreOptions(CategoryDistances, Sampling):
    """Scores to compute; by default all that do not have to be requested by name."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only this measure; may be repeated. Measures of segmentations, speakers and "
            "coreference (pk, der, muc …) are computed only on request, and distances between "
            "distributions only with --soft: `accordeur measures` lists them.",
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
        Option("The categories, separated by commas, in the scale's order.", text=parse_tagset),
    ] = ()
    distance: Annotated[
        str,
        Option(
            "Distance between categories, for p_o; an ordered one is the scale of wasserstein. An "
            "unknown name lists them all.",
            text=require_single_label_distance,
        ),
    ] = "nominal"
    distances: DistancesFile = None
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
        """Return these options, with `soft` set if only measures of distributions are selected.

        Raises MetricsError if `soft` is combined with a measure of labels or units.
        """
        if self.soft is None and self.measures and {*self.measures} <= {*SOFT_SCORES}:
            return replace(self, soft="votes")
        others = [name for name in self.measures if name not in SOFT_SCORES]
        if self.soft is not None and others:
            raise MetricsError(
                f"{', '.join(others)} is not a measure of distributions; with {option('soft')} the "
                f"measures are {', '.join(SOFT_SCORES)}"
            )
        return self

    def wants(self, name: str) -> bool:
        """Whether to print a value: `exact` selects exact_f, `f` selects exact_f and macro_f."""
        return not self.measures or any(
            name == m or name.startswith(f"{m}_") or name.endswith(f"_{m}") for m in self.measures
        )

    def selected_measures(self, main: str) -> MeasureSelection:
        """Return what to compute: the selected values; `main` is always compared."""
        from ..options import MeasureSelection

        return MeasureSelection(
            lambda measure, _: self.wants(measure),
            lambda measure: measure == main or (bool(self.measures) and self.wants(measure)),
        )


@dataclass(frozen=True)
class ReplaceOptions(UnitWeights, ItemLengths, ReplacementSettings):
    """Options for comparing systems with the annotators of an export; weights for `disorder`."""

    distance: Annotated[
        str,
        Option(
            "Distance between categories, for the alignments `similarity` and `disorder`: nominal, "
            "ordinal, interval, … An unknown name lists them all.",
            text=require_category_distance,
        ),
    ] = "nominal"
    distances: DistancesFile = None


@dataclass(frozen=True)
class EstimateOptions(PrevalenceOptions):
    """Options for estimating what a corpus contains, with how the audit is known to be random."""

    audit_is_random: Annotated[
        bool,
        Option(
            "The audited items were drawn at random (as --drawn-by says). The result states that "
            "this is your word."
        ),
    ] = False
    queue: Annotated[
        str | None,
        Option(
            "Queue of `accordeur next` (Parquet, or the folder of its rounds): the items that it "
            "drew at random are the audit; human labels of other items are not used."
        ),
    ] = None


@dataclass(frozen=True)
class MistakeSearchOptions(UnitComparison, MistakeOptions):
    """Options of the search for probable errors in an export; weights for aligning units."""


@dataclass(frozen=True)
class PlanOptions(CategoryDistances):
    """Target of a plan: a coefficient, the width of its interval, and the budget."""

    width: Annotated[float, Option("Width of the interval, from end to end.", ge=0)] = 0.1
    measure: Annotated[
        str, Option("The coefficient, or gamma for units. An unknown name lists them all.")
    ] = "krippendorff_alpha"
    distance: Annotated[str, DISTANCE] = "nominal"
    distances: DistancesFile = None
    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to plan for, such as 2,3,5 or 2-10.", text=parse_numbers),
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
