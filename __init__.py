"""Inter-annotator agreement, alignment, chance, resampling and system scores.

Functions such as `agreement`, `gamma`, `score` or `plan` take data frames and return values with
confidence intervals; `read` reads exports of annotation tools; `run` and `open_run` are for
campaigns. Each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import partial

    from .interface.alignments import Alignment as Alignment
    from .interface.annotators import AnnotatorCards as AnnotatorCards
    from .interface.annotators import annotators as annotators
    from .interface.campaigns import Run as Run
    from .interface.campaigns import open_run as open_run
    from .interface.campaigns import run as run
    from .interface.comparison import Comparison as Comparison
    from .interface.comparison import compare as compare
    from .interface.confusion import ConfusionMatrix as ConfusionMatrix
    from .interface.confusion import confusion_matrix as confusion_matrix
    from .interface.consensus import Consensus as Consensus
    from .interface.consensus import consensus as consensus
    from .interface.corpus_estimates import CorpusEstimate as CorpusEstimate
    from .interface.corpus_estimates import estimate as estimate
    from .interface.judges import JudgeCheck as JudgeCheck
    from .interface.judges import judge as judge
    from .interface.labels import CategoryDistances as CategoryDistances
    from .interface.labels import agreement as agreement
    from .interface.labels import category_distances as category_distances
    from .interface.labels import modification_rate as modification_rate
    from .interface.matrices import Concordance as Concordance
    from .interface.matrices import coefficient as coefficient
    from .interface.matrices import cohen_kappa as cohen_kappa
    from .interface.matrices import kendall_w as kendall_w
    from .interface.measures import Measure as Measure
    from .interface.measures import Measures as Measures
    from .interface.measures import measure as measure
    from .interface.measures import measures as measures
    from .interface.mistakes import Mistakes as Mistakes
    from .interface.mistakes import mistakes as mistakes
    from .interface.next_labels import NextLabels as NextLabels
    from .interface.next_labels import next_labels as next_labels
    from .interface.panels import cross_replication as cross_replication
    from .interface.panels import k_rater_reliability as k_rater_reliability
    from .interface.plans import Plan as Plan
    from .interface.plans import plan as plan
    from .interface.rankings import SystemRanking as SystemRanking
    from .interface.rankings import rank as rank
    from .interface.ratings import g_study as g_study
    from .interface.ratings import icc as icc
    from .interface.ratings import limits_of_agreement as limits_of_agreement
    from .interface.ratings import repeatability as repeatability
    from .interface.ratings import scales as scales
    from .interface.reading import Export as Export
    from .interface.reading import Looked as Looked
    from .interface.reading import from_json as from_json
    from .interface.reading import look as look
    from .interface.reading import read as read
    from .interface.relations import relations as relations
    from .interface.replacement import Replacement as Replacement
    from .interface.replacement import replacement as replacement
    from .interface.scores import Scores as Scores
    from .interface.scores import score as score
    from .interface.soft import Groups as Groups
    from .interface.soft import SoftLabels as SoftLabels
    from .interface.soft import compare_groups as compare_groups
    from .interface.soft import soft_labels as soft_labels
    from .interface.units import Gamma as Gamma
    from .interface.units import gamma as gamma
    from .interface.value import Value as Value
    from .interface.value import Values as Values

    # The other measures, with the arguments of `coefficient` after its name, and of `gamma`.
    krippendorff_alpha = fleiss_kappa = gwet_ac1 = partial(coefficient, "gwet_ac1")
    percent_agreement = scott_pi = conger_kappa = gwet_ac1
    weighted_agreement = weighted_pi = weighted_kappa = gwet_ac2 = weighted_s = gwet_ac1
    bennett_s = aickin_alpha = finn_r = hubert_kappa = light_kappa = gwet_ac1
    pairwise_f = pairwise_f_bounds = pairwise_f_overlap = pairwise_f_type = gamma
    pairwise_f_characters = gamma_cat = gamma_k = gamma_cat_empty_pairs = soft_gamma = gamma
    holistic = holistic_greedy = alpha_u = u_alpha = u_alpha_binary = cu_alpha = ku_alpha = gamma

_HOMES = {
    "Alignment": "alignments",
    **dict.fromkeys(("AnnotatorCards", "annotators"), "annotators"),
    **dict.fromkeys(
        ("CategoryDistances", "agreement", "category_distances", "modification_rate"), "labels"
    ),
    **dict.fromkeys(
        ("Concordance", "coefficient", "cohen_kappa", "kendall_w"),
        "matrices",
    ),
    **dict.fromkeys(("Comparison", "compare"), "comparison"),
    **dict.fromkeys(("ConfusionMatrix", "confusion_matrix"), "confusion"),
    **dict.fromkeys(("Run", "open_run", "run"), "campaigns"),
    **dict.fromkeys(("Consensus", "consensus"), "consensus"),
    **dict.fromkeys(("CorpusEstimate", "estimate"), "corpus_estimates"),
    **dict.fromkeys(("JudgeCheck", "judge"), "judges"),
    **dict.fromkeys(("Measure", "Measures", "measure", "measures"), "measures"),
    **dict.fromkeys(("Mistakes", "mistakes"), "mistakes"),
    **dict.fromkeys(("Export", "Looked", "from_json", "look", "read"), "reading"),
    **dict.fromkeys(("NextLabels", "next_labels"), "next_labels"),
    **dict.fromkeys(("Plan", "plan"), "plans"),
    **dict.fromkeys(("cross_replication", "k_rater_reliability"), "panels"),
    **dict.fromkeys(
        ("g_study", "icc", "limits_of_agreement", "repeatability", "scales"), "ratings"
    ),
    **dict.fromkeys(("SystemRanking", "rank"), "rankings"),
    "relations": "relations",
    **dict.fromkeys(("Replacement", "replacement"), "replacement"),
    **dict.fromkeys(("Scores", "score"), "scores"),
    **dict.fromkeys(("Groups", "SoftLabels", "compare_groups", "soft_labels"), "soft"),
    **dict.fromkeys(("Gamma", "gamma"), "units"),
    **dict.fromkeys(("Value", "Values"), "value"),
}
__all__ = [*_HOMES, "fleiss_kappa", "krippendorff_alpha"]


def _public_name(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f".interface.{_HOMES[name]}", __name__), name)
    if not name.startswith("_"):
        from .interface.named_measures import function_of

        if (measured := function_of(name)) is not None:
            return measured
    hint = "" if name.startswith("_") else _hint(name)
    raise AttributeError(f"module 'accordeur' has no attribute {name!r}{hint}")


if not TYPE_CHECKING:  # a type checker would take any name for one of these
    __getattr__ = _public_name


def _hint(name: str) -> str:
    """Return how to call a measure of that name, or a function with a similar name."""
    from .data.renamed_words import MEANT_COMMANDS
    from .interface.named_measures import call_of
    from .metrics.close_names import close_names
    from .metrics.measures import ITEMS, UNITS

    if call := call_of(name):
        return f": call {call}"
    meant = [one for one, words in MEANT_COMMANDS.items() if name in words and one in _HOMES]
    if meant:
        return f": call {meant[0]}(…)"
    near = " or ".join(close_names(name, dict.fromkeys([*_HOMES, *ITEMS, *UNITS])))
    return f"; did you mean {near}?" if near else ""


def __dir__() -> list[str]:
    from .metrics.measures import ITEMS, UNITS  # functions of their names

    return sorted({*__all__, *ITEMS, *UNITS, *(one for one in globals() if one[:2] == "__")})
