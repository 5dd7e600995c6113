"""One question on units, asked as a command, in Python and in a campaign: one answer."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from tests.flows.in_process import found
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import Measured, measured_in_process
from tests.flows.three_ways import assert_same

FAST: dict[str, Any] = {"precision": 0.3, "max_samples": 60, "replicates": 30}
CORPORA: dict[str, tuple[str, str | None]] = {
    "argilla": ("formats/argilla.json", None),
    "brat": ("formats/brat", None),
    "doccano": ("formats/doccano", None),
    "gate": ("formats/gate.xml", None),
    "inception": ("formats/webanno_tsv", "Event"),
    "prodigy": ("formats/prodigy.jsonl", None),
    "spans": ("pygamma_tests/AlexPaulSuzan.csv", None),
}


def flags(options: Mapping[str, Any]) -> list[str]:
    return [text for name, one in options.items() for text in (_flag(name), str(one)) if one]


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def measured(
    folder: Path, source: Path, monkeypatch: pytest.MonkeyPatch, more: str = ""
) -> Measured:
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "Three ways"\n[[sources]]\npath = "{source}"\n{NO_GRID}'
        "[chance]\nprecision = 0.3\nmax_samples = 60\n[intervals]\nreplicates = 30\n"
        f'[units]\nmeasures = ["gamma", "gamma_cat", "pairwise_f"]\n{more}',
        encoding="utf-8",
    )
    return measured_in_process(path, monkeypatch)


def assert_one_answer(
    folder: Path, source: Path, layer: str | None, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    chosen = {"layer": layer}
    run = measured(folder, source, monkeypatch)
    [of_run] = [one for one in run.results["units"] if layer in (None, one["layer"])]
    for measure, names in (("gamma", ("gamma", "gamma_cat")), ("pairwise_f", ("pairwise_f",))):
        asked = {**chosen, **FAST, "measure": measure}
        command = found("gamma", source, *flags(asked))
        python = acc.gamma(str(source), **asked)
        assert_same(python.to_document()["results"], command["results"])
        assert python.values.rows.as_json() == command["rows"]
        assert len(python.values.warnings) == len(command["warnings"])  # names of options differ
        in_run = [one for one in of_run["values"] if one["measure"].startswith(names)]
        assert_same(
            [one for one in command["results"] if one["measure"] in names],
            [one for one in in_run if one["measure"] in names],
        )
        if measure == "gamma":
            assert_same(command["explained"], of_run["explained"])
            answer = command
        of_pairs = [one for one in of_run["per_pair"] if one["value"]["measure"] == measure]
        if of_pairs:  # a run of two annotators has no pairs beside its value
            parts = found("gamma", source, *flags(asked), "--by", "pair")["parts"]
            assert_same(parts, [one["value"] for one in of_pairs])
    if not answer["rows"]["excluded"].keys() & {"other_kind", "other_layer"}:
        assert answer["rows"] == run.account.as_json()
    return answer


@pytest.mark.parametrize("name", CORPORA)
def test_each_corpus(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    inside, layer = CORPORA[name]
    assert_one_answer(tmp_path, corpora / inside, layer, monkeypatch)


@pytest.mark.long
def test_an_export_as_folder_and_as_zip(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, answers = corpora / "formats" / "doccano", []
    archive = tmp_path / "doccano.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for path in sorted(folder.glob("*.jsonl")):
            made.write(path, path.name)
    for source in (folder, archive):
        own = tmp_path / source.name.replace(".", "_")
        own.mkdir()
        answers.append(assert_one_answer(own, source, None, monkeypatch))
    assert_same(answers[0]["results"], answers[1]["results"])
    assert answers[0]["rows"] == answers[1]["rows"]


def test_later_passes_a_system_and_a_mean_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mean length of the units, which `hamming` uses, is that of the humans' first pass."""
    rng, rows = random.Random(2), ["document,annotator,role,pass,start,end,category"]
    for d in range(6):
        for who, role, passes in (("anna", "human", 2), ("ben", "human", 1), ("gpt", "system", 1)):
            if d == 5 and who == "ben":
                continue
            for number in range(1, passes + 1 if d < 2 else 2):
                for u in range(4):
                    start, longer = 20 * u + rng.randint(0, 4), 9 * (role == "system")
                    end = start + rng.randint(3, 9) + longer
                    category = rng.choice("XY")
                    rows.append(f"d{d},{who},{role},{number},{start},{end},{category}")
    source = tmp_path / "units.csv"
    source.write_text("\n".join(rows) + "\n", encoding="utf-8")
    run = measured(tmp_path, source, monkeypatch, 'position = "hamming"\n')
    command = found("gamma", source, *flags({**FAST, "position": "hamming"}))
    values = [one for one in run.results["units"][0]["values"] if "gamma" in one["measure"]]
    assert_same(command["results"], values)
    assert command["rows"] == run.account.as_json()
