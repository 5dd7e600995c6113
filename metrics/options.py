"""Options: one frozen class per concept, each field declared once with default, range and help.

    @dataclass(frozen=True)
    class Intervals:
        replicates: Annotated[int, Option("bootstrap replicates; 0: no interval", ge=0)] = 1000

From such a class come the section of a TOML file (`flows/toml_file.py`), the options of a command
(`flows/commands/options.py`) and the object that the measures take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from .errors import MetricsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from . import bootstrap
    from .alignment.dissimilarity import Dissimilarity


Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class Option:
    """What a field of a class of options accepts, and what it is for.

    help        one line, for the command line and for the schema of the TOML file
    flag        on the command line; None: made from the field's name, "": not on the command line
    text        makes the value from the text of the command line (a list of texts for a mapping)
    ge, gt, le, lt, min_length   the range
    """

    help: str = ""
    flag: str | None = None
    text: Callable[[Any], Any] | None = None
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    min_length: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """The range, as pydantic takes it."""
        import annotated_types

        ranges = {
            "ge": annotated_types.Ge,
            "gt": annotated_types.Gt,
            "le": annotated_types.Le,
            "lt": annotated_types.Lt,
            "min_length": annotated_types.MinLen,
        }
        given = {name: getattr(self, name) for name in ranges}
        bounds = [ranges[name](bound) for name, bound in given.items() if bound is not None]
        if not bounds:
            return handler(source)
        for bound in bounds:
            source = Annotated[source, bound]
        return handler.generate_schema(source)  # drops validators that stand before the option

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """The help, as the field's description."""
        schema = handler(core_schema)
        return {**schema, "description": self.help} if self.help else schema


@dataclass(frozen=True)
class Intervals:
    """How confidence intervals are drawn."""

    replicates: Annotated[int, Option("Bootstrap replicates; 0: no interval.", ge=0)] = 1000
    level: Annotated[float, Option("Level of the intervals.", gt=0.5, lt=1)] = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise MetricsError(
                f"the level of the interval is {self.level:g}: it must lie between 0 and 1"
            )
        if self.replicates < 0:
            raise MetricsError(f"replicates is {self.replicates}: it must be at least 0")


@dataclass(frozen=True)
class Sampling(Intervals):
    """How intervals are drawn, with the seed of every sample."""

    seed: Annotated[int, Option("Seed of every sample.", ge=0)] = 0

    @property
    def analytic(self) -> bool:
        """Whether intervals are from Gwet's variance instead of a bootstrap."""
        return False

    @property
    def gives_intervals(self) -> bool:
        return self.analytic or self.replicates > 0

    @property
    def arguments(self) -> bootstrap.Sampling:
        """As functions that draw an interval take them."""
        return {"n_replicates": self.replicates, "level": self.level, "seed": self.seed}


RANDOM_SHARE = 0.45  # of the labels of a round; see benchmarks/results/next-labels.md
RANDOM_DEPTH = 4  # labels of the random share on an item


def combine_options(kind: type[Kind], *parts: object, **given: object) -> Kind:
    """Options of that class with what is given, and of its other fields what one of the parts has.

    Fields that no part has keep their default.
    """
    for field in fields(kind):  # type: ignore[arg-type]  # classes of options are dataclasses
        for part in parts:
            if field.name not in given and hasattr(part, field.name):
                given[field.name] = getattr(part, field.name)
    return kind(**given)


Position = Literal["positional", "sporadic", "hamming"]
Scale = Literal["nominal", "ordinal", "interval"]  # of the categories of units


