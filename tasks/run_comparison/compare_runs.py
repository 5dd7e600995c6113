"""`accordeur compare`: differences between two runs of a campaign, and causes of changed values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from ...data.ledger import FILE as LEDGER
from ...data.ledger import read_ledger
from ...data.ledger_changes import compare_ledgers
from ...data.store.parquet_format import table_of_bytes
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.influence import Influences, combine_influences
from ...reports.portfolio.portfolio_results import (
    Comparison,
    DocumentEffect,
    Fate,
    Paired,
    Setting,
    SettingKind,
    Unpaired,
    ValueChange,
)
from ...reports.results import Changes, Results
from ..influences import FILE as INFLUENCES
from ..influences import Key, read_influences
from ..reporting.reported_values import WHOLE, values_of
from .judges import judge_changes
from .runs import RunToCompare
from .value_by_document import Documents, LabelsOfRun, NotDecomposableError, unit_documents

MOST_EFFECTS = 20
_OF_INPUT = ("input", "version", "seed", "samples", "chosen")  # reported elsewhere


def compare_runs(first: RunToCompare, second: RunToCompare) -> Comparison:
    """Return all changes from the first run to the second; values as second minus first."""
    documents = _document_changes(first, second)
    fates = {} if documents is None else dict.fromkeys(documents.changed, Fate.CHANGED)
    return Comparison(
        campaign=second.results.campaign.name,
        first=first.described(),
        second=second.described(),
        documents=documents,
        data=_differing(
            _annotation_setup_and_rows(first.results), _annotation_setup_and_rows(second.results)
        ),
        options=[
            *_differing(_recorded_options(first.results), _recorded_options(second.results)),
            *_settings_of_values(first.results, second.results),
        ],
        code=_differing(_package_versions(first.results), _package_versions(second.results)),
        values=[_shortened(one) for one in _value_changes(first, second, fates)],
        judges=judge_changes(first, second),
    )


def _document_changes(first: RunToCompare, second: RunToCompare) -> Changes | None:
    """Return the changes of documents; None if a ledger is missing or of an earlier version."""
    tables = []
    for run in (first, second):
        table = read_ledger(run.store.content(f"{run.folder}/{LEDGER}"))
        if table is None:
            return None
        tables.append(table)
    found = compare_ledgers(tables[0], tables[1], most=None)
    return Changes(since=first.name, **asdict(found))


_Known = dict[tuple[SettingKind, str], str]


def _differing(first: _Known, second: _Known) -> list[Setting]:
    found = [
        (key, first.get(key, ""), second.get(key, "")) for key in dict.fromkeys((*second, *first))
    ]
    return [
        Setting(kind=kind, of=of, first=one, second=two)
        for (kind, of), one, two in found
        if one != two
    ]


def _annotation_setup_and_rows(results: Results) -> _Known:
    """Return annotators with their roles, guideline versions, tagsets and rows."""
    campaign = results.campaign
    found = {(SettingKind.ANNOTATOR, one.name): one.role for one in results.annotators}
    found[SettingKind.GUIDELINE, ""] = campaign.guideline
    for batch in results.batches:
        found[SettingKind.BATCH_GUIDELINE, batch.name] = batch.guideline
    for layer, tagset in campaign.tagsets.items():
        found[SettingKind.TAGSET, layer] = ", ".join(tagset)
    if (rows := results.validation) is not None:
        found[SettingKind.ROWS_ACCEPTED, ""] = str(rows.n_read - rows.n_rejected)
        found[SettingKind.ROWS_REJECTED, ""] = str(rows.n_rejected)
    return found


def _recorded_options(results: Results) -> _Known:
    """Return the campaign file's hash, the seed and the gates, as the results state them."""
    found = {
        (SettingKind.CAMPAIGN_FILE, ""): results.run.config_hash,
        (SettingKind.SEED, ""): str(results.run.seed),
    }
    for gate in results.gates:
        place = ", ".join(part for part in (gate.layer, gate.of) if part)
        named = f"{gate.measure} ({place})" if place else gate.measure
        found[SettingKind.GATE, named] = f"{gate.operator} {gate.threshold:g}"
    return found


def _settings_of_values(first: Results, second: Results) -> list[Setting]:
    """Compare the settings of common values; equal differences share one entry."""
    earlier = {key: one.how.settings for key, one in _main_values(first)}
    of_values: dict[tuple[str, str, str], list[str]] = {}
    for place, value in _main_values(second):
        before, now = earlier.get(place), value.how.settings
        if before is None:
            continue
        for key in dict.fromkeys((*now, *before)):
            pair = before.get(key, ""), now.get(key, "")
            if pair[0] != pair[1] and key not in _OF_INPUT:
                of_values.setdefault((key, *pair), []).append(f"{value.measure} ({place.layer})")
    return [
        Setting(kind=SettingKind.OPTION, of=f"{key}: {', '.join(whose)}", first=one, second=two)
        for (key, one, two), whose in of_values.items()
    ]


def _package_versions(results: Results) -> _Known:
    versions = {"accordeur": results.run.version, **results.run.versions}
    return {(SettingKind.PACKAGE, name): version for name, version in versions.items()}


class _Key(NamedTuple):
    """A value that two runs may both have; `of`: the category and the system of an estimate."""

    layer: str
    measure: str
    of: str


def _main_values(results: Results) -> Iterator[tuple[_Key, Estimate]]:
    for one in values_of(results):
        if one.part == WHOLE:
            of = ", ".join(filter(None, (one.name, one.by)))
            yield _Key(one.layer, one.value.measure, of), one.value


