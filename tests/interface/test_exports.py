"""An export that was read is measured as the command measures its files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError
from tests.flows.in_process import found

FORMATS = Path(__file__).parents[1] / "corpora" / "formats"
DEMO = Path(__file__).parents[2] / "flows" / "demo_campaign" / "exports"
TEXTS = {
    "first": "abcd efgh ijkl mnop qrst uvwx",
    "second": "what stands here is another text, longer",
    "third": "and this is what the last one says",
}
PIECES = "T1\tPER 0 4;10 14\t{0}\n"  # 0 to 14 has the same outer bounds, and is another unit
WHOLE = "T1\tPER 0 14\t{1}\nT2\tLOC 15 19\t{2}\n"


def brat(folder: Path, works: dict[str, dict[str, str]]) -> Path:
    """Write works of annotators on the documents; pieces and wholes are cut from the texts."""
    for who, documents in works.items():
        (folder / who).mkdir(parents=True)
        for name, units in documents.items():
            text = TEXTS[name]
            cut = (f"{text[:4]} {text[10:14]}", text[:14], text[15:19])
            (folder / who / f"{name}.txt").write_text(text, encoding="utf-8")
            (folder / who / f"{name}.ann").write_text(units.format(*cut), encoding="utf-8")
    return folder


@pytest.fixture
def works(tmp_path: Path) -> Path:
    """Units in pieces, and an annotator who found nothing in a document."""
    ana = dict.fromkeys(TEXTS, PIECES + "T2\tLOC 15 19\t{2}\n")
    return brat(tmp_path / "brat", {"ana": ana, "ben": {**ana, "second": WHOLE, "third": ""}})


def test_fragments_and_empty_works_of_an_export_count(works: Path) -> None:
    """Two of four, none of three and both of two units are the same: 2 · 3 / 10."""
    [of_command] = [
        one
        for one in found("gamma", works, "--measure", "pairwise_f")["results"]
        if one["measure"] == "pairwise_f"
    ]
    assert of_command["value"] == pytest.approx(2 * 3 / 10)
    for data in (acc.read(works), works):
        assert acc.pairwise_f(data)["pairwise_f"].value == of_command["value"]


def test_scores_of_exports_are_those_of_the_command(tmp_path: Path) -> None:
    one = dict.fromkeys(TEXTS, PIECES + "T2\tLOC 15 19\t{2}\n")
    gold = brat(tmp_path / "gold", {"gold": one})
    system = brat(tmp_path / "system", {"system": {**one, "second": WHOLE, "third": ""}})
    of_command = found("score", "--reference", gold / "gold", "--system", system / "system")
    exact = next(one for one in of_command["results"] if one["measure"] == "exact_f")
    given = acc.score(acc.read(gold), {"system": acc.read(system)})["system", "exact_f"]
    assert given.value == exact["value"] == pytest.approx(2 * 3 / 10)


@pytest.mark.parametrize(
    "export",
    [
        DEMO / "brat",
        *(FORMATS / name for name in ("prodigy.jsonl", "doccano", "pygamma", "gate.xml")),
    ],
    ids=lambda path: path.name,
)
def test_units_of_an_export_are_measured_as_its_files(export: Path) -> None:
    """γ also depends on the lengths of the documents."""
    of_command = found("gamma", export)["results"]
    values = {x["measure"]: math.nan if x["value"] is None else x["value"] for x in of_command}
    for measure, value in {one.measure: one.value for one in acc.gamma(acc.read(export))}.items():
        assert value == pytest.approx(values[measure], nan_ok=True, abs=1e-12), measure


def test_an_export_of_which_every_row_was_rejected_says_why(tmp_path: Path) -> None:
    folder = brat(tmp_path / "brat", {who: {"first": "T1\tPER 0 4\tzzzz\n"} for who in "ab"})
    with pytest.raises(MetricsError, match=r"every row was rejected: .*zzzz"):
        acc.pairwise_f(acc.read(folder))
