"""Options: one frozen class per concept, each field declared once with default, range and help.

    @dataclass(frozen=True)
    class Intervals:
        replicates: Annotated[int, Option("bootstrap replicates; 0: no interval", ge=0)] = 1000

Such a class defines the section of a TOML file (`flows/toml_file.py`), the options of a command
(`flows/commands/typer_options.py`) and the object that is passed to the measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Literal

from .arrays import Floats
from .errors import MetricsError
from .measure import Objective

if TYPE_CHECKING:
    from .alignment.dissimilarity import Dissimilarity


@dataclass(frozen=True, slots=True)
class Option:
    """Range and description of a field of an options class.

    help        one line, for the command line and for the schema of the TOML file
    flag        name on the command line; None: derived from the field's name, "": not on the
                command line
    text        converts the text from the command line to the value (a list of texts for a mapping)
    other_flags  further names on the command line
    separated    whether several values may also stand in one, separated by commas
    ge, gt, le, lt, min_length   the range
    """

    help: str = ""
    flag: str | None = None
    text: Callable[[Any], Any] | None = None
    other_flags: tuple[str, ...] = ()
    separated: bool = False
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    min_length: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Add the range to pydantic's schema."""
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
        return handler.generate_schema(source)  # drops validators placed before the option

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """Add the help as the field's description."""
        schema = handler(core_schema)
        return {**schema, "description": self.help} if self.help else schema


def field_values(options: type[Any], section: object) -> dict[str, Any]:
    """Return what a section, or an object with further fields, has for the fields of options."""
    return {one.name: getattr(section, one.name) for one in fields(options)}


def require_count(name: str, value: object) -> None:
    """Raise MetricsError unless the value is a whole number of at least 0."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise MetricsError(f"{name} is {value!r}: it must be a whole number")
    if value < 0:
        raise MetricsError(f"{name} is {value}: it must be at least 0")


Interval = Literal["bootstrap", "analytic", "annotators"]


@dataclass(frozen=True)
class Intervals:
    """How confidence intervals are computed."""

    replicates: Annotated[int, Option("Bootstrap replicates; 0: no interval.", ge=0)] = 1000
    confidence_level: Annotated[
        float, Option("Confidence level of the intervals.", gt=0.5, lt=1)
    ] = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.confidence_level < 1:
            raise MetricsError(
                f"confidence_level is {self.confidence_level:g}: it must lie between 0 and 1"
            )
        require_count("replicates", self.replicates)


@dataclass(frozen=True)
class Sampling(Intervals):
    """How confidence intervals are computed, with the seed of every sample."""

    seed: Annotated[int, Option("Seed of every sample.", ge=0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count("seed", self.seed)

    @property
    def interval(self) -> Interval:
        """How intervals are computed (`IntervalKind`)."""
        return "bootstrap"

    @property
    def analytic(self) -> bool:
        """Whether intervals use Gwet's variance instead of a bootstrap."""
        return self.interval == "analytic"

    @property
    def for_new_annotators(self) -> bool:
        """Whether intervals are for new annotators, too."""
        return self.interval == "annotators"

    @property
    def for_these_annotators(self) -> Sampling:
        """The same, for the same annotators: of values of one annotator or of two passes."""
        return Sampling(self.replicates, self.confidence_level, self.seed)

    @property
    def gives_intervals(self) -> bool:
        return self.analytic or self.replicates > 0

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of functions that compute an interval."""
        return {"n_replicates": self.replicates, "level": self.confidence_level, "seed": self.seed}


NO_INTERVALS = Sampling(replicates=0)


@dataclass(frozen=True)
class IntervalKind:
    """What the intervals of agreement generalise over, and how they are computed."""

    interval: Annotated[
        Interval,
        Option(
            "How intervals are computed: bootstrap (the same annotators, new items or documents), "
            "analytic (the same, from Gwet's variance; labels only), or annotators (new items or "
            "documents and new annotators; wider)."
        ),
    ] = "bootstrap"

    @property
    def for_new_annotators(self) -> bool:
        """Whether intervals are for new annotators, too."""
        return self.interval == "annotators"

    def require_no_analytic(self, what: str) -> None:
        """Raise MetricsError for analytic intervals, which `what` do not have."""
        if self.interval == "analytic":
            raise MetricsError(
                f"{what} have no analytic interval: choose bootstrap or annotators for interval"
            )


@dataclass(frozen=True)
class AgreementSampling(IntervalKind, Sampling):
    """How confidence intervals of agreement are computed, with the seed of every sample."""


RANDOM_SHARE = 0.45  # of the labels of a round; see benchmarks/results/next-labels.md
RANDOM_DEPTH = 4  # labels of the random share on an item


Position = Literal["positional", "sporadic", "hamming"]


@dataclass(frozen=True)
class Weights:
    """How the dissimilarity of two units weights position and category."""

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
        category_distances: Floats | None = None,
        *,
        objective: Objective = "sum",
        mean_length: float | None = None,
    ) -> Dissimilarity:
        """Return the dissimilarity; the objective `mean` has the defaults of 2011, others of 2015.

        mean_length  mean length of the campaign's units, used only by `hamming`
        """
        from .alignment.dissimilarity import SPORADIC_DELTA_EMPTY, Dissimilarity

        position = self.position or ("sporadic" if objective == "mean" else "positional")
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


@dataclass(frozen=True)
class Trimming:
    """How bounds of units are prepared before they are compared."""

    trim: Annotated[
        bool,
        Option(
            "Remove blanks and punctuation at the edges of units first; it needs the texts of the "
            "documents, and the output says how many units were trimmed."
        ),
    ] = False


@dataclass(frozen=True)
class UnitMatching:
    """When two units of different annotators match, for the pairwise F."""

    min_overlap: Annotated[
        float,
        Option(
            "Least overlap of two units that match by an overlap: shared length over joint length "
            "(Jaccard). 0: any.",
            ge=0,
            le=1,
        ),
    ] = 0.0
    tolerance: Annotated[
        int,
        Option(
            "Largest difference of two bounds that count as the same, in the unit of the offsets "
            "(characters, milliseconds or tokens).",
            ge=0,
        ),
    ] = 0


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
Goal = Literal["consensus", "agreement"]
ConsensusRule = Literal["dawid_skene", "held_out", "majority"]
SoftRule = Literal["votes", "dirichlet", "dawid_skene"]
SubsetsOf = Literal["annotators", "labels"]


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
    """How the dependence of the majority reference on the annotators is computed."""

    ties: Annotated[Ties, Option("How a tied majority is resolved.")] = "random"
    draw: Annotated[
        SubsetsOf | None,
        Option(
            "What k counts: annotators (only k of the n annotators had worked; items that none of "
            "them labelled have no label), or labels (each item had only k of its own labels). "
            "Default: labels, if an annotator labelled fewer than half of the items on average."
        ),
    ] = None
    reliability: Annotated[
        str | None,
        Option(
            "Also compute k-rater reliability with this coefficient, such as krippendorff_alpha: "
            "how well k other annotators would reproduce the majority of k annotators (the mean, "
            "for krippendorff_alpha with the interval distance)."
        ),
    ] = None
    max_annotators: Annotated[
        int,
        Option(
            "Maximum number of annotators for which M(k) is computed in a campaign.", flag="", ge=2
        ),
    ] = 200


Degradation = Literal["shift", "omission", "false_positives", "category", "split", "merge"]
# Measures on units that a reading grid may contain.
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
