"""What measures give besides single values: plain classes, which are measured, stored and shown.

`reports.results` composes the results document of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .estimate import NO_INTERVAL, Estimate
from .reason import Reason

Setting = Literal["delta_empty", "alpha", "beta"]  # of the dissimilarity of units


@dataclass(frozen=True, slots=True)
class ErrorCost:
    """A cause of disorder: its share of the observed disorder, and the gain in γ without it.

    The costs of all causes sum to 1 − γ.

    cause     missing | boundary | category
    share     of the observed disorder, in [0, 1]; nan without disorder
    disorder  part of the observed disorder, in the same unit
    cost      amount by which γ would be higher without it; nan if γ is undefined
    """

    cause: str
    share: float
    disorder: float
    cost: float


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Labels with predicted probabilities between `lower` and `upper`.

    predicted  mean predicted probability
    observed   share of these labels that were given
    interval   95 % CI of the observed share, with labels as independent (Wilson 1927)
    """

    lower: float
    upper: float
    n: int
    predicted: float
    observed: float
    interval: tuple[float, float] = NO_INTERVAL


@dataclass(frozen=True, slots=True)
class SoftReference:
    """A distribution of labels for each item, and how well it predicts held-out annotators.

    rule               votes | dirichlet | dawid_skene
    n_items, entropy   items with a label, and the mean of their entropies in bits
    log_loss           mean −ln(probability of the label), with its interval
    baseline           log-loss of the shares of all labels, the same for every item
    calibration_error  mean difference of predicted and observed shares over `bins`, weighted by the
                       number of predictions
    """

    rule: str
    n_items: int = 0
    entropy: float = math.nan
    log_loss: float = math.nan
    interval: tuple[float, float] = NO_INTERVAL
    level: float = 0.95
    baseline: float = math.nan
    calibration_error: float = math.nan
    n_labels: int = 0
    bins: tuple[ReliabilityBin, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotatorReliability:
    """Units of one annotator, of one category or ("") all, compared with a consensus.

    reliability  F of the annotator's offsets against the others' posterior, in [0, 1]
    n_units      units of the annotator
    exact        units with the category and the bounds of a unit of the consensus
    boundary     units that overlap a unit of the same category with other bounds
    confused     units that overlap only units of other categories
    spurious     units that overlap none
    missed       units of the consensus that overlap no unit of the annotator, in the documents that
                 the annotator finished
    """

    annotator: str
    category: str
    reliability: float
    n_units: int
    exact: int
    boundary: int
    confused: int
    spurious: int
    missed: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """`matrix[i][j]`: items that the row annotator called i and the column annotator called j."""

    row_annotator: str
    column_annotator: str
    matrix: list[list[float]]


@dataclass(frozen=True, slots=True)
class Universe:
    """The coefficients on a subset of items (prevalence study): all items, candidates only, …

    tagset     without the null category if it is excluded
    confusion  of two annotators
    """

    name: str
    n_items: int
    tagset: tuple[str, ...] = ()
    values: tuple[Estimate, ...] = ()
    confusion: Confusion | None = None


@dataclass(frozen=True, slots=True)
class LabelModel:
    """How well a model of annotators predicts labels that it was not fitted on.

    log_loss      mean of −log P per label, in nats; log K for a uniform guess
    excess        how much more than the least mean loss, with `error`, its standard error over
                  items
    is_supported  whether the labels do not tell the model from the best one
    by_annotator  mean loss per annotator, nan without a label
    """

    rule: str
    log_loss: float
    excess: float
    error: float
    is_supported: bool
    by_annotator: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """One group against the annotators of all other groups.

    within       α of the group
    between      κ_x of the group and the others
    normalized   κ_x / √(α · α of the others): 1 if the sides agree with each other as within
                 themselves
    p_value      share of random groupings of the same sizes with at least this excess of the
                 agreement within the sides; one-sided
    p_corrected  the same, corrected for the number of groups
    least_p      smallest p-value that is possible with groups of these sizes
    """

    name: str
    n_annotators: int
    within: Estimate
    between: Estimate
    normalized: Estimate
    p_value: float = math.nan
    p_corrected: float = math.nan
    least_p: float = math.nan


@dataclass(frozen=True, slots=True)
class AttributeGroups:
    """The groups of one attribute of annotators, compared.

    n_hidden   groups that are too small to be shown, with their annotators
    n_unknown  annotators without a value of the attribute
    """

    attribute: str
    groups: tuple[GroupAgreement, ...] = ()
    n_hidden: int = 0
    n_hidden_annotators: int = 0
    n_unknown: int = 0


@dataclass(frozen=True, slots=True)
class ReplacementDecision:
    """One verdict, with its uncertainty.

    over             panel | new_annotators
    verdict          may | may_not | undecided
    mean, interval   mean advantage, with its interval at level 1 − 2 `error`, which decides
    p_may, p_may_not  one-sided p-values of the two tests
    stability        share of the resamples with the same verdict; nan without resamples
    is_stable        whether it is high enough
    more             additional units (or annotators) that would decide it with power .8, or make it
                     stable, at the same mean advantage; 0 if stable, None if there is no forecast
    """

    over: str
    verdict: str
    mean: float = math.nan
    interval: tuple[float, float] = NO_INTERVAL
    p_may: float = math.nan
    p_may_not: float = math.nan
    stability: float = math.nan
    is_stable: bool = False
    more: int | None = None


@dataclass(frozen=True, slots=True)
class ReplacementPoint:
    """The result for another ε."""

    epsilon: float
    winning_rate: float
    verdict: str


@dataclass(frozen=True, slots=True)
class ReferenceCoverage:
    """How much of the data a reference decides. Nothing is scored where it decides nothing.

    n_covered  items with a label of the reference; of units, documents in which it was made
    n_all      items (documents) that anybody annotated
    n_open     items without a label of the reference; of units, places in the covered documents
               that the reference leaves undecided
    """

    n_covered: int
    n_all: int
    n_open: int


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Two systems on the same documents.

    `difference` is first − second; `interval` is its bootstrap interval at `level`.
    `p_bootstrap` and `p_randomisation` are two-sided and never 0: (1 + hits) / (1 + replicates).
    `p_corrected` is the randomisation p-value after Holm's correction over all comparisons.
    All are nan, with a `reason`, if a score is undefined or there are fewer than two documents.
    """

    first: str
    second: str
    difference: float
    interval: tuple[float, float] = NO_INTERVAL
    p_bootstrap: float = math.nan
    p_randomisation: float = math.nan
    p_corrected: float = math.nan
    n_documents: int = 0
    level: float = 0.95
    reason: Reason | None = None


class DocumentShare(NamedTuple):
    """A share over documents, with its interval; nan if the denominator is 0."""

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SettingPoint:
    """γ and the alignment at one setting.

    value      value of the setting
    gamma      γ of the corpus, with its own chance samples at this setting
    n_unitary  unitary alignments over all documents
    aligned    share of the units aligned with another annotator's
    kept       pairs of units aligned at both this and the current setting, as a share of the pairs
               aligned at either (Jaccard)
    """

    value: float
    gamma: Estimate
    n_unitary: int
    aligned: DocumentShare
    kept: DocumentShare


class ProposedDistance(NamedTuple):
    """Proposed distance of two categories with aligned units, and the amount of data behind it.

    weight  of the aligned pairs of the two (a pair at the same place has weight 1, one that barely
            overlaps nearly 0)
    """

    first: str
    second: str
    distance: float
    interval: tuple[float, float]
    weight: float