def _value_changes(
    first: RunToCompare, second: RunToCompare, fates: Mapping[str, Fate]
) -> Iterator[ValueChange]:
    """Yield each value of either run, main values first within their layer."""
    both = [dict(_main_values(run.results)) for run in (first, second)]
    sources = [_document_finders_by_layer(run) for run in (first, second)]
    kept = [_read_influences(run) for run in (first, second)]
    for key in dict.fromkeys((*both[1], *both[0])):
        one, two = (of_run.get(key) for of_run in both)
        change = ValueChange(
            **key._asdict(),
            first=one,
            second=two,
            change=two.value - one.value if one is not None and two is not None else math.nan,
        )
        influences = [of_run.get((key.layer, key.measure)) for of_run in kept]
        try:
            if one is None or two is None:
                raise NotDecomposableError(Unpaired.NO_SECOND)
            if not math.isfinite(change.change):
                raise NotDecomposableError(Unpaired.UNDEFINED)
            if key.of:
                raise NotDecomposableError(Unpaired.NO_COUNTS)
            counted = [
                of_run[key.layer](value) for of_run, value in zip(sources, (one, two), strict=True)
            ]
            found = _document_effects(counted[0], counted[1], fates)
            change = change.model_copy(update={"effects": found, "n_effects": len(found)})
            if None in influences:
                influences = [of_run.influences() for of_run in counted]
            paired = pair_documents(counted[0], counted[1])
            change = change.model_copy(update={"paired": paired})
        except NotDecomposableError as error:
            change = change.model_copy(update={"unpaired": error.reason})
        yield change.model_copy(update={"interval": _change_interval(change.change, influences)})


def _document_finders_by_layer(run: RunToCompare) -> dict[str, Callable[[Estimate], Documents]]:
    """Return, for each layer, a function that finds a value's documents; labels are read once."""
    found: dict[str, Callable[[Estimate], Documents]] = {}
    for labels in run.results.items:
        try:
            found[labels.layer] = LabelsOfRun.read(run.store, run.folder, labels).documents_of
        except NotDecomposableError as error:
            found[labels.layer] = _always_raise(error)
    for units in run.results.units:
        found[units.layer] = lambda value, units=units: unit_documents(units, value)  # type: ignore[misc]  # bound immediately
    return found


def _always_raise(error: NotDecomposableError) -> Callable[[Estimate], Documents]:
    def refuse(_value: Estimate) -> Documents:
        raise error

    return refuse


def document_effects(first: Documents, second: Documents) -> dict[str, float]:
    """Map each document to the part of the change that is due to it.

    The effect is the change of the value minus the change without the document in either run. A
    document that a run lacks is absent from that run's value. If a value is undefined without the
    document, the effect is nan.
    """
    whole = second.value() - first.value()
    alone = [
        dict(zip(one.names, one.without_each().tolist(), strict=True)) for one in (first, second)
    ]
    found = {}
    for name in dict.fromkeys((*second.names, *first.names)):
        before = alone[0].get(name, first.value())
        now = alone[1].get(name, second.value())
        found[name] = whole - (now - before)
    return found


def _document_effects(
    first: Documents, second: Documents, fates: Mapping[str, Fate]
) -> list[DocumentEffect]:
    known = set(first.names), set(second.names)

    def fate(name: str) -> Fate:
        if name not in known[0]:
            return Fate.ADDED
        return fates.get(name, Fate.SHARED) if name in known[1] else Fate.REMOVED

    found = [
        DocumentEffect(document=name, fate=fate(name), effect=effect)
        for name, effect in document_effects(first, second).items()
        if math.isfinite(effect) and abs(effect) > 1e-12
    ]
    return sorted(found, key=lambda one: (-abs(one.effect), one.document))


def _read_influences(run: RunToCompare) -> dict[Key, Influences]:
    """Read the influences of all documents on main values; {} if the file is missing."""
    content = run.store.content(f"{run.folder}/{INFLUENCES}")
    return {} if content is None else read_influences(table_of_bytes(content))


def _change_interval(change: float, influences: Sequence[Influences | None]) -> tuple[float, float]:
    """Return the interval of the change; nan unless the influences reproduce the change."""
    first, second = influences
    if first is None or second is None:
        return math.nan, math.nan
    whole = combine_influences([second, first], [1.0, -1.0])
    is_same = math.isclose(whole.value, change, abs_tol=1e-9)
    return whole.interval() if is_same else (math.nan, math.nan)


def pair_documents(first: Documents, second: Documents) -> Paired:
    """Compare the runs on common documents. Raises NotDecomposableError if they share too few."""
    n_documents = len(set(first.names) & set(second.names))
    if not n_documents:
        raise NotDecomposableError(Unpaired.NOTHING_SHARED)
    later = second.only_shared_with(first)
    earlier, later = (one.with_chance_of(later) for one in (first.only_shared_with(second), later))
    try:
        difference = combine_influences([later.influences(), earlier.influences()], [1.0, -1.0])
    except MetricsError:
        raise NotDecomposableError(Unpaired.OTHER_LABELS) from None
    interval = difference.interval()
    if difference.n_documents == 0:  # the common documents are identical in both runs
        interval = difference.value, difference.value
    if math.isnan(interval[0]):
        raise NotDecomposableError(Unpaired.FEW_SHARED)
    return Paired(
        n_documents=n_documents,
        first=earlier.value(),
        second=later.value(),
        change=difference.value,
        interval=interval,
    )


def _shortened(change: ValueChange) -> ValueChange:
    return change.model_copy(update={"effects": change.effects[:MOST_EFFECTS]})
