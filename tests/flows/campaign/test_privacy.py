"""With `privacy = true` no name of an annotator is in anything that a campaign writes."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import all_cases, last_run
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.cli import app
from accordeur.flows.engine.private_folder import private_folder
from accordeur.flows.toml_file import ConfigError
from tests.flows.runs import audit_run, campaign_run
from tests.flows.small import SMALL_GRID

pytestmark = [pytest.mark.services, pytest.mark.long]
NAMES = ("Zebulon", "Perpetua", "Xanthippe", "thelonious")  # the third is not declared
TEXT = "Marmalade Quibble sold the barge to Zebulon."


def write_campaign(folder: Path) -> Path:
    """Names in folders, notes, rejected values, damaged lines, identifiers and decisions."""
    for who in NAMES[:3]:
        home = folder / "exports" / "brat" / who
        home.mkdir(parents=True)
        for d in range(3):
            (home / f"d{d}.txt").write_text(TEXT, encoding="utf-8")
            shift = who == "Perpetua"
            lines = [
                f"T1\tPerson 0 {17 - 8 * shift}\t{TEXT[: 17 - 8 * shift]}",
                "T2\tThing 27 32\tbarge",
                "T3\tMarmalademan 18 22\tsold",  # not in the tagset: rejected
                f"T9 what {who} meant",
                "#1\tAnnotatorNotes T1\tas Zebulon said",
                "R1\tSells Arg1:T1 Arg2:T2",
            ]
            (home / f"d{d}.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    empty = folder / "exports" / "brat" / "Perpetua"
    (empty / "d3.txt").write_text(TEXT, encoding="utf-8")
    (empty / "d3.ann").write_text("", encoding="utf-8")  # is warned of with whose it is
    rows = ["document,item,annotator,label,unit"]
    for k, who in enumerate(("Zebulon", "Perpetua", "thelonious@example.org", "Xanthippe")):
        for d, i in product(range(3), range(3)):
            rows.append(f"d{d},q{i},{who},{'xy'[(d * i + k) % 2]},{who}-{i}")
    rows.append("d0,Quibble,Xanthippe,Marmalade,u")  # not declared: rejected
    rows.append("d0,q0,Zebulon,Marmalade,u")  # a second label on an item: rejected
    rows.append("d1,q1,Perpetua,x and Quibble,Marmalade")
    (folder / "exports" / "thelonious-labels.csv").write_text("\n".join(rows), encoding="utf-8")
    (more := folder / "exports" / "more").mkdir()
    for name, column in (("Perpetua-2", "item"), ("Xanthippe-2", "item"), ("Zebulon-2", "?")):
        text = f"document,{column},annotator,label\nd0,q8,Perpetua,x\n"
        (more / f"{name}.csv").write_text(text, encoding="utf-8")  # the last cannot be read
    campaign = folder / "campaign.toml"
    receiver = folder / "receive.py"
    receiver.write_text(
        f"import sys; open({str(folder / 'received.json')!r}, 'ab').write(sys.stdin.buffer.read())"
    )
    campaign.write_text(
        f"""
