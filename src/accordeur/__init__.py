"""Inter-annotator agreement, alignment, chance, resampling and system scores.

Functions such as `agreement`, `gamma`, `score` or `plan` take data frames and return values with
confidence intervals; `read` reads exports of annotation tools; `run` and `open` are for campaigns.
Each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .interface.campaigns import Run as Run
    from .interface.campaigns import open as open
    from .interface.campaigns import run as run
    from .interface.consensus import Consensus as Consensus
    from .interface.consensus import consensus as consensus
    from .interface.labels import agreement as agreement
    from .interface.labels import category_distances as category_distances
    from .interface.labels import coefficient as coefficient
    from .interface.labels import cohen_kappa as cohen_kappa
    from .interface.labels import fleiss_kappa as fleiss_kappa
    from .interface.labels import krippendorff_alpha as krippendorff_alpha
    from .interface.labels import modification_rate as modification_rate
    from .interface.labels import plan as plan
    from .interface.mistakes import Mistakes as Mistakes
    from .interface.mistakes import mistakes as mistakes
    from .interface.next_labels import next_labels as next_labels
    from .interface.panels import cross_replication as cross_replication
    from .interface.panels import k_rater_reliability as k_rater_reliability
    from .interface.ratings import g_study as g_study
    from .interface.ratings import icc as icc
    from .interface.ratings import limits_of_agreement as limits_of_agreement
    from .interface.ratings import repeatability as repeatability
    from .interface.ratings import scales as scales
    from .interface.reading import Export as Export
    from .interface.reading import read as read
    from .interface.replacement import Replacement as Replacement
    from .interface.replacement import replace as replace
    from .interface.scores import Scores as Scores
    from .interface.scores import score as score
    from .interface.soft import Groups as Groups
    from .interface.soft import SoftLabels as SoftLabels
    from .interface.soft import compare_groups as compare_groups
    from .interface.soft import soft_labels as soft_labels
    from .interface.units import Alignment as Alignment
    from .interface.units import Gamma as Gamma
    from .interface.units import gamma as gamma
    from .interface.value import Value as Value
    from .interface.value import Values as Values

_HOMES = {
    **dict.fromkeys(
        (
            *("agreement", "category_distances", "coefficient", "cohen_kappa", "fleiss_kappa"),
            *("krippendorff_alpha", "modification_rate", "plan"),
        ),
        "labels",
    ),
    **dict.fromkeys(("Run", "open", "run"), "campaigns"),
    **dict.fromkeys(("Consensus", "consensus"), "consensus"),
    **dict.fromkeys(("Mistakes", "mistakes"), "mistakes"),
    **dict.fromkeys(("Export", "read"), "reading"),
    "next_labels": "next_labels",
    **dict.fromkeys(("cross_replication", "k_rater_reliability"), "panels"),
    **dict.fromkeys(
        ("g_study", "icc", "limits_of_agreement", "repeatability", "scales"), "ratings"
    ),
    **dict.fromkeys(("Replacement", "replace"), "replacement"),
    **dict.fromkeys(("Scores", "score"), "scores"),
    **dict.fromkeys(("Groups", "SoftLabels", "compare_groups", "soft_labels"), "soft"),
    **dict.fromkeys(("Alignment", "Gamma", "gamma"), "units"),
    **dict.fromkeys(("Value", "Values"), "value"),
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'accordeur' has no attribute {name!r}")
    return getattr(import_module(f".interface.{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
