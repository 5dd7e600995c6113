"""Options of campaign tasks: each class extends a section of the campaign file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias, get_args

from ..metrics.options import (
    RANDOM_DEPTH,
    RANDOM_SHARE,
    Degradation,
    Goal,
    GroupComparison,
    Interval,
    Option,
    Process,
    Resampling,
    Sampling,
    SoftRule,
    Ties,
    UnitMatching,
)

Period = Literal["day", "week", "month", "year"]
ReferenceRule = Literal[
    "majority",
    "unanimity",
    "dawid_skene",
    "glad",
    "mace",
    "minimax_entropy",
    "consensus",
    "adjudicated",
    "annotator",
]


Patterns: TypeAlias = tuple[tuple[str, str], ...]  # (system, regular expression of its documents)
RULES_WITH_GOLD = ("consensus", "dawid_skene")


@dataclass(frozen=True)
class ItemSettings:
    """How agreement on items is measured.

    null        category that means "no label"
    universes   regular expression of the items of each additional subset, by name
    ratings     intraclass correlations, computed on all items together
    is_private  whether no object of an item is shown
    attributes  attribute of annotators → annotator → value
    two_groups  annotators of the two groups to compare; (): none
    """

    sampling: Sampling = field(default_factory=Sampling)
    resampling: Resampling = field(default_factory=Resampling)
    groups: GroupComparison = field(default_factory=GroupComparison)
    measures: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    two_groups: tuple[tuple[str, ...], ...] = ()
    period: Period = "month"
    null: str | None = None
    universes: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_private: bool = False


@dataclass(frozen=True)
class UnitSettings:
    """What is shown of a layer of units, beside how it is measured."""

    interval: Interval = "bootstrap"
    measures: tuple[str, ...] = ("gamma", "gamma_cat")
    matching: UnitMatching = field(default_factory=UnitMatching)
    alignments_kept: int = 20
    period: Period = "month"


@dataclass(frozen=True)
class RelationSettings:
    """Settings of agreement on relations."""

    sampling: Sampling = field(default_factory=Sampling)
    period: Period = "month"


@dataclass(frozen=True)
class ScoringSettings:
    """Settings of the intervals of scores, and the documents that were not assigned to a system."""

    sampling: Sampling = field(default_factory=Sampling)
    not_assigned: Patterns = ()


@dataclass(frozen=True)
class ItemLengths:
    """Where the lengths of items, or of documents with units, are, for the checks of judges."""

    lengths: Annotated[
        str | None,
        Option(
            "Table with the columns item, length and, if needed, document: the length of each "
            "item's text; for pairwise items, the first answer's length minus the second's. For "
            "units, the columns document and length, in the unit of the offsets."
        ),
    ] = None


@dataclass(frozen=True)
class GridOptions:
    """Reading grid of measures on units: documents like the campaign's, degraded step by step."""

    measures: Annotated[
        tuple[str, ...], Option("measures of the grid; default: the measures of [units]")
    ] = ()
    degradations: Annotated[
        tuple[Degradation, ...],
        Option("kinds of degradation, one curve each", min_length=1),
    ] = get_args(Degradation)
    magnitudes: Annotated[
        tuple[Annotated[float, Option(ge=0, le=1)], ...],
        Option("probabilities of an error, in increasing order"),
    ] = (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8)
    shifts: Annotated[
        tuple[Annotated[float, Option(ge=0)], ...],
        Option("shifts of the bounds, in unit lengths, in increasing order"),
    ] = (0.0, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)
    trials: Annotated[
        int, Option("number of degraded campaigns for each point; 0: no grid", ge=0)
    ] = 30
    documents: Annotated[
        int, Option("maximum number of documents in a degraded campaign", ge=1)
    ] = 5
    annotators: Annotated[
        int,
        Option(
            "maximum number of annotators of a degraded document: exact alignments "
            "of more annotators take longer",
            ge=2,
        ),
    ] = 5
    n_perfect: Annotated[
        int,
        Option(
            "number of annotators without added errors; Mathet & Widlöcher (2011) use one", ge=0
        ),
    ] = 0

    def __post_init__(self) -> None:
        if self.trials == 1:
            raise ValueError("trials: a point needs at least two degraded campaigns; 0: no grid")
        for key in ("magnitudes", "shifts"):
            steps = getattr(self, key)
            if len(steps) < 2 or list(steps) != sorted(set(steps)):
                raise ValueError(f"{key}: a curve needs at least two steps, in increasing order")


