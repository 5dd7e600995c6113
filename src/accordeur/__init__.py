"""Inter-annotator agreement, alignment, chance, resampling and system scores.

`agreement`, `gamma`, `modification_rate`, `plan`, `score` and `replace` take data frames and give
values with their intervals; `next_labels` chooses what to annotate next; `read` takes exports of
annotation tools; `run` and `open` are for campaigns. Each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .interface.campaigns import Run as Run
    from .interface.campaigns import open as open
    from .interface.campaigns import run as run
    from .interface.labels import agreement as agreement
    from .interface.labels import coefficient as coefficient
    from .interface.labels import cohen_kappa as cohen_kappa
    from .interface.labels import fleiss_kappa as fleiss_kappa
    from .interface.labels import krippendorff_alpha as krippendorff_alpha
    from .interface.labels import modification_rate as modification_rate
    from .interface.labels import plan as plan
    from .interface.next_labels import next_labels as next_labels
    from .interface.ratings import g_study as g_study
    from .interface.ratings import icc as icc
    from .interface.reading import Export as Export
    from .interface.reading import read as read
    from .interface.replacement import Replacement as Replacement
    from .interface.replacement import replace as replace
    from .interface.scores import Scores as Scores
    from .interface.scores import score as score
    from .interface.units import Alignment as Alignment
    from .interface.units import Gamma as Gamma
    from .interface.units import gamma as gamma
    from .interface.value import Value as Value
    from .interface.value import Values as Values

_HOMES = {
    **dict.fromkeys(
        (
            *("agreement", "coefficient", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"),
            *("modification_rate", "plan"),
        ),
        "labels",
    ),
    **dict.fromkeys(("Run", "open", "run"), "campaigns"),
    **dict.fromkeys(("Export", "read"), "reading"),
    "next_labels": "next_labels",
    **dict.fromkeys(("g_study", "icc"), "ratings"),
    **dict.fromkeys(("Replacement", "replace"), "replacement"),
    **dict.fromkeys(("Scores", "score"), "scores"),
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
