"""The ledger of a run, changes since the last run, alerts, and what was reused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pyarrow as pa

from ....data.ledger import FILE as LEDGER
from ....data.ledger import WORK, accepted_work, campaign_ledger, read_ledger
from ....data.ledger_changes import compare_ledgers, with_history
from ....data.schema import UNDECLARED, Role
from ....data.store.manifest import MANIFEST
from ....data.store.sealed_json import read_sealed
from ....data.store.store import Store
from ....data.validation.deliveries import Copies
from ....metrics.coded_warning import CodedWarning
from ....reports.results import SCHEMA_VERSION as RESULTS_VERSION
from ....reports.results import Changes
from ....tasks.annotator_codes import AnnotatorCodes, codes_of_store
from ....tasks.intake.shards import ShardFacts, ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.queues_of_rounds import unknown_in_rounds
from ..adjudication.adjudicate import recorded_decisions
from ..run import Run
from .expected_work import missing_in_ledger
from .history import earlier_runs, ledger_of_run, read_intact_results

_NAMED = 5
_WORDS = {
    "conflicting": "in copies that differ",
    "accepted_otherwise": "accepted differently",
}


def write_ledger(
    run: Run, shards: Sequence[ValidatedShard], roles: Mapping[str, str]
) -> Changes | None:
    """Write the ledger of the run beside its report; return the changes since the last run.

    Returns None for a release and a first run, which have no predecessor.
    """
    store = Store(run.store_url)
    parts = [store.read_table(f"{shard.outcome.place}/work.parquet") for shard in shards]
    work = pa.concat_tables([WORK.empty_table(), *parts])
    if run.request.is_release:
        work = accepted_work(work)
    earlier = {} if run.request.is_release else earlier_runs(store)
    last = last_completed_run(store, earlier)
    codes = None if run.request.is_release else codes_of_store(store, run.config.names_in_exports)
    shown = {name: codes.of(name) if codes and name else "" for name in set(_annotators(work))}
    now = campaign_ledger(
        work,
        run=0 if run.request.is_release else run.request.number,
        codes=[shown[name] for name in _annotators(work)],
        roles=[roles.get(name, str(Role.HUMAN)) if name else "" for name in _annotators(work)],
        is_private=run.config.campaign.privacy,
    )
    before = None if last is None else ledger_of_run(store, earlier[last])
    if before is not None:
        now = with_history(before, now)
    store.write_table(f"{run.request.folder}/{LEDGER}", now)
    if last is None or codes is None:
        return None
    settings = _changes_of_settings(run, read_intact_results(store, earlier[last]))
    if before is None:
        return Changes(since=f"run {last}", is_known=False, **settings)
    found = compare_ledgers(before, now, names=_present_names(run, codes, before))
    return Changes(since=f"run {last}", **asdict(found), **settings)


def last_completed_run(store: Store, earlier: Mapping[int, str]) -> int | None:
    """Return the number of the last run that ended; None without one."""
    for number in sorted(earlier, reverse=True):
        if read_sealed(store, f"{earlier[number].rpartition('/')[0]}/{MANIFEST}") is not None:
            return number
    return None


def _annotators(rows: pa.Table) -> list[str]:
    names: list[str] = rows["annotator"].to_pylist()
    return names


def _present_names(run: Run, codes: AnnotatorCodes, before: pa.Table) -> dict[str, str]:
    """Map the codes of an earlier ledger to the names that annotators have in this run.

    A private campaign names only annotators whom it declares.
    """
    declared = [run.config.shown_as(name) for name in run.config.annotators]
    known = codes.by_code(declared)
    if run.config.campaign.privacy:
        known = dict.fromkeys(before["code"].to_pylist(), UNDECLARED) | known
    return known


def _changes_of_settings(run: Run, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return changes of the guideline and of the campaign file."""
    if before is None or before.get("schema_version") != RESULTS_VERSION:
        return {}
    versions = (before["campaign"]["guideline"], run.config.campaign.guideline)
    return {
        "guideline": versions if versions[0] != versions[1] else None,
        "settings_changed": before["run"]["config_hash"] != run.request.config_hash(),
    }


def alerts_of_run(
    run: Run,
    since: Changes | None,
    layers: Sequence[LayerSpec],
    damaged_results: Sequence[str] = (),
) -> list[CodedWarning]:
    """Return alerts: documents or work that are gone, renamed or skipped, damage in the store.

    Also alerts for decisions on layers that no longer exist or no longer have two annotators; other
    layers report stale decisions themselves.
    """
    found = []
    if run.withdrawn:
        names = sorted(run.withdrawn)
        found.append(
            CodedWarning(
                "documents_withdrawn",
                {"n": len(names), "names": _first_names(names, len(names))},
            )
        )
    if since is not None:
        found += _alerts_on_changes(since)
    if run.used.damaged:
        damaged = run.used.damaged
        found.append(
            CodedWarning(
                "store_damaged",
                {"n": len(damaged), "names": _first_names(damaged, len(damaged))},
            )
        )
    if damaged_results:
        shown = _first_names(damaged_results, len(damaged_results))
        found.append(CodedWarning("history_damaged", {"n": len(damaged_results), "names": shown}))
    pseudonyms = run.config.names_in_exports
    known = {name for layer in layers for name in (*layer.humans, *layer.systems)}
    known |= {run.config.shown_as(name) for name in run.config.annotators}
    if unknown := unknown_in_rounds(Store(run.store_url), known, pseudonyms):
        shown = _first_names(unknown, len(unknown))
        found.append(CodedWarning("rounds_not_mapped", {"n": len(unknown), "names": shown}))
    disputed = {layer.name for layer in layers if len(layer.humans) > 1}
    recorded = recorded_decisions(Store(run.store_url))
    n_stale = sum(name not in disputed for name, _ in recorded)
    if n_stale:
        found.append(CodedWarning("stale_decisions", {"n": n_stale}))
    return found


