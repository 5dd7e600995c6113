"""What a gate can be on, and whether the campaign file has it computed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

OF_UNITS = {
    "gamma": ("gamma",),
    "gamma_cat": ("gamma_cat",),
    "holistic": ("holistic", "holistic_greedy"),
    "alpha_u": ("alpha_u",),
    "u_alpha": ("u_alpha", "u_alpha_binary", "cu_alpha"),
}
OF_RELATIONS = (
    "relation_presence",
    "relation_category",
    "relation_typing",
    "relation_presence_f",
    "relation_category_f",
)
OF_CHAINS = ("chain_alpha", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


def check_gate(measure: str, of_items: Sequence[str], of_units: Sequence[str]) -> None:
    """Raise ValueError for a gate on what is no measure, or what the file does not ask for.

    `of_items`, `of_units`: the file's `items.measures` and `units.measures`.
    """
    from metrics.agreement.coefficients import COEFFICIENTS

    on_units = [name for names in OF_UNITS.values() for name in names]
    known = [*COEFFICIENTS, *on_units, *OF_RELATIONS, *OF_CHAINS]
    if measure not in known:
        meant = get_close_matches(measure, known, n=1)
        hint = f"did you mean {meant[0]}? " if meant else ""
        raise ValueError(f"no measure {measure!r}; {hint}gates can be on {', '.join(known)}")
    if measure in COEFFICIENTS and measure not in of_items:
        raise ValueError(f"a gate is on {measure}, which items.measures does not name")
    if measure in on_units and not any(measure in OF_UNITS[asked] for asked in of_units):
        raise ValueError(f"a gate is on {measure}, which units.measures does not name")
