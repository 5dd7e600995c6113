"""The named figures that a measure gives beside its value, by the measures that give them."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any, Self, dataclass_transform


@dataclass_transform(kw_only_default=True, frozen_default=True)
class _Given:
    """A frozen class of many fields that remembers which were given, in which order.

    A field that was not given has the default of the class and takes no memory.
    """

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __or__(self, more: Self) -> Self:
        """Return these figures and `more` of them, which follow."""
        return type(self)(**(self.given | more.given))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and self.given == other.given

    def __hash__(self) -> int:
        return hash(tuple(self.given.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.given.items())})"

    @property
    def given(self) -> dict[str, Any]:
        """The figures that the measure gives, in its order: those in JSON."""
        return vars(self)


class _Interval(_Given):
    """Intervals by resampling, and for new annotators.

    standard_error            of the value over the items or documents drawn; nan if none
    interval_reason           why there is no interval; "" if there is one, None if none is drawn
    n_undefined_replicates    replicates without a value
    standard_error_annotators  over annotators, of an interval for new ones; nan if it has none
    chance_noise              standard error of chance samples that was subtracted from it
    monte_carlo_error         half-width for the chance samples alone, where no interval is drawn
    """

    standard_error: float = math.nan
    interval_reason: str | None = None
    n_undefined_replicates: int = 0
    standard_error_annotators: float | None = None
    chance_noise: float = math.nan
    monte_carlo_error: float = math.nan


class _Labels(_Given):
    """Coefficients of labels; also of two groups (`alpha_first`), and of relations (`n_alike`).

    n_unpaired            items with one label
    n_alike, n_drawn      pairs of units that both linked alike; that either linked
    """

    n_unpaired: int = 0
    n_labels: int = 0
    n_duplicates: int = 0
    n_complete: int = 0
    observed_disagreement: float = math.nan
    expected_disagreement: float = math.nan
    alpha_first: float = math.nan
    alpha_second: float = math.nan
    n_alike: int = 0
    n_drawn: int = 0


class _Objects(_Given):
    """Measures on objects; also n_samples and expected_standard_error of units, of pairs here.

    annotator  whose distance to the others it is
    """

    annotator: str = ""


class _OfKAnnotators(_Given):
    """Values of k annotators together: k-rater reliability, modification rate, forecasts.

    k               annotators, of missing ratings their harmonic mean
    of              the coefficient
    abstained       pairs of joint labels of which one is a tie without a label
    prevalent       category of most labels, if there is one; `rate_of_others`: without its items
    """

    k: float = 0.0
    of: str = ""
    monte_carlo_standard_error: float = math.nan
    modified: float = math.nan
    compared: float = math.nan
    abstained: float = math.nan
    empty: float = math.nan
    n_unlabelled: int = 0
    n_unresolved: int = 0
    n_tied_reference: int = 0
    prevalent: str = ""
    rate_of_others: float = math.nan


class _Ratings(_Given):
    """ICC, generalizability, limits of agreement of a pair of annotators, repeatability.

    shrout_fleiss, mcgraw_wong  names of the form in the literature
    f, df1, df2, p_value        F of the items, its degrees of freedom, its p
    first, second               annotators; sd of their differences
    lower, upper                limits of agreement, with their own intervals
    """

    shrout_fleiss: str = ""
    mcgraw_wong: str = ""
    f: float = math.nan
    df1: int = 0
    df2: int = 0
    p_value: float = math.nan
    variance_items: float = math.nan
    variance_annotators: float = math.nan
    variance_residual: float = math.nan
    first: str = ""
    second: str = ""
    sd: float = math.nan
    lower: float = math.nan
    lower_low: float = math.nan
    lower_high: float = math.nan
    upper: float = math.nan
    upper_low: float = math.nan
    upper_high: float = math.nan
    df: int = 0
    repeatability: float = math.nan
    repeatability_low: float = math.nan
    repeatability_high: float = math.nan


class _Units(_Given):
    """γ and its relatives, α_U and ᵤα.

    category          of a value of one category; "all": of all
    most_annotators   of one document
    gap, largest_gap  how far the disorder of a document may be from the lowest, 0: proven
    process           of the chance samples
    n_matched, n_compared  units (or positions) with a partner, and all, over pairs of annotators
    mean_of_pairs     mean of the values of the pairs of annotators
    coverage          share of a category's pairable length that another category covers
    """

    n_documents: int = 0
    most_annotators: int = 0
    n_documents_without_units: int = 0
    n_unpaired_documents: int = 0
    n_unpaired_units: int = 0
    n_not_proven_optimal: int = 0
    largest_gap: float = math.nan
    gap: float = math.nan
    n_matched: float = math.nan
    n_compared: float = math.nan
    mean_of_pairs: float = math.nan
    process: str = ""
    n_samples: int = 0
    n_samples_not_proven_optimal: int = 0
    precision_asked: float = math.nan
    precision_reached: float = math.nan
    expected_standard_error: float = math.nan
    category: str = ""
    coverage: float = math.nan
    pair_weight: float = math.nan
    difference_from_exact: float = math.nan
    n_documents_not_ideal: int = 0
    largest_excess_of_disorder: float = math.nan
    n_unitary_alignments: int = 0
    n_candidates: float = math.nan


class _Scores(_Given):
    """Scores of a system against a reference.

    n_missing      items that the system did not label
    n_impossible   items with a label to which the system gave probability 0
    n_unreferenced  items that the reference does not label
    n_others, read_as  annotators in the reference without a human; how to read the score
    correct … spurious  units (slot error rate) or times (diarization) of each kind
    growth         factor from half of the annotators to all of them
    """

    precision: float = math.nan
    recall: float = math.nan
    tp: float = math.nan
    fp: float = math.nan
    fn: float = math.nan
    n_reference: int = 0
    n_system: int = 0
    n_items: int = 0
    n_correct: int = 0
    n_unreferenced: int = 0
    n_missing: int = 0
    n_impossible: int = 0
    n_others: int = 0
    read_as: str = ""
    correct: float = math.nan
    wrong_category: int = 0
    wrong_bounds: int = 0
    wrong_both: int = 0
    missed: float = math.nan
    spurious: int = 0
    confusion: float = math.nan
    false_alarm: float = math.nan
    total: float = math.nan
    cost: float = math.nan
    scale: float = math.nan
    cost_per_place: float = math.nan
    disorder: float = math.nan
    n_splits: int = 0
    growth: float = math.nan


class Detail(_Interval, _Labels, _Objects, _OfKAnnotators, _Ratings, _Units, _Scores):
    """Named figures of an estimate; those that its measure does not give are nan, 0 or ""."""


NO_DETAIL = Detail()
