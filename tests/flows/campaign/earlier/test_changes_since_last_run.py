"""What a run says of earlier ones, in the terminal and in its alerts."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from accordeur.data.ledger import WORK
from accordeur.data.store.manifest import write_run_manifest
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.decisions import write_decisions
from accordeur.flows.campaign.earlier.changes_since_last_run import (
    alerts_of_run,
    changes_lines,
    reuse_sentence,
    write_ledger,
)
from accordeur.flows.campaign.file.campaign_config import Config
from accordeur.flows.campaign.run import Run, RunRequest
from accordeur.reports.language import Language
from accordeur.reports.results import Changes
from accordeur.reports.warnings import warning_sentence
from accordeur.tasks.intake.shards import Shard, ShardFacts, ValidatedShard
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import Outcome


def run_in(folder: Path, number: int, *, privacy: bool = False) -> Run:
    config = Config.model_validate(
        {
            "campaign": {"name": "x", "privacy": privacy},
            "annotators": {"anna": {"pseudonym": "P1"}},
            "sources": [{"path": "x"}],
            "store": {"url": str(folder)},
        }
    )
    return Run(config, RunRequest(Path("campaign.toml"), f"reports/run-{number:04d}"))


ROLES = {"P1": "human", "ben": "human"}
SHARD = ValidatedShard(Shard(0, 0, 1), ShardFacts(key="x"), Outcome("accepted/x", ""))


def finished(store: Store, number: int) -> None:
    folder = f"reports/run-{number:04d}"
    store.write_json(f"{folder}/results.json", {})
    write_run_manifest(store, folder, {}, places={}, series={}, files=[])


def shard(store: Store, *rows: tuple[str, str, str, int]) -> list[ValidatedShard]:
    """Rows: document, text, annotator, content."""
    names = ("document", "sha256", "annotator", "content")
    given = {
        "layer": "topic", "state": "finished", "time": "", "n_exported": 1, "n_rows": 1,
        "exported": 0, "n_files": 1, "copies": "",
    }  # fmt: skip
    work = [dict(zip(names, row, strict=True)) | given for row in rows]
    store.write_table("accepted/x/work.parquet", pa.Table.from_pylist(work, WORK))
    return [SHARD]


def test_documents_of_the_last_run_that_are_gone_or_renamed_are_told(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    first = shard(store, ("a", "1", "P1", 1), ("b", "2", "ben", 2), ("c", "3", "ben", 3))
    assert write_ledger(run_in(tmp_path, 1), first, ROLES) is None
    finished(store, 1)

    second = run_in(tmp_path, 2)
    given = shard(store, ("a", "1", "P1", 1), ("bee", "2", "ben", 2), ("d", "4", "P1", 4))
    since = write_ledger(second, given, ROLES)
    assert changes_lines(since) == [
        "documents since run 1: 1 removed (c); 1 renamed (b → bee); 1 added (d)",
        "work on documents since run 1: 1 vanished (c of ben); 1 arrived (d of P1)",
    ]
    found = alerts_of_run(second, since, [])
    assert [one.code for one in found] == [
        "documents_removed",
        "documents_renamed",
        "work_vanished",
    ]
    assert (
        warning_sentence(Language("en"), found[0])[0]
        == "Documents of run 1 that no longer exist (1): c."
    )
    assert warning_sentence(Language("fr"), found[1])[0].endswith(
        "depuis l’exécution 1 (1)\u00a0: b → bee."
    )
    finished(store, 2)

    same = write_ledger(run_in(tmp_path, 3), [SHARD], ROLES)
    assert changes_lines(same) == []
    assert alerts_of_run(run_in(tmp_path, 3), same, []) == []


def test_decisions_on_a_layer_without_disagreements_are_told(tmp_path: Path) -> None:
    decided = {"case": "d\x1fi", "category": "P", "who": "eve", "when": "2026-01-01"}
    of_layers = [{"layer": name, **decided} for name in ("kept", "gone", "alone", "gone")]
    write_decisions(Store(str(tmp_path)), of_layers)
    two = LayerSpec("kept", "labels", ("P",), ("anna", "ben"))
    one = LayerSpec("alone", "labels", ("P",), ("anna",))
    [found] = alerts_of_run(run_in(tmp_path, 1), None, [two, one])
    assert (found.code, found.figures) == ("stale_decisions", {"n": 3})


def test_privacy_keeps_no_hash_of_a_text_beside_the_report(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    write_ledger(run_in(tmp_path, 1, privacy=True), shard(store, ("a", "1", "P1", 1)), ROLES)
    kept = store.read_table("reports/run-0001/ledger.parquet")
    assert kept["sha256"].to_pylist() == [""]


def test_many_names_are_shortened() -> None:
    many = Changes(since="run 9", n_removed=7, removed=[*"abcdefg"])
    assert changes_lines(many) == ["documents since run 9: 7 removed (a, b, c, d, e, …)"]


def test_the_last_run_is_the_last_that_ended(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    write_ledger(run_in(tmp_path, 1), shard(store, ("a", "1", "P1", 1)), ROLES)
    finished(store, 1)
    write_ledger(run_in(tmp_path, 2), shard(store, ("a", "1", "P1", 2)), ROLES)
    store.write_json("reports/run-0002/results.json", {})  # killed before its manifest
    since = write_ledger(run_in(tmp_path, 3), shard(store, ("a", "1", "P1", 1)), ROLES)
    assert since is not None
    assert (since.since, changes_lines(since)) == ("run 1", [])


def test_a_pseudonym_given_since_changes_nothing(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    before = run_in(tmp_path, 1)
    before.config = before.config.model_copy(update={"annotators": {}})
    write_ledger(before, shard(store, ("a", "1", "anna", 1), ("b", "2", "ben", 2)), ROLES)
    finished(store, 1)
    given = shard(store, ("a", "1", "P1", 1), ("b", "2", "ben", 2))
    assert changes_lines(write_ledger(run_in(tmp_path, 2), given, ROLES)) == []
    gone = write_ledger(run_in(tmp_path, 2), shard(store, ("b", "2", "ben", 2)), ROLES)
    assert gone is not None
    assert gone.vanished == [("a", "P1", "topic")]


def test_what_was_reused_is_one_sentence() -> None:
    def stage(name: str, n_parts: int, n_reused: int, of_all: bool = False) -> dict[str, object]:
        return {"name": name, "n_parts": n_parts, "n_reused": n_reused, "of_all": of_all}

    report = stage("report", 0, 0)
    assert reuse_sentence([stage("ingest", 2, 0), report]).startswith("computed: everything")
    assert "nothing had changed" in reuse_sentence([stage("ingest", 2, 2), report])
    stages = [stage("ingest", 2, 2), stage("align x", 60, 45), stage("chance x", 9, 0, True)]
    assert reuse_sentence([*stages, report]) == (
        "computed: align x 15 of 60; what depends on all documents: chance x; the rest was reused "
        "from earlier runs"
    )
    assert reuse_sentence([stage("ingest", 2, 0)], fresh=True).startswith("recomputed")


def in_two_layers() -> tuple[Changes, Changes]:
    """A delivery to both layers; then one of them lost a file, and new rules apply to the other."""
    both = [
        {"annotator": "ben", "layer": layer, "role": "human", "n_arrived": 1}
        for layer in ("spans", "topic")
    ]
    arrived = [("d", "ben", "spans"), ("d", "ben", "topic")]
    delivered = Changes.model_validate(
        {"since": "run 1", "work": both, "n_arrived": 2, "arrived": arrived}
    )
    fates = ({"n_vanished": 1}, {"n_accepted_otherwise": 1})
    work = [{**one, "n_arrived": 0, **fate} for one, fate in zip(both, fates, strict=True)]
    named = {"vanished": arrived[:1], "accepted_otherwise": arrived[1:]}
    return delivered, Changes.model_validate({"since": "run 2", "work": work, **named})


def test_work_is_said_by_layer_where_the_layers_differ() -> None:
    delivered, lost = in_two_layers()
    assert changes_lines(delivered) == ["work on documents since run 1: 1 arrived (d of ben)"]
    assert changes_lines(lost) == [
        "work on documents (spans) since run 2: 1 vanished (d of ben)",
        "work on documents (topic) since run 2: 1 accepted differently (d of ben)",
    ]


def test_a_run_without_a_readable_ledger_is_said_not_to_be_comparable(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    finished(store, 1)  # as an earlier version left it
    since = write_ledger(run_in(tmp_path, 2), shard(store, ("a", "1", "P1", 1)), ROLES)
    assert changes_lines(since) == [
        "changes since run 1 are unknown: it has no ledger that can be read"
    ]