@dataclass(frozen=True)
class GridSettings:
    """Grid options with the campaign's chance models and seed.

    units  units per annotator of a small standard campaign to simulate; None: simulate a campaign
           of the campaign's own size
    """

    grid: GridOptions = field(default_factory=GridOptions)
    units: int | None = None
    processes: tuple[Process, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class MistakeOptions:
    """Options of the list of probable errors."""

    at_least: Annotated[
        float, Option("Minimum probability of an error that is listed.", gt=0, lt=1)
    ] = 0.5
    with_systems: Annotated[
        bool,
        Option(
            "Let the labels of systems inform the probabilities as well; only annotators' labels "
            "are listed."
        ),
    ] = False
    judgments: Annotated[
        str | None,
        Option(
            "Table of annotators' verdicts on the labels of others: item, annotator, label, "
            "judge, verdict (1 or 0), and document if there are several."
        ),
    ] = None
    audited: Annotated[
        str | None,
        Option(
            "Table of the right labels of audited items, one row per right label: item, label, "
            "and document if there are several. They calibrate the probabilities."
        ),
    ] = None


@dataclass(frozen=True)
class ReferenceOptions:
    """Rule for the reference from human annotations; without this section, none is built."""

    rule: Annotated[
        ReferenceRule,
        Option(
            "how the reference is built; consensus: annotators are weighted by their reliability, "
            "and each unit has a calibrated confidence; adjudicated: from agreed places and "
            "decisions, while the rest stays open. Objects: majority is the medoid, consensus the "
            "medoid weighted by reliability, and adjudicated makes none"
        ),
    ] = "majority"
    ties: Annotated[Ties, Option("how a tied majority is resolved")] = "abstain"
    support: Annotated[
        int | None,
        Option(
            "number of annotators required to place a unit; default: more than half of them", ge=1
        ),
    ] = None
    bounds: Annotated[
        Literal["median", "best_annotator"],
        Option(
            "bounds of a unit: the median, or the bounds of the annotator with the best agreement"
        ),
    ] = "median"
    annotator: Annotated[
        str | None, Option("annotator whose work is the reference, with rule = annotator")
    ] = None
    soft: Annotated[
        SoftRule | None,
        Option(
            "on labels, also give each item a distribution, which systems are scored against: the "
            "shares of its labels (votes), the same shrunk towards the shares over all items "
            "(dirichlet), or the posterior of its true category (dawid_skene)"
        ),
    ] = None
    gold: Annotated[
        str | None,
        Option(
            "annotator with the role reference whose labels or units are true: they are kept, and "
            "train the rules consensus and dawid_skene"
        ),
    ] = None

    def __post_init__(self) -> None:
        if (self.rule == "annotator") != (self.annotator is not None):
            raise ValueError(
                "one annotator's work can be the reference only if it is marked as such: give "
                'both rule = "annotator" and annotator = "…", or neither'
            )
        if self.gold is not None and self.rule not in RULES_WITH_GOLD:
            raise ValueError(
                f"gold applies only to the rules {' and '.join(RULES_WITH_GOLD)}, "
                f'not to rule = "{self.rule}"'
            )


@dataclass(frozen=True)
class NextOptions:
    """Options of the next round and its stopping rule; [next] of a campaign file."""

    budget: Annotated[int, Option("Number of new labels in the next round.", ge=1)] = 100
    goal: Annotated[
        Goal,
        Option(
            "consensus: reduce the error of the consensus; agreement: narrow the interval of the "
            "agreement (α, γ) most per label. Every label is then assigned at random, and the "
            "variance so far decides between more items and more labels on each, in place of "
            "random_depth."
        ),
    ] = "consensus"
    random_share: Annotated[
        float,
        Option(
            "Share of the labels assigned at random; agreement is computed from them.", ge=0, le=1
        ),
    ] = RANDOM_SHARE
    random_depth: Annotated[
        int,
        Option("Number of labels that the random share collects on one item, then the next.", ge=2),
    ] = RANDOM_DEPTH
    per_annotator: Annotated[
        int | None, Option("Maximum number of new labels for one annotator.", ge=1)
    ] = None
    per_item: Annotated[
        int | None, Option("Maximum number of labels of one item, earlier ones included.", ge=1)
    ] = None
    audit: Annotated[
        int, Option("Number of random items whose gold label is requested in this round.", ge=0)
    ] = 0
    target_error: Annotated[
        float | None,
        Option("Stop when the audited error of the consensus is below this.", gt=0, lt=1),
    ] = None
    target_width: Annotated[
        float | None, Option("Stop when the interval of the agreement is at most this wide.", gt=0)
    ] = None
    layer: Annotated[str | None, Option("Layer to annotate, if there are several.")] = None
    may_annotate: Annotated[
        Mapping[str, str],
        Option("annotator → regular expression of the documents this annotator may see", flag=""),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasureSelection:
    """Selection of the values to compute.

    values    whether to compute a measure for a category ("" for all categories together)
    compared  whether to compare all pairs of systems by a measure
    """

    values: Callable[[str, str], bool]
    compared: Callable[[str], bool]
