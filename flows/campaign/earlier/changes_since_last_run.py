"""Changes of documents since the last run, alerts, and what was reused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import pyarrow as pa

from ....data.changes import SCHEMA, Changes, compare_fingerprints
from ....data.schema import SCHEMA_VERSION
from ....data.store.manifest import read_if_intact
from ....data.store.parquet_format import schema_version, table_of_bytes
from ....data.store.store import Store
from ....metrics.coded_warning import CodedWarning
from ....reports.results import SCHEMA_VERSION as RESULTS_VERSION
from ....tasks.annotation_rounds import unknown_in_rounds
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.run_comparison.compare_runs import FINGERPRINTS
from ..adjudication.adjudicate import recorded_decisions
from ..run import Run
from .history import earlier_runs, read_intact_results

_NAMED = 5


def write_fingerprints(
    run: Run, shards: Sequence[ValidatedShard], humans: Sequence[str]
) -> dict[str, Any] | None:
    """Write the documents' fingerprints beside the report; return the changes since the last run.

    Returns None for a release, which has no predecessor, and if the last run's fingerprints are
    damaged or have another schema version.
    """
    store = Store(run.store_url)
    parts = [store.read_table(f"{shard.outcome.place}/fingerprints.parquet") for shard in shards]
    now = pa.concat_tables([SCHEMA.empty_table(), *parts])
    if run.config.campaign.privacy:  # a hash would show whether a reader has the text
        blank = pa.array([""] * now.num_rows, pa.string())
        now = now.set_column(now.column_names.index("sha256"), "sha256", blank)
    store.write_table(f"{run.request.folder}/{FINGERPRINTS}", now)
    earlier = earlier_runs(store)
    if not earlier or run.request.is_release:
        return None
    last = max(earlier)
    content = read_if_intact(store, earlier[last].rpartition("/")[0], FINGERPRINTS)
    before = None if content is None else table_of_bytes(content)
    if before is None or schema_version(before.schema) != SCHEMA_VERSION:
        return None
    found = {"since": f"run {last}", **asdict(compare_fingerprints(before, now))}
    return found | _campaign_changes(run, humans, read_intact_results(store, earlier[last]))


def _campaign_changes(
    run: Run, humans: Sequence[str], before: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return annotators added or removed, and changes of the guideline or the campaign file."""
    if before is None or before.get("schema_version") != RESULTS_VERSION:
        return {}
    then = {one["name"] for one in before["annotators"] if one["role"] == "human"}
    versions = (before["campaign"]["guideline"], run.config.campaign.guideline)
    return {
        "annotators_added": sorted(set(humans) - then),
        "annotators_removed": sorted(then - set(humans)),
        "guideline": versions if versions[0] != versions[1] else None,
        "settings_changed": before["run"]["config_hash"] != run.request.config_hash(),
    }


def alerts_of_run(
    run: Run,
    since: Mapping[str, Any] | None,
    layers: Sequence[LayerSpec],
    damaged_results: Sequence[str] = (),
) -> list[CodedWarning]:
    """Return alerts: documents removed, renamed or skipped, and damage found in the store.

    Also alerts for decisions on layers that no longer exist or no longer have two annotators; other
    layers report stale decisions themselves.
    """
    found = []
    if run.withdrawn:
        names = sorted(run.withdrawn)
        found.append(
            CodedWarning(
                "documents_withdrawn",
                {"n": len(names), "names": _shortened_list(names, len(names))},
            )
        )
    if since and since["n_removed"]:
        gone = _shortened_list(since["removed"], since["n_removed"])
        found.append(
            CodedWarning(
                "documents_removed",
                {
                    "n": since["n_removed"],
                    "run": since["since"].removeprefix("run "),
                    "names": gone,
                },
            )
        )
    if since and since["n_renamed"]:
        pairs = [f"{before} → {now}" for before, now in since["renamed"]]
        found.append(
            CodedWarning(
                "documents_renamed",
                {
                    "n": since["n_renamed"],
                    "run": since["since"].removeprefix("run "),
                    "names": _shortened_list(pairs, since["n_renamed"]),
                },
            )
        )
    if run.ledger.damaged:
        damaged = run.ledger.damaged
        found.append(
            CodedWarning(
                "store_damaged",
                {"n": len(damaged), "names": _shortened_list(damaged, len(damaged))},
            )
        )
    if damaged_results:
        shown = _shortened_list(damaged_results, len(damaged_results))
        found.append(CodedWarning("history_damaged", {"n": len(damaged_results), "names": shown}))
    pseudonyms = run.config.names_in_exports
    known = {name for layer in layers for name in (*layer.humans, *layer.systems)}
    known |= {run.config.shown_as(name) for name in run.config.annotators}
    if unknown := unknown_in_rounds(Store(run.store_url), known, pseudonyms):
        shown = _shortened_list(unknown, len(unknown))
        found.append(CodedWarning("rounds_not_mapped", {"n": len(unknown), "names": shown}))
    disputed = {layer.name for layer in layers if len(layer.humans) > 1}
    recorded = recorded_decisions(Store(run.store_url))
    n_stale = sum(name not in disputed for name, _ in recorded)
    if n_stale:
        found.append(CodedWarning("stale_decisions", {"n": n_stale}))
    return found


def changes_sentence(since: Mapping[str, Any] | None) -> str:
    """Summarise the changes in one line for the terminal; "" if there are none."""
    if since is None:
        return ""
    of_documents = {one.name for one in fields(Changes)}
    found = Changes(**{name: value for name, value in since.items() if name in of_documents})
    if not found:
        return ""
    pairs = [f"{before} → {now}" for before, now in found.renamed]
    kinds = (
        ("removed", found.n_removed, found.removed),
        ("renamed", found.n_renamed, pairs),
        ("added", found.n_added, found.added),
        ("changed", found.n_changed, found.changed),
    )
    parts = [f"{n} {kind} ({_shortened_list(names, n)})" for kind, n, names in kinds if n]
    return f"documents since {since['since']}: {'; '.join(parts)}"


def reuse_sentence(stages: Sequence[Mapping[str, Any]], *, fresh: bool = False) -> str:
    """Summarise for the terminal what was reused from the store and what was computed."""
    if fresh:
        return "recomputed: no results of earlier runs were reused"
    kept = [one for one in stages if one["n_parts"]]
    n_parts, n_reused = (sum(one[name] for one in kept) for name in ("n_parts", "n_reused"))
    if not n_reused:
        return "computed: everything (the store held no reusable results)"
    if n_reused == n_parts:
        return "reused: every stage but summaries and report; nothing had changed"
    parts = [f"{one['name']} {one['n_reused']} of {one['n_parts']}" for one in kept]
    return f"reused from earlier runs: {', '.join(parts)}; the rest was computed"


def _shortened_list(names: Sequence[str], n: int) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if n <= _NAMED else f"{shown}, …"
