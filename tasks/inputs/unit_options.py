"""Options of the commands on units: how they are compared, and γ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from ...data.errors import DataError
from ...data.option_names import option
from ...metrics.errors import MetricsError
from ...metrics.measures import objective_of
from ...metrics.options import (
    Chance,
    IntervalKind,
    Option,
    Sampling,
    Trimming,
    UnitMatching,
    Weights,
)
from .distance_options import (
    FILE_OF_DISTANCES,
    NOMINAL,
    SCALE,
    CategoryDistances,
    ChosenDistance,
    choose_unit_distance,
)
from .measure_names import names_and_distance
from .reading_options import QUEUE

if TYPE_CHECKING:
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.units.gamma_settings import GammaSettings


@dataclass(frozen=True)
class UnitWeights(CategoryDistances, Weights):
    """Weights of units, with a distance between their categories."""

    def dissimilarity_for(
        self, measure: str, continua: Sequence[Continuum], *, tagset_is_declared: bool
    ) -> Dissimilarity:
        """Return the dissimilarity for the documents; `tagset_is_declared`: it is given in order.

        Raises MetricsError for a setting out of range, and if a distance needs an order or numbers
        that neither the data nor the options provide.
        """
        from ...metrics.chance.corpus import corpus_of_continua
        from ...metrics.units.gamma_settings import scale_distances, set_mean_length

        tagset = continua[0].tagset
        self.distance_between_categories(tagset, tagset_is_declared=tagset_is_declared)
        if self.alpha == self.beta == 0:
            weights = f"{option('alpha', '0')} and {option('beta', '0')}"
            raise MetricsError(f"with {weights} nothing is compared: give one a weight")
        if self.distance.table is None:
            table = scale_distances(self.distance.name, tagset)
        else:
            table = self.distance.table.distances_in_tagset(tagset)
        found = self.dissimilarity(table, objective=objective_of(measure))
        return set_mean_length(found, corpus_of_continua(continua, measure="γ"))


@dataclass(frozen=True)
class UnitComparison(UnitWeights):
    """Options for comparing two units of an export."""

    distance: Annotated[
        ChosenDistance,
        Option(
            "Distance between categories: nominal, ordinal (by rank), interval (by number) or tree "
            "(by the path between categories such as animal/bird; tree/. for another separator). "
            f"{FILE_OF_DISTANCES}",
            text=choose_unit_distance,
            other_flags=SCALE,
        ),
    ] = NOMINAL


@dataclass(frozen=True)
class UnitOptions(Sampling, Chance, UnitComparison):
    """Options for comparing units, for chance samples and for intervals."""

    def settings(self, measure: str = "gamma") -> GammaSettings:
        """Return the settings of γ. Raises MetricsError for a setting out of range."""
        from ...metrics.units.gamma_settings import GammaSettings

        return GammaSettings.from_options(self, self, objective_of(measure))


@dataclass(frozen=True)
class CardOptions(Sampling, UnitComparison):
    """Options of the cards of annotators; weights for aligning units."""


@dataclass(frozen=True)
class GammaOptions(Trimming, UnitMatching, IntervalKind, UnitOptions):
    """Which measure on units."""

    measure: Annotated[
        str,
        Option(
            "gamma (2015, with γ-cat), gamma_k, soft_gamma, holistic (2011, exact and greedy), "
            "alpha_u, u_alpha, pairwise_f and others; several with commas. An unknown name lists "
            "them all."
        ),
    ] = "gamma"
    empty_pairs: Annotated[
        bool,
        Option(
            "Also compute γ-cat as in pygamma-agreement, where pairs with the empty unit count."
        ),
    ] = False
    queue: QUEUE = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_no_analytic("units")
        (name,), distance = names_and_distance((self.measure,), self.distance)
        object.__setattr__(self, "measure", name)
        object.__setattr__(self, "distance", distance)


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
