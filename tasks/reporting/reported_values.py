"""All values of the results of layers: gates, `compare` and the table of all read this one list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...data.column_descriptions import described
from ...metrics.estimate import Estimate
from ...metrics.measures import BY_CATEGORY, CHAINS, COEFFICIENTS
from ...reports import results as page
from ...reports.columns import interval, number, text, values_by_column

WHOLE = "corpus"
_NUMBERS = ("value", "lower", "upper", "level", "observed", "expected")


@dataclass(frozen=True, slots=True)
class ReportedValue:
    """A value of the report.

    part     `WHOLE` for a value of a layer or an estimate of the corpus, else a kind of part
    name     of the part: a category, a pair, a system
    gates    (measure, of) by which gates name it; () if none can
    by       the system whose labels give an estimate of the corpus
    """

    layer: str
    part: str
    name: str
    value: Estimate
    gates: Sequence[tuple[str, str]] = ()
    by: str = ""


def layers_of(found: page.Measured) -> list[page.ItemAgreement | page.UnitAgreement]:
    return [*found.items, *found.units]


def values_of(found: page.Measured) -> Iterator[ReportedValue]:
    """Yield every value of the results, those of items and units first."""
    for items in found.items:
        yield from _of_layer(items)
        yield from _of_study(items)
    for units in found.units:
        yield from _of_layer(units)
        yield from _listed(units.layer, "explained", units.explained)
    for relations in found.relations:
        yield from _of_relations(relations)
    for replacement in found.replacement:
        for system in replacement.systems:
            for value in (*system.values, *system.checks):
                gates = ((value.measure, system.system),)
                part = "replacement of an annotator"
                yield ReportedValue(replacement.layer, part, system.system, value, gates)
            part = f"replacement of an annotator by {system.system}"
            yield from _named(replacement.layer, part, system.parts)
    for resampling in found.resampling:
        yield from _listed(resampling.layer, "k annotators", resampling.reliability)
    for estimates in found.estimates:
        for by, of, value in estimates.values():
            gates = ((value.measure, of or by),)
            yield ReportedValue(estimates.layer, WHOLE, of, value, gates, by)
        agreement = [] if estimates.agreement is None else [estimates.agreement]
        yield from _listed(estimates.layer, "audit", agreement)
    for validity in found.validity:
        yield from _of_scores(validity)


def _of_layer(layer: page.ItemAgreement | page.UnitAgreement) -> Iterator[ReportedValue]:
    for value in layer.values:
        yield ReportedValue(layer.layer, WHOLE, "", value, ((value.measure, ""),))
    for kind in ("per_category", "per_pair", "leave_one_out", "per_document", "intra"):
        for one in getattr(layer, kind):
            has_gate = kind == "per_category" and one.value.measure in BY_CATEGORY
            gates = ((one.value.measure, one.name),) if has_gate else ()
            yield ReportedValue(layer.layer, kind, one.name, one.value, gates)


def _of_study(layer: page.ItemAgreement) -> Iterator[ReportedValue]:
    """Yield values of subsets of items, groups of annotators, ratings and objects."""
    for subset in layer.universes:
        for value in subset.values:
            yield ReportedValue(layer.layer, "subset of items", subset.name, value)
    for attribute in layer.groups:
        for group in attribute.groups:
            for kind in ("within", "between", "normalized"):
                part = f"groups by {attribute.attribute}, {kind}"
                yield ReportedValue(layer.layer, part, group.name, getattr(group, kind))
    if layer.ratings is not None:
        ratings = layer.ratings
        repeated = [] if ratings.repeatability is None else [ratings.repeatability]
        for kind in ("reliability", "scales", "forecast", "pairs"):
            yield from _listed(layer.layer, f"ratings, {kind}", getattr(ratings, kind))
        yield from _listed(layer.layer, "ratings, repeatability", repeated)
    if layer.objects is not None:
        yield from _listed(layer.layer, "objects", layer.objects.annotators)


def _of_relations(layer: page.RelationAgreement) -> Iterator[ReportedValue]:
    for one in layer.values:
        gates = [(f"relation_{one.name}", "")]
        if one.value.measure not in COEFFICIENTS:
            gates.append((one.value.measure, one.name))
        yield ReportedValue(layer.layer, f"relations, {WHOLE}", one.name, one.value, gates)
    for kind in ("per_category", "per_pair"):
        yield from _named(layer.layer, f"relations, {kind}", getattr(layer, kind))
    for value in layer.chains:
        gates = [("chain_alpha", "")] if value is layer.chains[0] else []
        if value.measure in CHAINS:
            gates.append((value.measure, ""))
        yield ReportedValue(layer.layer, "chains", "", value, gates)


def _of_scores(validity: page.Validity) -> Iterator[ReportedValue]:
    error = validity.error
    if error is not None:
        of = validity.reference
        yield ReportedValue(validity.layer, "reference", of, error, ((error.measure, of),))
    for kind in ("systems", "humans", "human_range", "leave_one_out", "baselines", "beside"):
        for scores in getattr(validity, kind):
            without = f"a reference without {scores.without}" if scores.without else ""
            against = f"against {without or validity.reference}"
            for value in scores.values:
                has_gate = kind in ("systems", "baselines")
                gates = ((value.measure, scores.system),) if has_gate else ()
                yield ReportedValue(scores.layer, against, scores.system, value, gates)
            yield from _named(scores.layer, f"{against}, {scores.system}", scores.per_category)


def _named(layer: str, part: str, values: Iterable[page.Named]) -> Iterator[ReportedValue]:
    return (ReportedValue(layer, part, one.name, one.value) for one in values)


def _listed(layer: str, part: str, values: Iterable[Estimate]) -> Iterator[ReportedValue]:
    """Yield values that differ by what their detail names: k annotators, a pair, an annotator."""
    for value in values:
        of = value.detail
        pair = f"{of.first} × {of.second}" if of.first else ""
        name = pair or of.annotator or (f"k = {of.k:g}" if of.k else "")
        yield ReportedValue(layer, part, name, value)


def values_table(results: page.Results) -> pa.Table:
    """Return one row per value: layer, part, name, measure, value, interval …"""
    columns = values_by_column(
        values_of(results),
        text("layer", lambda one: one.layer),
        text("part", _part),
        text("name", lambda one: one.name),
        text("measure", lambda one: one.value.measure),
        number("value", lambda one: one.value.value),
        interval("", lambda one: one.value.interval),
        number("level", lambda one: one.value.confidence_level),
        number("observed", lambda one: one.value.observed),
        number("expected", lambda one: one.value.expected),
        number("n_items", lambda one: one.value.n_items),
        number("n_annotators", lambda one: one.value.n_annotators),
        text("reason", lambda one: str(one.value.reason or "")),
        text("signature", lambda one: one.value.signature),
    )
    table = pa.table({name: _typed(name, cells) for name, cells in columns.items()})
    return table.cast(described(table.schema, campaign=results.campaign.name))


def _part(one: ReportedValue) -> str:
    return f"{one.part}, by {one.by}" if one.by else one.part


def _typed(name: str, cells: list[Any]) -> pa.Array:
    if name in _NUMBERS:
        return pa.array(cells, pa.float64())
    return pa.array(cells, pa.int64() if name.startswith("n_") else pa.string())
