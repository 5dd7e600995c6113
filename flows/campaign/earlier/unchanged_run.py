"""Reuse of the last run's outcome if nothing has changed since.

In Prefect it appears as a normal run (state, gates, artifacts), but no cluster is started and no
second report is written. The files of the last run are first checked against its manifest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....data.intake.input_files import hash_of_files, hashed_files, source_hashes
from ....data.store.hashes import Digest, settings_hash
from ....data.store.manifest import MANIFEST, manifest_damage
from ....data.store.sealed_json import read_sealed
from ....data.store.store import Store, open_store
from ....data.untrusted.files import sha256_of_file
from ....metrics.plugins import require_unchanged_plugins
from ....tasks.cache_keys import result_versions
from ....tasks.queues_of_rounds import items_drawn_at_random, read_queues, uncounted_labels_hash
from ..adjudication.decisions import LAST_RUN, decision_files
from ..file.campaign_config import Config
from ..file.declared import tables_of
from .history import earlier_runs

OUTCOME = "outcome.json"


def exports_hash(campaign: Path, config: Config) -> str:
    """Return the hash that a run of the current exports would write into its results."""
    sources = [(one.path, hashed_files(one.path)) for one in config.sources]
    return hash_of_files(source_hashes(campaign, sources, is_private=config.hides_annotators))


def decisions_hash(config: Config, store: Store) -> str:
    """Hash the other inputs of a run: decisions, tables, annotator attributes, and chosen labels.

    The chosen labels are those that a round of `accordeur next` selected as informative; if they
    are an audit, also the items that it drew at random.
    """
    found = [Digest.of(store.content(path) or b"").sha256 for path in decision_files(store)]
    declared = config.reference.decisions if config.reference else None
    if declared is not None and Path(declared).is_file():
        found.append(sha256_of_file(declared))
    tables = map(Path, tables_of(config).values())
    found += [sha256_of_file(one) for one in tables if one.is_file()]
    attributes = config.groups.attributes
    if attributes is not None and Path(attributes).is_file():
        found.append(sha256_of_file(attributes))
    if adaptive := uncounted_labels_hash(store):
        found.append(adaptive)
    if config.estimate is not None and config.estimate.audit == "recorded":
        found.append(settings_hash(items_drawn_at_random(read_queues(store))))
    return settings_hash(found)


def inputs_of_run(campaign: Path, config: Config, store: Store) -> dict[str, object]:
    """Return everything that a run's results depend on, as in its manifest.

    Raises MetricsError if a plugin changed since this process imported it.
    """
    require_unchanged_plugins()
    return {
        **result_versions(),
        "config_hash": sha256_of_file(campaign)[:16],
        "input_hash": exports_hash(campaign, config),
        "decisions_hash": decisions_hash(config, store),
    }


@dataclass(frozen=True, slots=True)
class SinceLastRun:
    """The folder of the last run that ended, and the names of the inputs that changed since."""

    folder: str
    changed: frozenset[str]


def since_last_run(campaign: Path, config: Config) -> SinceLastRun | None:
    """Compare the inputs with those of the last run; None if it did not end, or there is none."""
    store = open_store(config.store.url, campaign)
    earlier = earlier_runs(store)
    if not earlier:
        return None
    folder = earlier[max(earlier)].rpartition("/")[0]
    manifest = read_sealed(store, f"{folder}/{MANIFEST}")
    if manifest is None or f"{folder}/{OUTCOME}" not in manifest.content["files"]:
        return None
    now = inputs_of_run(campaign, config, store)
    return SinceLastRun(
        folder, frozenset(key for key, one in now.items() if manifest.content.get(key) != one)
    )


def reusable_outcome(campaign: Path, config: Config) -> dict[str, Any] | None:
    """Return the last run's outcome if its inputs are unchanged and its files are complete."""
    since = since_last_run(campaign, config)
    if since is None or since.changed:
        return None
    store, folder = Store(config.store.url), since.folder
    if manifest_damage(store, f"{folder}/{MANIFEST}") or read_sealed(store, LAST_RUN) is None:
        return None
    number = int(folder.rpartition("-")[2])
    return {
        **store.read_json(f"{folder}/{OUTCOME}"),
        "report": store.location(f"{folder}/report.html"),
        "changes": [],
        "reuse": f"nothing changed since run {number}: its report is up to date",
    }


def keep_outcome(store: Store, outcome: dict[str, Any]) -> None:
    """Store the outcome that the run reported to its flow beside its report."""
    outcome_kept = {key: value for key, value in outcome.items() if key not in ("report", "stages")}
    store.write_json(f"{outcome['folder']}/{OUTCOME}", outcome_kept)
