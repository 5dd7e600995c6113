"""Runs in an object store, over the real S3 protocol on loopback: compared, and in an index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from tests.flows.in_process import found, said
from tests.flows.runs import campaign_run
from tests.flows.small import write_small

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def campaign(
    tmp_path_factory: pytest.TempPathFactory, object_store: str, prefect_server: str
) -> Path:
    """A campaign of labels with two runs in a bucket that also holds their index."""
    path = write_small(tmp_path_factory.mktemp("small"))
    units = '[[sources]]\npath = "units.csv"\nformat = "table"\n'
    place = inside(object_store, "site")
    more = f'[store]\nurl = "{object_store}"\n[report]\nindex = "{place}"\nkeep_reports = 1\n'
    text = path.read_text(encoding="utf-8")
    assert units in text
    path.write_text(text.replace(units, "") + more, encoding="utf-8")
    campaign_run(path)
    labels = path.parent / "labels.csv"
    rows = labels.read_text(encoding="utf-8").splitlines()
    rows += [f"d9,i{u},{who},{'xy'[u % 2]}" for u in range(3) for who in ("anna", "ben")]
    labels.write_text("\n".join(rows) + "\n", encoding="utf-8")
    campaign_run(path)
    return path


def inside(url: str, folder: str) -> str:
    """The URL of a folder of the bucket, beside the campaign."""
    address, _, query = url.partition("?")
    return f"{address.rpartition('/')[0]}/{folder}?{query}"


@pytest.mark.long
def test_runs_are_compared_by_number_and_by_url(campaign: Path, object_store: str) -> None:
    compared = found("compare", campaign)
    assert compared["documents"]["added"] == ["d9"]
    assert all(one["effects"] for one in compared["values"][:1])
    runs = [inside(object_store, f"campaign/reports/run-000{n}") for n in (1, 2)]
    assert found("compare", *runs) == compared


def test_a_comparison_is_written_to_the_bucket(campaign: Path, object_store: str) -> None:
    page = inside(object_store, "site/compared.html")
    code, output = said("compare", campaign, "--to", page)
    assert code == 0, output
    assert output.endswith("page: s3://corpora/site/compared.html\n")
    assert "d9" in (Store(inside(object_store, "site")).content("compared.html") or b"").decode()


def test_a_run_brings_the_index_in_the_bucket_up_to_date(campaign: Path, object_store: str) -> None:
    site = Store(inside(object_store, "site"))
    [one] = json.loads(site.content("index.json") or b"")["campaigns"]
    assert [run["report"] for run in one["runs"]] == [
        "", "../campaign/reports/run-0002/report.html",
    ]  # fmt: skip
    html = (site.content("index.html") or b"").decode()
    assert 'href="../campaign/reports/run-0002/report.html"' in html
    assert site.exists(one["page"])


@pytest.mark.parametrize("is_local", [True, False])
def test_a_bucket_is_searched_for_campaigns(
    campaign: Path, object_store: str, tmp_path: Path, is_local: bool
) -> None:
    bucket = inside(object_store, "").replace("/?", "?")
    to = str(tmp_path) if is_local else inside(object_store, "all")
    index = found("index", bucket, "--to", to)
    [one] = index["campaigns"]
    assert [run["number"] for run in one["runs"]] == [1, 2]
    last = one["runs"][-1]["report"]
    beside = "../campaign/reports/run-0002/report.html"
    assert last == ("s3://corpora/campaign/reports/run-0002/report.html" if is_local else beside)
    assert Store(to).exists(one["page"])
    assert Store(to).read_table("index.parquet").num_rows == 2
