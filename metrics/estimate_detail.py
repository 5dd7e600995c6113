"""The named figures that a measure gives beside its value, by the measures that give them.

`Estimate.detail` is a `Detail`: a dictionary in which a type checker knows each key and its type.
A key is present only where its measure gives it.
"""

from __future__ import annotations

from typing import TypedDict


class _Interval(TypedDict, total=False):
    """Intervals by resampling, and for new annotators.

    standard_error            of the value over the items or documents drawn; nan if none
    interval_reason           why there is no interval; "" if there is one
    n_undefined_replicates    replicates without a value
    standard_error_annotators  over annotators, of an interval for new ones; nan if it has none
    chance_noise              standard error of chance samples that was subtracted from it
    monte_carlo_error         half-width for the chance samples alone, where no interval is drawn
    """

    standard_error: float
    interval_reason: str
    n_undefined_replicates: int
    standard_error_annotators: float
    chance_noise: float
    monte_carlo_error: float


class _Labels(TypedDict, total=False):
    """Coefficients of labels; also of two crews (`alpha_first`), and of relations (`n_alike`).

    n_unpaired            items with one label
    n_compared_items      items that the coefficient compares, where it leaves some out
    n_compared_annotators  annotators with a label, where some have none
    n_alike, n_drawn      pairs of units that both linked alike; that either linked
    """

    n_unpaired: int
    n_labels: int
    n_duplicates: int
    n_complete: int
    n_compared_items: int
    n_compared_annotators: int
    observed_disagreement: float
    expected_disagreement: float
    alpha_first: float
    alpha_second: float
    n_alike: int
    n_drawn: int


class _Objects(TypedDict, total=False):
    """Measures on objects; also n_samples and expected_standard_error of units, of pairs here.

    annotator  whose distance to the others it is
    """

    annotator: str


class _OfKAnnotators(TypedDict, total=False):
    """Values of k annotators together: k-rater reliability, modification rate, forecasts.

    k               annotators, of missing ratings their harmonic mean
    of              the coefficient
    abstained       pairs of joint labels of which one is a tie without a label
    prevalent       category of most labels, if there is one; `rate_of_others`: without its items
    """

    k: float
    of: str
    monte_carlo_standard_error: float
    modified: float
    compared: float
    abstained: float
    empty: float
    n_unlabelled: int
    n_unresolved: int
    n_tied_reference: int
    prevalent: str
    rate_of_others: float


class _Ratings(TypedDict, total=False):
    """ICC, generalizability, limits of agreement of a pair of annotators, repeatability.

    shrout_fleiss, mcgraw_wong  names of the form in the literature
    f, df1, df2, p_value        F of the items, its degrees of freedom, its p
    first, second               annotators; sd of their differences
    lower, upper                limits of agreement, with their own intervals
    """

    shrout_fleiss: str
    mcgraw_wong: str
    f: float
    df1: int
    df2: int
    p_value: float
    variance_items: float
    variance_annotators: float
    variance_residual: float
    first: str
    second: str
    sd: float
    lower: float
    lower_low: float
    lower_high: float
    upper: float
    upper_low: float
    upper_high: float
    df: int
    repeatability: float
    repeatability_low: float
    repeatability_high: float


class _Units(TypedDict, total=False):
    """γ and its relatives, α_U and ᵤα.

    category          of a value of one category; "all": of all
    most_annotators   of one document
    gap, largest_gap  how far the disorder of a document may be from the lowest, 0: proven
    process           of the chance samples
    n_matched, n_compared  units (or positions) with a partner, and all, over pairs of annotators
    mean_of_pairs     mean of the values of the pairs of annotators
    coverage          share of a category's pairable length that another category covers
    """

    n_documents: int
    most_annotators: int
    n_documents_without_units: int
    n_unpaired_documents: int
    n_unpaired_units: int
    n_not_proven_optimal: int
    largest_gap: float
    gap: float
    n_matched: float
    n_compared: float
    mean_of_pairs: float
    process: str
    n_samples: int
    n_samples_not_proven_optimal: int
    precision_asked: float
    precision_reached: float
    expected_standard_error: float
    category: str
    coverage: float
    pair_weight: float
    difference_from_exact: float
    n_documents_not_ideal: int
    largest_excess_of_disorder: float
    n_unitary_alignments: int
    n_candidates: float


class _Scores(TypedDict, total=False):
    """Scores of a system against a reference.

    n_missing      items that the system did not label
    n_impossible   items with a label to which the system gave probability 0
    n_unreferenced  items that the reference does not label
    n_others, read_as  annotators in the reference without a human; how to read the score
    correct … spurious  units (slot error rate) or times (diarization) of each kind
    growth         factor from half a crew to the whole one
    """

    precision: float
    recall: float
    tp: float
    fp: float
    fn: float
    n_reference: int
    n_system: int
    n_items: int
    n_correct: int
    n_unreferenced: int
    n_missing: int
    n_impossible: int
    n_others: int
    read_as: str
    correct: float
    wrong_category: int
    wrong_bounds: int
    wrong_both: int
    missed: float
    spurious: int
    confusion: float
    false_alarm: float
    total: float
    cost: float
    scale: float
    cost_per_place: float
    disorder: float
    n_splits: int
    growth: float


class Detail(_Interval, _Labels, _Objects, _OfKAnnotators, _Ratings, _Units, _Scores, total=False):
    """Named figures of an estimate; JSON has them in the order in which the measure gives them."""
