"""Runs of campaigns, opened where they lie."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from tests.reports import samples


@pytest.mark.services
def test_the_last_run_of_a_campaign_in_an_object_store_is_opened(
    object_store: str, tmp_path: Path
) -> None:
    store, results = Store(object_store), samples.typical()
    for run in ("run-0001", "run-0002"):
        store.write_bytes(f"reports/{run}/results.json", results.model_dump_json().encode())
        store.write_table(f"reports/{run}/values.parquet", pa.table({"run": [run]}))
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "x"\n[[sources]]\npath = "."\n[store]\nurl = "{object_store}"\n',
        encoding="utf-8",
    )
    for place in (campaign, object_store):
        found = acc.open_run(place)
        assert found.report == "s3://corpora/campaign/reports/run-0002/report.html"
        assert found.results.campaign == results.campaign
        assert len(repr(found.results).splitlines()) <= 24  # one screen
        assert "gate failed" in repr(found.results)
        assert found.values["run"].tolist() == ["run-0002"]


def test_a_place_without_a_run_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no run found; run the campaign first"):
        acc.open_run(tmp_path)
