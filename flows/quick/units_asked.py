"""How exports of units are read and measured by the quick looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...data.schema import Role
from ...metrics.errors import MetricsError

if TYPE_CHECKING:
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.unitizing.settings import GammaSettings

UnitMeasure = str  # of `metrics.measures.UNITS`


@dataclass(frozen=True, slots=True)
class UnitReading:
    """How exports of units are read: `format` and `options` as `accordeur formats` has them.

    strict  refuse the exports for a row that cannot be measured, instead of setting the row aside
    tagset  the categories in the scale's order; empty: those found
    roles   of annotators, where the exports do not say them
    """

    format: str = "auto"
    options: Mapping[str, str] = field(default_factory=dict)
    layer: str | None = None
    strict: bool = False
    tagset: tuple[str, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Weighing:
    """How two units are compared; None: as the measure has it (γ that of 2015, holistic 2011's).

    distance  between categories: nominal, ordinal (by rank) or interval (by number)
    """

    position: str | None = None
    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float | None = None
    distance: str = "nominal"

    def dissimilarity(
        self, measure: UnitMeasure = "gamma", tagset: Sequence[str] = ()
    ) -> Dissimilarity:
        """Raises MetricsError for a setting out of range."""
        from ...metrics.alignment.dissimilarity import SPORADIC_DELTA_EMPTY, Dissimilarity
        from ...metrics.unitizing.category_scales import scale_distances

        if self.alpha == self.beta == 0:
            raise MetricsError("with --alpha 0 and --beta 0 nothing is compared: give one a weight")
        position = self.position or ("sporadic" if measure.startswith("holistic") else "positional")
        default = SPORADIC_DELTA_EMPTY if position == "sporadic" else 1.0
        return Dissimilarity(
            position,  # type: ignore[arg-type]  # the command checks it
            self.alpha,
            self.beta,
            default if self.delta_empty is None else self.delta_empty,
            scale_distances(self.distance, tagset),
        )

    def of_corpus(
        self, measure: UnitMeasure, continua: Sequence[Continuum], *, declared: bool
    ) -> Dissimilarity:
        """The same with what depends on the units; `declared`: their tagset has the scale's order.

        Raises MetricsError where a distance needs an order, or numbers, that nothing gives.
        """
        from ...metrics.agreement.distances import require_order
        from ...metrics.chance.corpus import corpus_of
        from ...metrics.unitizing.settings import for_corpus

        tagset = continua[0].tagset
        if not declared:
            require_order(tagset, self.distance, declare="--tagset")
        return for_corpus(self.dissimilarity(measure, tagset), corpus_of(continua, measure="γ"))


@dataclass(frozen=True, slots=True)
class AskedOfUnits:
    """Which measure, its chance and its interval.

    empty_pairs  beside γ-cat its variant that counts pairs with the empty unit
    """

    measure: UnitMeasure = "gamma"
    weighing: Weighing = Weighing()
    processes: tuple[str, ...] = ()
    precision: float = 0.01
    n_replicates: int = 1000
    seed: int = 0
    empty_pairs: bool = False

    def settings(self) -> GammaSettings:
        """Raises MetricsError for a setting out of range."""
        from ...metrics.unitizing.settings import GammaSettings

        return GammaSettings(
            processes=self.processes or None,  # type: ignore[arg-type]  # the settings check them
            precision=self.precision,
            seed=self.seed,
            n_replicates=self.n_replicates,
            objective={"soft_gamma": "soft", "holistic": "mean"}.get(self.measure, "sum"),  # type: ignore[arg-type]  # as said
        )