[campaign]
name = "Private"
privacy = true
[[sources]]
path = "exports/brat"
format = "brat"
layer_names = {{ "" = "names" }}
[[sources]]
path = "exports/thelonious-labels.csv"
format = "table"
[[sources]]
path = "exports/more/*.csv"
format = "table"
[annotators]
Zebulon = {{ pseudonym = "P1" }}
Perpetua = {{ pseudonym = "P2" }}
"thelonious@example.org" = {{ pseudonym = "P3" }}
[layers.names]
categories = ["Person", "Thing"]
[reference]
rule = "majority"
[intervals]
replicates = 20
[chance]
precision = 0.3
{SMALL_GRID}
[notify]
command = [{sys.executable!r}, {str(receiver)!r}]
[store]
url = "store"
""",
        encoding="utf-8",
    )
    return campaign


def leaks_in(content: bytes) -> list[str]:
    """Names and pieces of the text; the content of Parquet is read out."""
    if content[:4] == b"PAR1":
        rows = pq.read_table(io.BytesIO(content)).to_pylist()
        content += json.dumps(rows, default=repr, ensure_ascii=False).encode()
    secrets = (*NAMES, "Marmalade", "Quibble", "sold the")
    return [one for one in secrets if one.lower().encode() in content.lower()]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> tuple[Path, str]:
    """A campaign run, decided on, run and audited; its folder, and what was logged."""
    folder = tmp_path_factory.mktemp("people")
    campaign = write_campaign(folder)
    log, cli = io.StringIO(), CliRunner()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    campaign_run(campaign)
    printed = [cli.invoke(app, ["adjudicate", str(campaign), str(folder / "out/cases.csv")])]
    filled = (folder / "out/cases.csv").read_text("utf-8-sig").splitlines()
    assert filled[1].endswith(",,,,,"), "no decision yet"
    filled[1] = filled[1][:-5] + "x,,,Perpetua,2026-01-01,Zebulon was right"
    (folder / "decided.csv").write_text("\n".join(filled), encoding="utf-8")
    arguments = ["adjudicate", str(campaign), "--decisions", str(folder / "decided.csv")]
    printed.append(cli.invoke(app, arguments, catch_exceptions=False))
    printed.append(cli.invoke(app, ["document", str(campaign), "d1"]))
    printed.append(cli.invoke(app, ["next", str(campaign), "--budget", "2", "--audit", "2"]))
    campaign_run(campaign)
    for layer in ("names", "labels"):
        arguments = ["annotators", str(campaign), "--layer", layer]
        printed.append(cli.invoke(app, [*arguments, "--to", str(folder / "out" / layer)]))
    outcome, _ = audit_run(campaign)
    logging.getLogger().removeHandler(handler)
    assert {one.exit_code for one in printed} == {0}, [one.output for one in printed]
    (folder / "out/outcome.json").write_text(json.dumps(outcome), encoding="utf-8")
    return folder, log.getvalue() + "".join(one.output for one in printed)


def test_no_file_that_is_written_holds_a_name_or_the_text(written: tuple[Path, str]) -> None:
    folder, _ = written
    files = [*folder.glob("store/**/*"), *folder.glob("out/**/*"), folder / "received.json"]
    files = [file for file in files if file.is_file()]
    assert len(files) > 50
    assert [*folder.glob("store/queue/*")], "a round was stored"
    assert len([*folder.glob("out/*/*.html")]) == 5, "pages of annotators"
    for file in files:
        assert leaks_in(file.read_bytes()) == [], file
        assert leaks_in(str(file.relative_to(folder)).encode()) == [], file


def test_the_database_of_prefect_holds_no_name(written: tuple[Path, str]) -> None:
    places = (private_folder(), Path(os.environ["PREFECT_HOME"]))
    files = [file for place in places for file in place.rglob("*.db*") if file.is_file()]
    assert any(b"Private" in file.read_bytes() for file in files), "the name of the campaign"
    for file in files:
        assert leaks_in(file.read_bytes()) == [], file


def test_nothing_that_is_printed_or_logged_holds_a_name(written: tuple[Path, str]) -> None:
    assert leaks_in(written[1].encode()) == []


def test_the_measured_rows_are_those_of_the_declared_annotators(written: tuple[Path, str]) -> None:
    folder, _ = written
    results = json.loads(next(folder.glob("store/audits/*/results.json")).read_bytes())
    assert [one["name"] for one in results["annotators"]] == ["P1", "P2", "P3"]
    [summary] = [one for one in results["references"] if one["history"]]
    assert [one["by"] for one in summary["history"]] == ["P2"]
    rejected = results["validation"]["rejected"]
    assert {row["annotator"] for row in rejected} >= {"P1", "P2", "(undeclared)"}
    assert rejected[0]["source"].startswith("source ")


def test_the_decision_is_kept_by_its_pseudonym(written: tuple[Path, str]) -> None:
    store = Store(str(written[0] / "store"))
    assert all_cases(store, last_run(store))
    [record] = written[0].glob("store/adjudication/decisions-*.json")
    [decision] = json.loads(record.read_bytes())["decisions"]
    assert (decision["who"], decision["why"]) == ("P2", "")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('{ pseudonym = "P2" }', "{ }", "1 of 3 lack one .number 2, human"),
        ('name = "Private"', 'name = "Private"\ncontact = "zebulon@x.org"', "campaign contains"),
        ('format = "brat"', 'format = "brat"\nbatch = "Perpetua-1"', r"sources\[0\]\.batch con"),
        ('"P3"', '"not Zebulon"', r"a pseudonym in \[annotators\] contains"),
        ("[reference]", '[validation]\nundeclared_annotators = "accept"\n[reference]', "'reject'"),
    ],
)
def test_a_campaign_file_that_could_name_somebody_is_refused(
    tmp_path: Path, before: str, after: str, told: str
) -> None:
    campaign = write_campaign(tmp_path)
    campaign.write_text(campaign.read_text("utf-8").replace(before, after, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=told) as error:
        load_campaign(campaign)
    assert leaks_in(str(error.value).replace(str(campaign), "").encode()) == []


def test_names_in_names_of_documents_and_in_messages_are_refused(
    tmp_path: Path, prefect_server: str, caplog: pytest.LogCaptureFixture
) -> None:
    campaign = write_campaign(tmp_path)
    for who in NAMES[:2]:
        place = tmp_path / "exports" / "brat" / who
        for file in place.glob("d2.*"):
            file.rename(file.with_stem("interview-xanthippe-2"))
    done = CliRunner().invoke(app, ["check", str(campaign)])
    assert done.exit_code == 2
    assert "names of documents contain the name" in " ".join(done.output.split())
    with pytest.raises(DataError, match=r"sources\[0\]: names of documents contain") as error:
        campaign_run(campaign)
    assert leaks_in(str(error.value).encode()) == []
    labels = tmp_path / "exports" / "thelonious-labels.csv"
    labels.write_bytes(b"\x00\xff\xfe nothing that could be read")
    with pytest.raises(DataError) as error:
        campaign_run(campaign)
    assert leaks_in(str(error.value).encode()) == []
    assert leaks_in(caplog.text.encode()) == []
    for file in (tmp_path / "store").rglob("*"):
        assert not file.is_file() or leaks_in(file.read_bytes()) == [], file
