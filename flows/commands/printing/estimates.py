"""Estimates of the commands on exports and their differences, as tables or as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....metrics.measures import BY_CATEGORY, OBJECTS, UNITS
from ....reports.cell_texts import (
    interval_text,
    level_text,
    number_text,
    p_text,
    value_text,
    why_undefined,
)
from ....reports.columns import interval, number, text
from ....reports.value_columns import value_columns
from ....tasks.wording import counted
from ..terminal import print_json, terminal, text_tables
from .footnotes import print_account, print_rejected, print_rows, print_signatures, print_warnings
from .tables import print_table

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from ....metrics.estimate import Estimate
    from ....metrics.results import AttributeGroups
    from ....tasks.agreement.agreement_differences import Differences
    from ....tasks.inputs.measure_difference import MeasureDifference
    from ....tasks.inputs.results_of_exports import ExportResults


_MERGEABLE = ("krippendorff_alpha", "gamma")
_MERGED = (
    "The value with two of the categories as one: give the pair the distance 0 in a table "
    "(`--distance TABLE`, with all `--categories`)."
)


def print_groups(console: Console, found: Sequence[AttributeGroups]) -> None:
    """Print one row per group of annotators; groups that are too small are only counted."""

    def with_interval(value: Estimate) -> str:
        return value_text(value.value, value.interval)

    for one in found:
        if one.groups:
            print_table(
                console, one.groups,
                text(one.attribute, lambda group: group.name),
                number("annotators", lambda group: group.n_annotators),
                text("α within", lambda group: with_interval(group.within)),
                text("κ_x with the others", lambda group: with_interval(group.between)),
                text("normalised", lambda group: with_interval(group.normalized)),
                number("p", lambda group: group.p_corrected, p_text),
            )  # fmt: skip
        else:
            console.print(f"{one.attribute}: no two groups are large enough to be compared")
        if one.n_hidden:
            console.print(
                f"{one.attribute}: {counted(one.n_hidden, 'smaller group')} with "
                f"{counted(one.n_hidden_annotators, 'annotator')} not shown and not compared "
                "(--smallest-group)"
            )
        if one.n_unknown:
            console.print(f"{one.attribute}: unknown for {counted(one.n_unknown, 'annotator')}")
        least = max((g.least_p for g in one.groups if math.isfinite(g.least_p)), default=0.0)
        if least > 0.01:
            console.print(
                f"{one.attribute}: with so few annotators the permutation test cannot give a p "
                f"below {least:.3f}"
            )


def print_estimates(found: ExportResults, *, as_json: bool, signatures: bool) -> None:
    """Print values with intervals, warnings, the account of the rows, and signatures; or JSON."""
    if as_json:
        print_json(found.as_json())
        return
    estimates = found.estimates
    from .reading_guide import explained_text, reading_guide

    is_study = bool(estimates) and all(one.measure == "modification_rate" for one in estimates)
    on_units = any(one.measure in UNITS for one in estimates)
    console = terminal()
    measured, _, _ = found.parted
    meaning = "; M(k): share of the majority labels that change with k annotators" * is_study
    if estimates:
        heading = _heading(estimates, on_units=on_units)
        console.print(heading + meaning, soft_wrap=True, markup=False)
    as_text = text_tables()
    if as_text is not None:
        as_text.print(value_columns(*found.parted))
    elif estimates:
        _print_values(console, estimates, is_study=is_study, on_units=on_units)
    for sentence in (*explained_text(found.explained), *reading_guide(estimates)):
        console.print(sentence, soft_wrap=True, markup=False)
    if found.by and as_text is None:
        _print_parts(console, found, on_units=on_units)
    print_groups(console, found.groups)
    if not measured:
        return
    print_warnings(console, found.warnings, found.rejected)
    print_rows(console, found.rows, found.rejected)
    if signatures:
        from ....reports.quoted_value import quoted_value

        for one in estimates:
            console.print(quoted_value(one), soft_wrap=True, markup=False)
        print_signatures(console, (one.signature for one in estimates or measured))


def _print_values(
    console: Console, estimates: Sequence[Estimate], *, is_study: bool, on_units: bool
) -> None:

    is_new = any(one.is_for_new_annotators for one in estimates)
    level = level_text(one.confidence_level for one in estimates) + ", new annotators" * is_new
    distances = len({_distance_text(one) for one in estimates} - {""}) > 1
    on_objects = any(one.measure in OBJECTS and math.isnan(one.observed) for one in estimates)
    has_chance = any(math.isfinite(_by_chance("expected", one)) for one in estimates)
    abstaining = is_study and any(one.how.ties == "abstain" for one in estimates)
    prevalent = estimates[0].detail.prevalent if is_study and estimates else ""
    print_table(
        console, estimates,
        text("k", lambda one: one.detail.k, when=is_study),
        text("measure", _measure_name, whole=True, when=not is_study),
        number("M(k)" if is_study else "value", lambda one: one.value),
        interval(level, lambda one: one.interval),
        text("distance", _distance_text, when=distances and not is_study and not on_units),
        *[
            number(which + " distance" * on_objects, partial(_by_chance, which), when=has_chance)
            for which in ("observed", "expected")
        ],
        number("no label (tie)", lambda one: one.detail.abstained, when=abstaining),
        number(
            f"M(k) without {prevalent}",
            lambda one: one.detail.rate_of_others,
            when=bool(prevalent),
        ),
        why_undefined(estimates, lambda one: one.reason),
    )  # fmt: skip


def _by_chance(which: str, one: Estimate) -> float:
    """Return p_o or p_e ("expected") of an estimate, or the mean distance of objects in α."""
    of = one.detail
    if math.isnan(one.observed) and math.isfinite(of.expected_disagreement):
        return of.expected_disagreement if which == "expected" else of.observed_disagreement
    return float(getattr(one, which))


def _print_parts(console: Console, found: ExportResults, *, on_units: bool) -> None:
    """Print the measures for each category, each pair, or without each annotator."""
    how = "without each annotator" if found.by == "annotator" else f"by {found.by}"
    parts = found.parts
    if found.by == "category" and len(parts) == 2 and parts[0][1].value == parts[1][1].value:
        parts = [(f"{parts[0][0]}, {parts[1][0]}", parts[0][1])]  # of two, each is not the other
    items = "items in common" if found.by == "pair" else "items"
    on_all = (
        found.by == "category" and not on_units and bool(found.estimates)
    )  # as the heading says
    measures = list(dict.fromkeys(one.measure for _, one in parts))
    print_table(
        console, parts,
        text("without" if found.by == "annotator" else str(found.by), lambda row: row[0]),
        text("measure", lambda row: row[1].measure, when=len(measures) > 1),
        number("value", lambda row: row[1].value),
        interval(level_text(one.confidence_level for _, one in parts), lambda row: row[1].interval),
        number("units" if on_units else items, lambda row: row[1].n_items, when=not on_all),
        number("annotators", lambda row: row[1].n_annotators, when=not found.estimates),
        why_undefined(parts, lambda row: row[1].reason),
        title=f"{measures[0] if len(measures) == 1 else 'measures'} {how}",
    )  # fmt: skip
    names = list(dict.fromkeys(name for name, _ in parts))
    for one in found.differences:
        console.print(_difference_text(one, names), soft_wrap=True, markup=False)
    of_nominal = {one.measure for one in found.estimates if _distance_text(one) in ("", "nominal")}
    if found.by == "category" and len(parts) > 2 and of_nominal & {*_MERGEABLE} & {*measures}:
        console.print(_MERGED, soft_wrap=True, markup=False)
    means = (one.detail.mean_of_pairs for one in found.estimates[:1] if found.by == "pair")
    for mean in filter(math.isfinite, means):
        console.print(f"mean over pairs of annotators: {number_text(mean)}")


def _difference_text(one: MeasureDifference, names: Sequence[str]) -> str:
    of = one.difference
    bounds = interval_text((of.lower, of.upper), "+")
    return (
        f"{' − '.join(names)}, of different items: {one.measure} {number_text(of.value, '+')} "
        f"({level_text([of.level])} {bounds}, p {p_text(of.p_value, of.least_p)})"
    )


def _heading(estimates: Sequence[Estimate], *, on_units: bool) -> str:
    """Return what was measured: counts, and the settings in which packages differ.

    For γ these are its chance model and Δ∅; for coefficients on items their one distance.
    """
    first = estimates[0]
    measured = counted(first.n_items, "unit" if on_units else "item")
    if n := first.detail.n_unpaired:
        measured += f" with two or more labels ({n:,} with one)"
    said = [f"{measured}, {_annotators_text(first)}"]
    distances = {_distance_text(one) for one in estimates} - {""}
    if len(distances) == 1 and not on_units:
        said.append(f"distance: {distances.pop()}")
    if first.how.chosen:
        models = (first.how.processes or "").split("+")
        others = " and ".join(one for one in models if one != first.how.chosen)
        lowest = f", with a lower expected disorder than {others}" if others else ""
        said += [f"chance model: {first.how.chosen}{lowest}", f"Δ∅ {first.how.delta_empty:g}"]
    return "; ".join(said)


def print_reliability(estimates: Sequence[Estimate], *, signatures: bool) -> None:
    """Print the reliability of k annotators, one row for each k."""

    console = terminal()
    drawn = any(math.isfinite(one.detail.monte_carlo_standard_error) for one in estimates)
    print_table(
        console, estimates,
        text("k", lambda one: one.detail.k),
        number(f"{estimates[0].detail.of} of k annotators together", lambda one: one.value),
        interval(level_text(one.confidence_level for one in estimates), lambda one: one.interval),
        number("Monte Carlo s.e.", lambda one: one.detail.monte_carlo_standard_error, when=drawn),
        why_undefined(estimates, lambda one: one.reason),
    )  # fmt: skip
    if signatures:
        print_signatures(console, (one.signature for one in estimates if one.signature))


def _annotators_text(one: Estimate) -> str:
    most = one.detail.most_annotators or one.n_annotators
    people = counted(one.n_annotators, "annotator")
    return people if most >= one.n_annotators else f"{people}, at most {most:,} per document"


def print_compared(
    found: Differences,
    first: Sequence[Path],
    second: Sequence[Path],
    *,
    as_json: bool,
    signatures: bool,
) -> None:
    """Print the values of two annotations side by side, with their differences; or JSON."""
    if as_json:
        print_json(found.as_json())
        return
    compared = found.compared

    console = terminal()
    print_table(
        console, compared,
        text("measure", lambda one: one.measure, whole=True),
        number("first", lambda one: one.first),
        number("second", lambda one: one.second),
        number("first − second", lambda one: one.difference.value, "+"),
        interval(
            level_text(one.difference.level for one in compared),
            lambda one: (one.difference.lower, one.difference.upper),
            "+",
        ),
        number("p", lambda one: p_text(one.difference.p_value, one.difference.least_p)),
        why_undefined(compared, lambda one: one.difference.reason),
    )  # fmt: skip
    for one in compared[:1]:
        console.print(_compared_units_text(one), soft_wrap=True)
    for reason in dict.fromkeys(one.difference.p_reason for one in compared):
        if reason:
            console.print(f"no p: {reason}", soft_wrap=True)
    print_warnings(console, found.warnings)
    sides = (("first", first), ("second", second))
    for (side, paths), rows in zip(sides, found.rows, strict=True):
        print_account(console, rows, f"{side} ({', '.join(path.name for path in paths)}): ")
    print_rejected(console, found.rejected)
    if signatures:
        print_signatures(console, (one.how.signature for one in compared))


def _measure_name(one: Estimate) -> str:
    """Return the name of the measure, with the category or the annotator of its value."""

    part = one.detail.category if one.measure in BY_CATEGORY else one.detail.annotator
    return f"{one.measure} {part}" if part else one.measure


def _distance_text(one: Estimate) -> str:
    """The name of the distance; of a table without the hash that its signature has."""
    return (one.how.distance or "").partition("-")[0]


def _compared_units_text(one: MeasureDifference) -> str:
    if one.n_documents is None:
        return f"{one.n_items[0]:,} and {counted(one.n_items[1], 'item')}"
    units = f"{one.n_items[0]:,} and {counted(one.n_items[1], 'unit')}"
    if one.difference.method != "bootstrap-paired":
        documents = f"{one.n_documents[0]:,} and {counted(one.n_documents[1], 'document')}"
        return f"two campaigns of {documents}, not paired; {units}"
    return f"paired on {counted(one.n_documents[0], 'document')}; {units}"
