"""Checks of judges besides the verdicts, from repeated runs and item lengths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.distances import category_values
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Floats
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.replacement.judge_checks import (
    CheckedItems,
    advantage_change,
    changed_labels,
    length_bias,
    position_checks,
    self_consistency,
    third_of_each,
)
from ...metrics.replacement.judge_comparison import Codes, JudgeComparison
from ...metrics.replacement.replacement_options import ReplacementSettings
from ..inputs.item_numbers import ItemNumbers, read_item_numbers

Lengths: TypeAlias = ItemNumbers
_FIRST_PASS = 1


@dataclass(frozen=True)
class JudgeRuns:
    """Further data on systems besides the judged labels.

    passes   system → number of the annotation pass → codes (N,), -1 for no label
    lengths  lengths of the items (N,), nan if unknown; None if no lengths are given
    """

    passes: Mapping[str, Mapping[int, Codes]] = field(default_factory=dict)
    lengths: Floats | None = None


def thirds_by_length(lengths: Floats | None) -> dict[str, tuple[list[str], NDArray[np.int64]]]:
    """The third of the lengths that each item is in, named by its range; {} without lengths."""
    if lengths is None or not np.isfinite(lengths).any():
        return {}
    index = third_of_each(lengths)
    kept = [third for third in range(3) if (index == third).any()]
    ranges = [lengths[index == third] for third in kept]
    names = [f"{part.min():g} … {part.max():g}".replace("-", "\u2212") for part in ranges]
    number = np.full(4, -1)
    number[kept] = np.arange(len(kept))
    return {"length": (names, number[index])}


def checks_of_labels(
    system: str,
    matrix: LabelMatrix,
    comparisons: Mapping[str, JudgeComparison],
    settings: ReplacementSettings,
    runs: JudgeRuns,
) -> list[Estimate]:
    """Compute the checks that the data allow: consistency, drift, position and length.

    Raises MetricsError for positions that are not categories.
    """
    how = CheckedItems(matrix.documents_to_resample, settings.level)
    codes = dict(zip(matrix.annotators, matrix.codes.T, strict=True))
    passes = {_FIRST_PASS: codes[system], **runs.passes.get(system, {})}
    original = [one for number, one in sorted(passes.items()) if number % 2 == 1]
    swapped = [one for number, one in sorted(passes.items()) if number % 2 == 0]
    found: list[Estimate] = []
    if not settings.positions:
        original, swapped = [*original, *swapped], []
    if len(original) > 1:
        found.append(self_consistency(original, how))
    earlier = settings.earlier.get(system)
    if earlier is not None:
        found.append(changed_labels(codes[system], codes[earlier], how))
    found += advantage_drift(system, comparisons, settings, how)
    if settings.positions:
        first, second = _positions(settings.positions, matrix.tagset)
        found += position_checks(original, swapped, first, second, how) if swapped else []
    numbers = _numbers(matrix.tagset, settings)
    if runs.lengths is not None and numbers is not None:
        values = np.where(matrix.codes >= 0, numbers[matrix.codes], math.nan)
        is_human = np.array([role == HUMAN for role in matrix.roles])
        own = values[:, matrix.annotators.index(system)]
        found.append(length_bias(own, values[:, is_human], runs.lengths, how))
    return found


def advantage_drift(
    system: str,
    comparisons: Mapping[str, JudgeComparison],
    settings: ReplacementSettings,
    how: CheckedItems,
) -> list[Estimate]:
    """Return the change of the advantage since the declared earlier run; [] if there is none."""
    earlier = settings.earlier.get(system)
    if earlier is None:
        return []
    now, before = comparisons[system], comparisons[earlier]
    panel = panel_members(now, settings)
    found = advantage_change(now.select_annotators(panel), before.select_annotators(panel), how)
    return [replace(found, n_annotators=int(panel.sum()))]


def panel_members(comparison: JudgeComparison, settings: ReplacementSettings) -> NDArray[np.bool_]:
    """The annotators with enough items to be in the panel (A,)."""
    return np.asarray(comparison.compared.sum(axis=0) >= settings.min_items)


def require_earlier_systems(settings: ReplacementSettings, systems: Iterable[str]) -> None:
    """Raise MetricsError unless both runs of every drift are systems of the data."""
    known = sorted(systems)
    for name in (*settings.earlier, *settings.earlier.values()):
        if name not in known:
            raise MetricsError(
                f"earlier: {name!r} is not a system of the data; the systems are {', '.join(known)}"
            )


def read_lengths(path: Path, *, of_documents: bool = False) -> Lengths:
    """The lengths of a table with the columns item and length, and document where it is needed.

    of_documents  the column document may stand in place of item, for layers of units

    Raises DataError as `read_item_numbers` does.
    """
    found: dict[tuple[str, str], float] = {}
    for own in read_item_numbers(path, "length", what="length", of_documents=of_documents).values():
        found |= own
    return found


def lengths_of_items(items: Sequence[tuple[str, str]], lengths: Lengths) -> Floats:
    """Return the length of each (document, item), nan if unknown."""
    return np.array(
        [lengths.get(key, lengths.get(("", key[1]), math.nan)) for key in items], np.float64
    )


def document_lengths(names: Sequence[str], read: Sequence[float], given: Lengths) -> Floats | None:
    """The length of each document: as given, else as read; None where none is known."""
    of_names = lengths_of_items([("", name) for name in names], given)
    found = np.where(np.isnan(of_names), np.array(read, np.float64), of_names)
    return found if np.isfinite(found).any() else None


def _positions(positions: Sequence[str], tagset: Sequence[str]) -> tuple[int, int]:
    for name in positions:
        if name not in tagset:
            raise MetricsError(
                f"positions: {name!r} is not a category; the categories are {', '.join(tagset)}"
            )
    first, second = (tagset.index(name) for name in positions)
    return first, second


def _numbers(tagset: Sequence[str], settings: ReplacementSettings) -> Floats | None:
    """Return numeric values of labels for the length check; None for nominal categories.

    Numbers with the alignment `accuracy` may be codes of categories, so they are used only if there
    are exactly two.
    """
    if settings.positions:
        worth = dict(zip(settings.positions, (1.0, -1.0), strict=True))
        return np.array([worth.get(name, 0.0) for name in tagset])
    return category_values(tagset) if settings.alignment != "accuracy" or len(tagset) == 2 else None