def alerts_on_expected_work(run: Run, started: str) -> list[CodedWarning]:
    """Return alerts on work that the campaign file expects and that has not arrived."""
    if run.request.is_release or not run.config.expect:
        return []
    store = Store(run.store_url)
    ledger = read_ledger(store.content(f"{run.request.folder}/{LEDGER}"))
    if ledger is None:
        return []
    now = datetime.fromisoformat(started)
    return [one.warning for one in missing_in_ledger(store, run.config, ledger, now, started)]


def _alerts_on_changes(since: Changes) -> list[CodedWarning]:
    """Return alerts on what the last run measured and this one lacks or has under other names."""
    found = []
    for code, n, names in (
        ("documents_removed", since.n_removed, since.removed),
        ("documents_renamed", since.n_renamed, _pairs(since.renamed)),
        ("work_vanished", since.n_vanished, _vanished_names(since)),
    ):
        if n:
            last = since.since.removeprefix("run ")
            shown = _first_names(names, n)
            found.append(CodedWarning(code, {"n": n, "run": last, "names": shown}))
    return found


def changes_lines(since: Changes | None) -> list[str]:
    """Summarise for the terminal what became of documents and of the work on them."""
    if since is None:
        return []
    if not since.is_known:
        return [f"changes since {since.since} are unknown: it has no ledger that can be read"]
    of_documents = (
        ("removed", since.n_removed, since.removed),
        ("renamed", since.n_renamed, _pairs(since.renamed)),
        ("added", since.n_added, since.added),
        ("changed", since.n_changed, since.changed),
    )
    lines = []
    if parts := _kinds_named(of_documents):
        lines.append(f"documents since {since.since}: {parts}")
    layers = sorted({one.layer for one in since.work})
    by_parts: dict[str, list[str]] = {}
    for layer in layers:
        if parts := _kinds_named(_work_in_layer(since, layer)):
            by_parts.setdefault(parts, []).append(layer)
    for parts, alike in by_parts.items():
        where = "" if alike == layers else f" ({', '.join(alike)})"
        lines.append(f"work on documents{where} since {since.since}: {parts}")
    return lines


def _kinds_named(kinds: Iterable[tuple[str, int, Sequence[str]]]) -> str:
    """Join how many there are of each kind, with some names."""
    return "; ".join(f"{n} {kind} ({_first_names(names, n)})" for kind, n, names in kinds if n)


def _work_in_layer(since: Changes, layer: str) -> list[tuple[str, int, list[str]]]:
    """Count and name what became of the work in a layer."""
    found = []
    for kind, work in (
        ("vanished", since.vanished),
        ("arrived", since.arrived),
        ("corrected", since.corrected),
        ("conflicting", since.conflicting),
        ("accepted_otherwise", since.accepted_otherwise),
    ):
        n = sum(getattr(one, f"n_{kind}") for one in since.work if one.layer == layer)
        named = _work_names(one[:2] for one in work if one[2] == layer)
        found.append((_WORDS.get(kind, kind), n, named))
    return found


def _vanished_names(since: Changes) -> list[str]:
    """Name the work that vanished, with its layer if there are several."""
    if len({one.layer for one in since.work}) < 2:
        return _work_names(one[:2] for one in since.vanished)
    return [f"{document} of {who} ({layer})" for document, who, layer in since.vanished]


def copies_line(shards: Sequence[ShardFacts]) -> list[str]:
    """Summarise for the terminal the work that is in several files; [] without any."""
    words = {
        Copies.EQUAL: "in equal copies, counted once",
        Copies.REPLACED: "replaced by the last copy",
        Copies.CONFLICT: "in copies that differ, of which none counts",
    }
    parts = []
    for how, said in words.items():
        n = sum(shard.n_copied_work.get(how, 0) for shard in shards)
        names = sorted(one for shard in shards for one in shard.copied_work.get(how, ()))
        if n:
            parts.append(f"{n} {said} ({_first_names(_work_names(names), n)})")
    return [f"work in several files: {'; '.join(parts)}"] if parts else []


def _pairs(renamed: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{before} → {now}" for before, now in renamed]


def _work_names(work: Iterable[Sequence[str]]) -> list[str]:
    return [f"{document} of {annotator}" for document, annotator in work]


def reuse_sentence(stages: Sequence[Mapping[str, Any]], *, fresh: bool = False) -> str:
    """Summarise for the terminal what was reused from the store and what was computed."""
    if fresh:
        return "recomputed: no results of earlier runs were reused"
    kept = [one for one in stages if one["n_parts"]]
    new = [one for one in kept if one["n_reused"] < one["n_parts"]]
    if not any(one["n_reused"] for one in kept):
        return "computed: everything (the store has no results of the sources as they are now)"
    if not new:
        return "reused: every stage but summaries and report; nothing had changed"
    counts = [
        f"{one['name']} {one['n_parts'] - one['n_reused']} of {one['n_parts']}"
        for one in new
        if not one["of_all"]
    ]
    of_all = [one["name"] for one in new if one["of_all"]]
    parts = [", ".join(counts)] if counts else []
    if of_all:
        parts.append(f"what depends on all documents: {', '.join(of_all)}")
    return f"computed: {'; '.join(parts)}; the rest was reused from earlier runs"


def _first_names(names: Sequence[str], n: int) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if n <= _NAMED else f"{shown}, …"
