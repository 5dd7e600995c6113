"""A store whose tables have another schema version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.in_process import said
from tests.flows.small import write_small

_USERS = ("data.store.parquet_format", "data.store.store", "tasks.cache_keys")


@pytest.mark.long
def test_an_older_store_is_refused_by_readers_and_computed_again_by_a_run(
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = write_small(tmp_path)
    with monkeypatch.context() as older:
        for module in _USERS:
            older.setattr(f"accordeur.{module}.SCHEMA_VERSION", "1")
        before, _ = run_campaign(campaign)
    for command in (("adjudicate", campaign, tmp_path / "open.csv"), ("document", campaign, "d0")):
        code, sentence = said(*command)
        assert code == 2
        # the places of alignments are other ones, the tables of accepted rows have another version
        assert "was written by another version of Accordeur" in sentence or "is missing" in sentence
        assert "accordeur run" in sentence
    after, _ = run_campaign(campaign)
    assert (
        after["reuse"]
        == "computed: everything (the store has no results of the sources as they are now)"
    )
    assert after["main"] == before["main"]
