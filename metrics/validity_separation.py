"""The wall between agreement and validity: measures never computed between system and reference."""

from __future__ import annotations

from .errors import RoleError
from .measure import Family
from .measures import MEASURES

# Parts of the names of chance-corrected coefficients elsewhere; ours are in the registry.
_ELSEWHERE = ("kappa", "alpha", "multi_pi", "randolph", "brennan", "davies", "ac1", "ac2", "gamma")


def is_chance_corrected(measure: str) -> bool:
    """Whether a measure's name is that of a chance-corrected coefficient."""
    name = measure.strip().lower().replace("-", "_").replace(" ", "_").replace("'s", "")
    family = MEASURES[name].family if name in MEASURES else None
    stem = name in ("s", "pi") or any(part in name for part in _ELSEWHERE)
    return family is Family.CHANCE_CORRECTED or (family is None and stem)


def require_no_chance_correction(measure: str, *, system: str = "a system") -> None:
    """Raise RoleError if `measure` corrects for chance, so that it must not score a system.

    Mathet & Widlöcher, sections 7.1 (table 5) and 7.2.2 (table 6).
    """
    if is_chance_corrected(measure):
        raise RoleError(
            f"{measure} is corrected for chance and is not computed between {system} and a "
            "reference: it can rank the worse system higher (one with accuracy .25 "
            "gets κ .143 where one with accuracy .50 gets κ 0); "
            "use accuracy, precision, recall and F, or the p_o of the "
            "campaign's own distances; `accordeur replace` tests whether a system may replace an "
            "annotator"
        )


def reject_system_as_annotator(system: str) -> None:
    """Raise RoleError, because a system must not be counted as an annotator."""
    raise RoleError(
        f"{system!r} is a system and cannot be counted as one more annotator: three humans with "
        "α .495 reach .503 with a system that scores .83 against their revised reference, and "
        ".529 with one that scores .50; score it against a reference instead, or see with "
        "`accordeur replace` whether it may replace an annotator"
    )
