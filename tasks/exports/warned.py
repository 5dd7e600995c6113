"""What a reader of a command's values must see, as typed values: code, figures and sentence.

The terminal prints the sentences, `--json` holds all of it under `warnings`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from ...metrics.estimate import Estimate
from ...metrics.measures import BY_ALIGNMENT
from ..wording import counted

ROUNDING = 5e-5  # of what is printed


class WarningCode(StrEnum):
    """Stable codes; the sentences may change."""

    FEW_UNITS = "few_units"
    FEW_DOCUMENTS = "few_documents"
    SINGLE_CATEGORY = "single_category"
    NO_INTERVAL = "no_interval"
    INTERVAL_WITHOUT_WIDTH = "interval_without_width"
    INTERVAL_OUTSIDE_VALUE = "interval_outside_value"
    MONTE_CARLO_ONLY = "monte_carlo_only"
    GREEDY_ALIGNMENT = "greedy_alignment"
    UNRESOLVED_ITEMS = "unresolved_items"
    NOT_IN_BOTH = "not_in_both"
    OTHER_CHANCE = "other_chance"
    NAMES_ALIKE = "names_alike"
    PAIRED_BY_NAME = "paired_by_name"
    OTHER_CATEGORIES = "other_categories"
    MISSING_AS_CATEGORY = "missing_as_category"
    SETS_AS_NAMES = "sets_as_names"
    JOINED_LABELS = "joined_labels"
    NUMBERS_AS_NAMES = "numbers_as_names"
    SAME_ITEM_ELSEWHERE = "same_item_elsewhere"
    OTHER_UNIT_OF_TIME = "other_unit_of_time"
    SINGLE_ANNOTATOR_DOCUMENTS = "single_annotator_documents"
    FEW_IN_PILOT = "few_in_pilot"
    BEYOND_PILOT = "beyond_pilot"
    MISSING_LABELS = "missing_labels"
    SINGLE_ANNOTATOR_REFERENCE = "single_annotator_reference"
    SCORING = "scoring"
    IGNORED_COLUMNS = "ignored_columns"
    ANNOTATOR_FOLDERS = "annotator_folders"
    NAMED_LIKE_REFERENCE = "named_like_reference"
    NAMED_LIKE_SYSTEM = "named_like_system"
    NEVER_OVERLAP = "never_overlap"


@dataclass(frozen=True, slots=True)
class Warned:
    code: WarningCode
    text: str
    figures: Mapping[str, float | int | str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def once(warnings: Iterable[Warned]) -> list[Warned]:
    """The warnings without repetitions of a sentence, in their order."""
    return list({one.text: one for one in warnings}.values())


def warnings_on_estimates(estimates: Sequence[Estimate]) -> list[Warned]:
    """What a table of values does not say by itself."""
    if not estimates:
        return []
    found = [*_few_units(estimates[0]), *_unresolved(estimates[0])]
    for one in estimates:
        found += [*_monte_carlo_only(one), *_greedy(one)]
    reasons: dict[str, list[str]] = {}
    for one in estimates:
        reason = one.detail.get("interval_reason")
        if reason and not math.isnan(one.value) and not one.detail.get("monte_carlo_error"):
            reasons.setdefault(str(reason), []).append(one.measure)
    found += [
        Warned(
            WarningCode.NO_INTERVAL,
            f"no interval of {' and '.join(measures)}: {reason}",
            {"measures": ", ".join(measures)},
        )
        for reason, measures in reasons.items()
    ]
    return [*found, *_outside(estimates), *_without_width(estimates)]


def _few_units(one: Estimate) -> Iterable[Warned]:
    if one.measure in BY_ALIGNMENT:
        from ...metrics.unitizing.breakdown import FEWEST_UNITS

        if 0 < one.n_items < FEWEST_UNITS:
            yield Warned(
                WarningCode.FEW_UNITS,
                f"with fewer than {FEWEST_UNITS} units ({one.n_items} here), γ is mostly chance",
                {"n_units": one.n_items, "fewest": FEWEST_UNITS},
            )


def _unresolved(one: Estimate) -> Iterable[Warned]:
    n = int(one.detail.get("n_unresolved", 0))
    if n:
        text = f"{counted(n, 'item')} without a reference label"
        yield Warned(WarningCode.UNRESOLVED_ITEMS, text, {"n_items": n})


def _monte_carlo_only(one: Estimate) -> Iterable[Warned]:
    error = one.detail.get("monte_carlo_error")
    if error and not math.isnan(one.value):
        yield Warned(
            WarningCode.MONTE_CARLO_ONLY,
            f"{one.measure} has no confidence interval: {one.detail['interval_reason']}; its Monte "
            f"Carlo error, from the sampled chance alone, is ± {float(error):.4f}",
            {"measure": one.measure, "monte_carlo_error": error},
        )


def _greedy(one: Estimate) -> Iterable[Warned]:
    if one.measure != "holistic_greedy":
        return
    n, largest = one.detail["n_documents_not_ideal"], one.detail["largest_excess_of_disorder"]
    ideal = (
        f"its alignment is not ideal in {counted(int(n), 'document')}, where its disorder is up to "
        f"{float(largest):.1%} greater"
        if n
        else "its alignments are all ideal, those by chance apart"
    )
    difference = one.detail["difference_from_exact"]
    yield Warned(
        WarningCode.GREEDY_ALIGNMENT,
        f"the greedy algorithm of 2011 gives {float(difference):+.4f} beside the exact one: "
        f"{ideal}",
        {
            "n_documents_not_ideal": n,
            "largest_excess_of_disorder": largest,
            "difference_from_exact": difference,
        },
    )


def _outside(estimates: Sequence[Estimate]) -> Iterable[Warned]:
    """Coefficients on labels whose bootstrap has moved away from the value."""
    outside = [
        one.measure
        for one in estimates
        if one.signature.settings.get("interval", "").startswith("bootstrap")
        and one.detail.get("interval_reason") == ""
        and not one.interval[0] - ROUNDING <= one.value <= one.interval[1] + ROUNDING
    ]
    if outside:
        yield Warned(
            WarningCode.INTERVAL_OUTSIDE_VALUE,
            f"the interval of {' and '.join(outside)} does not hold its value: items drawn again "
            "repeat their labels, so that more agreement is expected than of new items",
            {"measures": ", ".join(outside)},
        )


def _without_width(estimates: Sequence[Estimate]) -> Iterable[Warned]:
    flat = [one.measure for one in estimates if one.interval[0] == one.interval[1]]
    if flat:
        yield Warned(
            WarningCode.INTERVAL_WITHOUT_WIDTH,
            "an interval without width: no resample differs, which makes nothing sure",
            {"measures": ", ".join(flat)},
        )
