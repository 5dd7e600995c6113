"""The text of an item of a table is shown where someone decides on it, and nowhere else."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.flows.campaign.adjudication.decided import rows_of
from tests.flows.command_line import accordeur_process

CAMPAIGN = """
[campaign]
name = "posts"
privacy = {private}
[annotators]
ada = {{ pseudonym = "A1" }}
ben = {{ pseudonym = "A2" }}
[reading_grid]
trials = 0
"""
N_TWEETS = 60
REMARK = "I was not sure at all about this one"


def text_of(kind: str, k: int) -> str:
    return f"The {kind} number {k} says that marmalade is fine, “or not”"


def label_of(who: str, k: int) -> str:
    return "xy"[(k + (who == "ben" and k < 12 and k % 3 == 0)) % 2]


def write_exports(folder: Path) -> None:
    folder.mkdir()
    with (folder / "long.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "annotator", "label", "layer", "tweet", "why"])
        for who in ("ada", "ben"):
            for k in range(N_TWEETS):
                said = text_of("tweet", k) if k != 3 else text_of(who, k)
                why = f"{who}: {REMARK} {k}" if k % 2 else f"{who} says that it is as it is"
                rows.writerow([k, who, label_of(who, k), "long", said, why])
    for who in ("ada", "ben"):
        lines = (
            {
                "document": "set",
                "item": f"s{k}",
                "annotator": who,
                "label": label_of(who, k),
                "layer": "lines",
            }
            | {"sentence": text_of("sentence", k), "comment": f"{REMARK} {who} {k}"}
            for k in range(12)
        )
        path = folder / f"{who}.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with (folder / "wide.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "ada", "ben", "layer", "post"])
        for k in range(12):
            given = [label_of(who, k) for who in ("ada", "ben")]
            rows.writerow([f"w{k}", *given, "wide", text_of("post", k)])


def ran(folder: Path, private: str) -> Path:
    folder.mkdir()
    write_exports(folder / "exports")
    text = CAMPAIGN.format(private=private)
    for path in ("long.csv", "*.jsonl", "wide.csv"):
        text += f'[[sources]]\npath = "exports/{path}"\nformat = "table"\n'
    (folder / "c.toml").write_text(text, encoding="utf-8")
    done = accordeur_process("run", folder / "c.toml")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "c.toml"


@pytest.fixture(scope="module", params=["false", "true"])
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, bool]:
    return ran(tmp_path_factory.mktemp("texts") / "c", request.param), request.param == "true"


def test_disagreements_show_the_text_of_each_item(campaign: tuple[Path, bool]) -> None:
    path, is_private = campaign
    assert accordeur_process("adjudicate", path, path.parent / "open.csv").returncode == 0
    rows = rows_of(path.parent / "open.csv")
    [results] = (path.parent / "runs").rglob("results.json")
    found = json.loads(results.read_text(encoding="utf-8"))
    shown = {(one["layer"], one["where"]): one["context"] for one in found["disagreements"]}
    assert len(rows) == len(shown) == 12
    kinds = {"long": "tweet", "lines": "sentence", "wide": "post"}
    for row in rows:
        k = int(row["where"].lstrip("sw"))
        is_clear = (row["layer"], k) != ("long", 3)  # of two texts, neither is shown
        text = text_of(kinds[row["layer"]], k) if is_clear and not is_private else ""
        assert row["context"] == shown[row["layer"], row["where"]] == text
    codes = {one["code"]: one["figures"] for one in found["alerts"]}
    assert ("item_texts" in codes) is not is_private
    if not is_private:
        assert codes["item_texts"]["names"] == "tweet, sentence, post"
        assert "tweet" not in codes["ignored_columns"]["names"]


def test_no_text_is_published_or_kept_in_private(campaign: tuple[Path, bool]) -> None:
    path, is_private = campaign
    files = [one for one in (path.parent / "runs").rglob("*") if one.is_file()]
    read = [one.read_bytes() for one in files if one.parent.name != "tables"]
    assert any(b"marmalade" in one for one in read) is not is_private
    published = [pq.read_table(one) for one in files if one.parent.name == "tables"]
    assert any("labels" in one.column_names for one in published)
    assert not any("marmalade" in str(one.to_pydict()) for one in published)
