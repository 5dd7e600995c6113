"""The release audit: the campaign measured again, and a bundle of everything to publish with it.

A bundle contains the audit page, the report, `results.json`, the tables and the Markdown summary of
the run, the campaign file, the decisions that the reference is based on, the list of software, and
`SHA256SUMS` over all of them. `flows.bundle_check` verifies it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from ..data.store.checksums import write_checksums
from ..data.store.store import Store
from ..data.untrusted.files import read_file
from ..reports.release.requirements import CHECKLISTS, Missing, Standard
from ..tasks.queues_of_rounds import round_files
from ..tasks.references.decided_cases import IN_DANGER
from ..tasks.release.release_documents import write_documents
from .campaign.adjudication.decisions import decision_files, restore_damaged_records
from .campaign.file.campaign_config import load_campaign
from .campaign.file.fetched_sources import fetch_sources
from .campaign.measure import measure
from .campaign.run import RunRequest
from .campaign_quality import failed_gates
from .engine.store_lock import lock_in_turn
from .numbering import next_audit
from .progress.artifacts import publish_outcome
from .progress.flow_runs import campaign_tag, flow_run_name, layer_tags, tag_flow_run
from .release.software import FILE as SOFTWARE
from .release.software import bill_of_materials_json
from .schedule.notify import begin_run, notify

CAMPAIGN_FILE = "campaign.toml"


@flow(name="release audit", flow_run_name=flow_run_name, log_prints=False, on_crashed=[notify])
def release_audit(campaign: str) -> State[dict[str, Any]]:
    """Measure a campaign again and write the bundle of its release.

    Args:
        campaign: Path of the campaign file (TOML).

    Completed with the run's facts and the bundle's location and digest; Failed with the same facts
    if a gate fails or the data statement is incomplete. Raises ConfigError and DataError.
    """
    begin_run(campaign)
    config = load_campaign(Path(campaign))
    fetch_sources(config)
    tag_flow_run(campaign_tag(config.campaign.name))
    store = Store(config.store.url)
    with lock_in_turn(store, Path(campaign)) as held:
        restore_damaged_records(store)
        folder = next_audit(store)
        store.delete_folder(folder)
        # Files written before the end of the measurement are in its manifest.
        store.write_bytes(f"{folder}/{SOFTWARE}", bill_of_materials_json())
        if not config.hides_annotators:
            store.write_bytes(f"{folder}/{CAMPAIGN_FILE}", read_file(Path(campaign)))
            copy_decisions(store, "", store, f"{folder}/")
        request = RunRequest(Path(campaign), folder, fresh=True, is_release=True)
        outcome = measure(config, request)
        lacking = write_documents(store, folder, config.report.language)
        held.check()
        digest = write_checksums(store, folder)
    tag_flow_run(*layer_tags(dict.fromkeys(value["layer"] for value in outcome["main"])))
    publish_outcome(config.campaign.name, store, outcome)
    outcome |= {"bundle": store.location(folder), "digest": digest}
    outcome["lacking"] = [one.model_dump(mode="json") for one in lacking]
    problems = [
        failed_gates(outcome),
        incomplete_statement(outcome["missing"]),
        missing_required_keys(lacking),
        decisions_in_danger(store, folder),
    ]
    if any(problems):
        message = "; ".join(problem for problem in problems if problem)
        return Failed(name="NotReleasable", message=message, data=outcome)
    return Completed(message=f"bundle: {outcome['bundle']}", data=outcome)


def copy_decisions(source: Store, below: str, target: Store, into: str) -> None:
    """Copy the decisions on the reference, and the rounds that determine which labels count."""
    for path in copied_files(source, below):
        target.write_bytes(f"{into}{path.removeprefix(below)}", source.read_bytes(path))


def copied_files(store: Store, below: str = "") -> list[str]:
    """List what a bundle holds from the store besides what is measured."""
    return [*decision_files(store, below), *round_files(store, below)]


def incomplete_statement(missing: list[str]) -> str:
    if not missing:
        return ""
    return f"the data statement lacks {', '.join(missing)}: see [campaign] and [campaign.statement]"


def decisions_in_danger(store: Store, folder: str) -> str:
    """Return the warnings on decisions and chosen labels that may be lost; "" without any."""
    results = store.read_json(f"{folder}/results.json")
    found = [one for built in results["references"] for one in built["warnings"]]
    codes = {*IN_DANGER, "rounds_not_mapped"}
    return " ".join(one["text"] for one in (*found, *results["alerts"]) if one["code"] in codes)


def missing_required_keys(lacking: Sequence[Missing]) -> str:
    """List the keys that the standards require but that are missing.

    Without the data statement, and what a checklist asks of the authors of a paper.
    """
    keys = [one.key for one in lacking if _blocks(one)]
    return f"the release lacks {', '.join(dict.fromkeys(keys))}" if keys else ""


def _blocks(one: Missing) -> bool:
    return one.required and one.standard not in (Standard.STATEMENT, *CHECKLISTS)


def lacking_sentences(lacking: Sequence[Missing]) -> Iterator[str]:
    """Yield one line per missing key and the standards that ask for it, first those that block.

    The data statement has a sentence of its own (`incomplete_statement`).
    """
    asked = [one for one in lacking if one.standard != Standard.STATEMENT]
    asked.sort(key=lambda one: (not _blocks(one), not one.required))
    for key in dict.fromkeys(one.key for one in asked):
        of_key = [one for one in asked if one.key == key]
        parts = []
        for status, is_required in (("required", True), ("recommended", False)):
            names = dict.fromkeys(one.standard for one in of_key if one.required == is_required)
            parts += [f"{status} by {', '.join(names)}"] if names else []
        start = "blocks the release" if any(map(_blocks, of_key)) else "missing"
        yield f"{start}: {key}, {' and '.join(parts)}"
