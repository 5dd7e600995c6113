"""The names of all values that a command or a report gives: the one list of what may be asked.

A name that is printed is accepted by `--measure` of the command that prints it, by the campaign
file's lists of measures and by gates; for a name of another command the error names that command.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import product

from ..metrics.agreement.coefficients import COEFFICIENTS
from ..metrics.scoring.precision_recall import MATCHES
from ..metrics.scoring.segmentation import SEGMENTATION_MEASURES

ITEMS = tuple(COEFFICIENTS)
# What is computed together, so that one name asks for all of it: the first is asked for.
OF_UNITS: dict[str, tuple[str, ...]] = {
    "gamma": ("gamma",),
    "gamma_cat": ("gamma_cat",),
    "gamma_k": ("gamma_k",),
    "gamma_cat_empty_pairs": ("gamma_cat_empty_pairs",),
    "soft_gamma": ("soft_gamma",),
    "holistic": ("holistic", "holistic_greedy"),
    "holistic_greedy": ("holistic_greedy",),
    "alpha_u": ("alpha_u",),
    "u_alpha": ("u_alpha", "u_alpha_binary", "cu_alpha"),
    "u_alpha_binary": ("u_alpha_binary",),
    "cu_alpha": ("cu_alpha",),
    "ku_alpha": ("ku_alpha",),
}
UNITS = tuple(OF_UNITS)
BY_ALIGNMENT = tuple(name for name in UNITS if name.startswith(("gamma", "soft", "holistic")))
BY_CATEGORY = ("gamma_k", "ku_alpha")  # one value for each category, none for all together
RELATIONS = (
    "relation_presence",
    "relation_category",
    "relation_typing",
    "relation_presence_f",
    "relation_category_f",
    "mutual_f",
)
CHAINS = ("chain_alpha", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")

RATES = ("precision", "recall", "f")
BASELINES = ("reference_by_itself", "majority_class")
LABEL_SCORES = (
    "accuracy",
    *RATES,
    *(f"macro_{rate}" for rate in RATES),
    "observed_agreement",
)
UNIT_SCORES = (
    *("_".join(name) for name in product(MATCHES, RATES)),
    "slot_error_rate",
    "weighted_slot_error_rate",
    "observed_disorder",
)
UNIT_MACRO_SCORES = tuple(
    "_".join((match, "macro", rate)) for match, rate in product(MATCHES, RATES)
)
SEGMENTATION: tuple[str, ...] = SEGMENTATION_MEASURES
COREFERENCE = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll")
DIARIZATION = ("der", "der_confusion", "der_missed", "der_false_alarm")
STRUCTURES = (*SEGMENTATION, *DIARIZATION, *COREFERENCE)
SCORES_OF_A_RUN = tuple(dict.fromkeys((*LABEL_SCORES, *UNIT_SCORES, *BASELINES)))
SCORES = tuple(dict.fromkeys((*SCORES_OF_A_RUN, *UNIT_MACRO_SCORES, *STRUCTURES)))
GROUPS_OF_SCORES = (*MATCHES, "macro")  # `exact` asks for exact_precision and so on

GATES = tuple(dict.fromkeys((*ITEMS, *UNITS, *RELATIONS, *CHAINS, *SCORES_OF_A_RUN)))

_HOMES = (
    (
        ITEMS,
        "is a coefficient on labels: `accordeur agree`, or [items] measures of a campaign",
    ),
    (UNITS, "is a measure on units: `accordeur gamma`, or [units] measures of a campaign"),
    (RELATIONS, "is computed on relations by a campaign run, without being asked for"),
    (("chain_alpha",), "is computed on chains by a campaign run, without being asked for"),
    (SCORES, "is a score of systems against a reference: `accordeur score`"),
    (("modification_rate",), "is a curve over numbers of annotators: `accordeur resample`"),
)


def unit_values(asked: Iterable[str]) -> tuple[str, ...]:
    """The names of the values on units that a list of measures gives, in its order."""
    return tuple(dict.fromkeys(name for measure in asked for name in OF_UNITS[measure]))


def refusal(name: str, accepted: Collection[str], what_there_is: str) -> str:
    """Why `name` is none of the `accepted`: another command's, or misspelt.

    what_there_is  the beginning of a sentence that the accepted names end
    """
    there_is = f"{what_there_is} {', '.join(accepted)}"
    for names, home in _HOMES:
        if name in names:
            return f"{name} {home}; {there_is}"
    meant = get_close_matches(name, [*accepted], n=1)
    hint = f"did you mean {meant[0]}? " if meant else ""
    return f"no measure {name!r}; {hint}{there_is}"
