"""Names of the measures as types: a type checker finds a misspelt one.

Measures of other packages, and names with settings, are read by `measure`. A test compares the
lists with the registry.
"""

from __future__ import annotations

from typing import Literal, TypeAlias


class MeasureName(str):
    """The name of a measure that was checked: what :func:`measure` returns."""

    __slots__ = ()


OnItems: TypeAlias = Literal[
    "percent_agreement", "weighted_agreement", "bennett_s", "weighted_s", "scott_pi",
    "fleiss_kappa", "weighted_pi", "cohen_kappa", "conger_kappa", "weighted_kappa",
    "hubert_kappa", "light_kappa", "krippendorff_alpha", "gwet_ac1", "gwet_ac2", "finn_r",
    "aickin_alpha",
]  # fmt: skip
OnLabels: TypeAlias = Literal[
    OnItems,
    "icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k", "alpha_random2", "sigma",
    "ks", "mean_distance", "annotator_distance",
]  # fmt: skip
OnUnits: TypeAlias = Literal[
    "gamma", "gamma_cat", "gamma_k", "gamma_cat_empty_pairs", "soft_gamma", "holistic",
    "holistic_greedy", "alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha", "ku_alpha",
    "pairwise_f", "pairwise_f_bounds", "pairwise_f_overlap", "pairwise_f_type",
    "pairwise_f_characters",
]  # fmt: skip
OfSystems: TypeAlias = Literal[
    "accuracy", "precision", "recall", "f", "macro_precision", "macro_recall", "macro_f",
    "observed_agreement", "exact_precision", "exact_recall", "exact_f", "bounds_precision",
    "bounds_recall", "bounds_f", "partial_precision", "partial_recall", "partial_f",
    "overlap_precision", "overlap_recall", "overlap_f", "type_precision", "type_recall",
    "type_f", "slot_error_rate", "weighted_slot_error_rate", "observed_disorder",
    "reference_by_itself", "majority_class", "manhattan", "cross_entropy", "jensen_shannon",
    "wasserstein", "annotator_error_rate", "exact_macro_precision", "exact_macro_recall",
    "exact_macro_f", "bounds_macro_precision", "bounds_macro_recall", "bounds_macro_f",
    "partial_macro_precision", "partial_macro_recall", "partial_macro_f",
    "overlap_macro_precision", "overlap_macro_recall", "overlap_macro_f",
    "type_macro_precision", "type_macro_recall", "type_macro_f", "pk", "window_diff", "ghd",
    "boundary_similarity", "segmentation_similarity", "der", "der_confusion", "der_missed",
    "der_false_alarm", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll", "exact",
    "bounds", "partial", "overlap", "type", "macro",
]  # fmt: skip

CoefficientName: TypeAlias = OnItems | MeasureName
LabelMeasure: TypeAlias = OnLabels | MeasureName
UnitMeasure: TypeAlias = OnUnits | MeasureName
ScoreName: TypeAlias = OfSystems | MeasureName
