"""The wall: what is never computed between a system and a reference."""

from __future__ import annotations

from ..errors import RoleError

# Stems of the names of chance-corrected coefficients (definitions in `metrics.agreement` and
# `metrics.unitizing`, which nothing here may import).
CHANCE_CORRECTED = (
    "bennett_s",
    "brennan_prediger",
    "randolph",
    "scott_pi",
    "fleiss",
    "multi_pi",
    "cohen",
    "conger",
    "davies_fleiss",
    "multi_kappa",
    "kappa",
    "weighted_pi",
    "krippendorff",
    "alpha",
    "gwet",
    "ac1",
    "ac2",
    "aickin",
    "finn",
    "gamma",
    "holistic",
)


def is_chance_corrected(measure: str) -> bool:
    """Whether a measure's name is that of a chance-corrected coefficient."""
    name = measure.strip().lower().replace("-", "_").replace(" ", "_").replace("'s", "")
    return name in ("s", "pi") or any(stem in name for stem in CHANCE_CORRECTED)


def require_direct(measure: str, *, system: str = "a system") -> None:
    """Raise RoleError when `measure` corrects for chance: it may not judge a system.

    Mathet & Widlöcher, sections 7.1 (table 5) and 7.2.2 (table 6).
    """
    if is_chance_corrected(measure):
        raise RoleError(
            f"{measure} is not computed between {system} and a reference: corrected for chance, a "
            "system with accuracy .25 gets κ .143 where one with accuracy .50 gets κ 0; use "
            "accuracy, precision, recall and F, or the p_o of the campaign's own distances"
        )


def require_not_annotator(system: str) -> None:
    """Raise RoleError: a system is not one more annotator of an agreement."""
    raise RoleError(
        f"{system!r} is a system and cannot be counted as one more annotator: three humans with "
        "α .495 reach .503 with a system that scores .83 against their revised reference, and "
        ".529 with one that scores .50; score it against a reference instead"
    )
