"""Validation of measure names: every printed name is accepted, and errors explain the others.

`--measure` accepts each name that its command prints, and so do gates and the campaign file's
lists of measures; for a measure of another command, the error names that command.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...data.option_names import option
from ...metrics.close_names import did_you_mean, list_names
from ...metrics.errors import MetricsError
from ...metrics.measure_text import MeasureText
from ...metrics.measures import (
    CHAINS,
    CORPUS,
    GROUPS_OF_SCORES,
    ITEMS,
    OBJECTS,
    OF_REFERENCES,
    ON_LABELS,
    PAIRS_OF_RATINGS,
    RATING_MEASURES,
    RATINGS,
    RELATIONS,
    REPLACEMENT,
    SCORES,
    SCORES_OF_A_RUN,
    TWO_GROUPS,
    UNITS,
)
from ...metrics.validity_separation import require_no_chance_correction
from .distance_options import NOMINAL, ChosenDistance, choose_label_distance

GATES = tuple(
    dict.fromkeys(
        (
            *(*ON_LABELS, *OBJECTS, *TWO_GROUPS, *UNITS, *RELATIONS, *CHAINS),
            *(*SCORES_OF_A_RUN, *OF_REFERENCES, *REPLACEMENT, *CORPUS),
        )
    )
)

NOMINAL_CANDIDATES = ("cohen_kappa", "krippendorff_alpha", "gwet_ac1")
ORDERED_CANDIDATES = ("weighted_kappa", "krippendorff_alpha", "gwet_ac2")
OF_CONFIDENCE = ("brier", "calibration_error")
BARS = tuple(
    dict.fromkeys(
        (
            *(*NOMINAL_CANDIDATES, *SCORES_OF_A_RUN, *ORDERED_CANDIDATES, *RATING_MEASURES),
            *(*CORPUS, *REPLACEMENT, *OF_CONFIDENCE),
        )
    )
)
"""Measures of the check of a judge; which ones are computed depends on the labels."""

_HOMES = (
    (
        ITEMS,
        "is a coefficient on labels: `accordeur agree`, or [items] measures of a campaign",
    ),
    (
        RATINGS,
        "is a reliability of ratings: `accordeur agree`, or [items] measures of a campaign",
    ),
    (OBJECTS, "is of objects: `accordeur agree` with --distance, such as word_error"),
    (UNITS, "is a measure on units: `accordeur gamma`, or [units] measures of a campaign"),
    (RELATIONS, "is always computed on relations in a campaign run"),
    (("chain_alpha",), "is always computed on chains in a campaign run"),
    (SCORES, "is a score of systems against a reference: `accordeur score`"),
    (OF_REFERENCES, "is estimated in a campaign run, from labels with the role audit"),
    (REPLACEMENT, "says whether a system may replace an annotator: `accordeur replace`"),
    (CORPUS, "is estimated from a system and an audit: `accordeur estimate`, or [estimate]"),
    (
        ("k_rater_reliability",),
        "is a curve over numbers of annotators: `accordeur resample`, or [resampling] of a run",
    ),
    (
        TWO_GROUPS,
        "compares groups of annotators: `accordeur agree` with --group, or [items] groups in TOML",
    ),
    (PAIRS_OF_RATINGS, "is of ratings: `accordeur ratings`"),
    (("generalizability", "dependability"), "is a forecast of ratings: `accordeur ratings`"),
    (("modification_rate",), "is a curve over numbers of annotators: `accordeur resample`"),
)


def names_and_distance(
    measures: Sequence[str], given: ChosenDistance = NOMINAL
) -> tuple[tuple[str, ...], ChosenDistance]:
    """Return the names of measures such as `krippendorff_alpha(scale=ordinal)`, and the distance.

    given  the distance of the option, which is "nominal" if none was given

    Raises MetricsError for two different distances.
    """
    read = [MeasureText.read(one) for one in measures]
    stated = list(dict.fromkeys(one.distance for one in read if one.distance))
    names = tuple(dict.fromkeys(one.name for one in read))
    if not stated:
        return names, given
    if len(stated) > 1 or given not in (NOMINAL, chosen := choose_label_distance(stated[0])):
        both = [*stated, *([str(given)] if given != NOMINAL else [])]
        raise MetricsError(
            f"one distance at a time: {' and '.join(dict.fromkeys(both))} were given; measure once "
            "with each"
        )
    return names, chosen


def require_known_measures(
    names: tuple[str, ...], accepted: Collection[str], what_there_is: str
) -> tuple[str, ...]:
    """Return the names as in the registry, also from `ICC(A,1)`. Raises MetricsError for others."""
    for read in map(MeasureText.read, names):
        if read.distance:
            raise MetricsError(f"{read}: give the distance as {option('distance', read.distance)}")
    names = tuple(MeasureText.read(name).name for name in names)
    for name in names:
        if name not in accepted:
            raise MetricsError(unknown_measure_sentence(name, accepted, what_there_is))
    return names


def require_scores(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as in the registry, also from `f1_macro`.

    Raises RoleError for a chance-corrected coefficient, MetricsError for an unknown measure.
    """
    accepted = (*SCORES, *GROUPS_OF_SCORES)
    found = tuple(one if one in accepted else _score_with_these_words(one) for one in names)
    for name in found:
        if name not in accepted:
            require_no_chance_correction(name)
            raise MetricsError(unknown_measure_sentence(name, accepted, "the measures are"))
    return found


def _score_with_these_words(name: str) -> str:
    """Return the score that other packages call `f1_macro` or `micro_f1`, else the name."""
    words = sorted("f" if one == "f1" else one for one in name.lower().split("_") if one != "micro")
    return next((one for one in SCORES if sorted(one.split("_")) == words), name)


def name_in_results(name: str, known: Collection[str]) -> str:
    """Return the known name that is called so elsewhere, as `macro_f1`, else the name.

    The F of relations is found by the name that it has for units.
    """
    meant = (_score_with_these_words(name), _RELATION_OF_UNITS.get(name, ""))
    return next((one for one in meant if one in known), name)


_RELATION_OF_UNITS = {"pairwise_f": "relation_category_f", "pairwise_f_type": "relation_typing"}


def unknown_measure_sentence(name: str, accepted: Collection[str], what_there_is: str) -> str:
    """Explain why `name` is not in `accepted`: it belongs to another command or is misspelt.

    what_there_is  beginning of the sentence that ends with the list of accepted names
    """
    there_is = f"{what_there_is} {list_names(accepted, '`accordeur measures`')}"
    for names, home in _HOMES:
        if name in names:
            return f"{name} {home}; {there_is}"
    return f"no measure {name!r}; {did_you_mean(name, accepted)}{there_is}"