@dataclass(frozen=True)
class Weights:
    """How the dissimilarity of two units weighs position and category."""

    position: Annotated[
        Position | None,
        Option(
            "How positions are compared: positional (2015), sporadic or hamming (2011). Default: "
            "positional; for the holistic measure, sporadic."
        ),
    ] = None
    alpha: Annotated[float, Option("Weight of position.", ge=0)] = 1.0
    beta: Annotated[float, Option("Weight of category.", ge=0)] = 1.0
    delta_empty: Annotated[
        float | None, Option("Δ∅, the cost of the empty unit. Default: 1; for sporadic, 4.", gt=0)
    ] = None
    unlabelled_distance: Annotated[
        float, Option("Distance between a unit without a category and a unit with one.", ge=0, le=1)
    ] = 1.0

    def dissimilarity(
        self,
        category_distances: NDArray[np.float64] | None = None,
        *,
        measure: str = "gamma",
        mean_length: float | None = None,
    ) -> Dissimilarity:
        """As the measure has it where nothing is given (γ as in 2015, holistic as in 2011).

        mean_length  of the campaign's units, which only `hamming` looks at
        """
        from .alignment.dissimilarity import SPORADIC_DELTA_EMPTY, Dissimilarity

        position = self.position or ("sporadic" if measure.startswith("holistic") else "positional")
        default = SPORADIC_DELTA_EMPTY if position == "sporadic" else 1.0
        return Dissimilarity(
            position,
            self.alpha,
            self.beta,
            default if self.delta_empty is None else self.delta_empty,
            category_distances,
            mean_length,
            self.unlabelled_distance,
        )


Process = Literal["random1", "random2", "shuffle", "statistical"]
Reconcile = Literal["rescale", "tile", "truncate"]
Axis = Literal["real", "integer"]


@dataclass(frozen=True)
class Chance:
    """How chance is sampled for measures on units."""

    processes: Annotated[
        tuple[Process, ...],
        Option(
            "Chance model: random1, random2, shuffle or statistical. If several are given, "
            "the model with the lowest expected disorder is used. Default: random2 with five "
            "documents or more, else shuffle and statistical.",
            flag="--process",
        ),
    ] = ()
    precision: Annotated[
        float, Option("Relative precision of the expected disorder.", gt=0, lt=1)
    ] = 0.01
    min_samples: Annotated[int, Option("Minimum number of chance samples.", ge=2)] = 30
    max_samples: Annotated[int, Option("Maximum number of chance samples.", ge=2)] = 10_000
    reconcile: Annotated[
        Reconcile, Option("How random2 brings documents of different lengths to the same length.")
    ] = "rescale"
    min_gap: Annotated[
        float,
        Option("Minimum distance between two pivots of shuffle, in mean unit lengths.", ge=0),
    ] = 1.0
    axis: Annotated[Axis, Option("Whether pivots of shuffle are real numbers or integers.")] = (
        "real"
    )
    max_documents: Annotated[
        int,
        Option(
            "Maximum number of documents of a campaign from which virtual continua are drawn.",
            flag="",
            ge=2,
        ),
    ] = 20_000


Ties = Literal["random", "nearest_mean", "abstain"]
SoftRule = Literal["votes", "dirichlet", "dawid_skene"]


@dataclass(frozen=True)
class GroupComparison:
    """How groups of annotators are compared."""

    smallest_group: Annotated[
        int,
        Option("Minimum number of annotators in a group that is reported.", ge=2),
    ] = 3
    permutations: Annotated[
        int,
        Option("Number of random groupings in the permutation test; 0: no test.", ge=0),
    ] = 999


@dataclass(frozen=True)
class Resampling:
    """How much of the majority reference depends on who annotated."""

    ties: Annotated[Ties, Option("How a tied majority is resolved.")] = "random"
    max_annotators: Annotated[
        int,
        Option(
            "Maximum number of annotators for which M(k) is computed in a campaign.", flag="", ge=2
        ),
    ] = 200


Degradation = Literal["shift", "omission", "false_positives", "category", "split", "merge"]
# Measures on units that a reading grid may have.
GridMeasure = Literal[
    "gamma",
    "soft_gamma",
    "holistic",
    "gamma_cat",
    "alpha_u",
    "u_alpha",
    "u_alpha_binary",
    "cu_alpha",
]
