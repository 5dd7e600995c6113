"""`accordeur replace` and `accordeur.replacement`: may a system replace an annotator?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from tests.flows.command_line import accordeur

HUMANS = ("ann", "ben", "cat")


def labels(n: int = 90, **systems: float) -> pd.DataFrame:
    """Labels of three humans and of systems that are right with some probability."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, n)
    right = {**dict.fromkeys(HUMANS, 0.8), **systems}
    rows = [
        (f"q{i}", name, "abc"[truth[i] if rng.random() < p else rng.integers(0, 3)])
        for name, p in right.items()
        for i in range(n)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    labels(good=0.95, bad=0.2).to_csv(path, index=False)
    return path


def replaced(*arguments: str | Path) -> dict[str, Any]:
    done = accordeur("replace", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_first_sentence_is_the_verdict(table: Path):
    done = accordeur("replace", table, "--system", "good", "--system", "bad")
    assert done.returncode == 0, done.stderr
    first, second, *rest = done.stdout.splitlines()
    assert first.startswith("good may replace one of these 3 annotators: its mean advantage")
    assert second.startswith("bad may not replace one of these 3 annotators")
    assert "after Holm’s correction for 2 systems" in first
    assert any(line.startswith("ε = 0.1 by default") for line in rest)
    assert "450 rows read: 270 measured, 180 of systems, 0 rejected; 3 annotators" in done.stdout


def test_json_has_everything_that_python_has(table: Path):
    printed = replaced(table, "--system", "good", "--system", "bad", "--expertise", "expert")
    found = acc.replacement(labels(good=0.95, bad=0.2), systems=["good", "bad"], expertise="expert")
    assert printed["epsilon"] == found.epsilon == 0.2
    of_command = {key: printed[key] for key in found.to_document()}
    assert of_command == json.loads(json.dumps(found.to_document()))
    assert found["bad"].panel.verdict == "may_not"
    assert list(found.to_frame()["verdict"]) == ["may", "may_not"]
    assert set(found.curve()["system"]) == {"good", "bad"}
    assert found.lost()["system"].eq("bad").any()
    assert list(found.parts().query("system == 'good'")["part"]) == ["a", "b", "c"]
    assert repr(found).startswith("good may replace")


def test_a_role_in_the_table_names_the_system(tmp_path: Path):
    frame = labels(good=0.95)
    frame["role"] = np.where(frame["annotator"] == "good", "system", "human")
    frame.to_csv(tmp_path / "labels.csv", index=False)
    assert [one["system"] for one in replaced(tmp_path / "labels.csv")["systems"]] == ["good"]


def test_files_of_one_annotator_each(tmp_path: Path):
    paths = []
    for name, rows in labels(good=0.95).groupby("annotator"):
        paths.append(tmp_path / f"{name}.csv")
        rows[["item", "label"]].to_csv(paths[-1], index=False)
    found = replaced(*paths, "--system", "good")
    assert found["systems"][0]["panel"]["verdict"] == "may"


def test_agreement_is_the_same_with_and_without_systems(table: Path, tmp_path: Path):
    """The systems' labels are read for `replace` only and enter no coefficient."""
    labels(good=0.95, bad=0.2).query("annotator in @HUMANS").to_csv(tmp_path / "h.csv", index=False)
    roles = ["--role", "good=system", "--role", "bad=system"]
    whole = json.loads(accordeur("agree", table, *roles, "--json").stdout)["results"]
    humans = json.loads(accordeur("agree", tmp_path / "h.csv", "--json").stdout)["results"]
    assert [one["value"] for one in whole] == [one["value"] for one in humans]


def test_documents_are_drawn_and_large_ones_judged_apart():
    frame = labels(good=0.95)
    frame["document"] = "d" + frame["item"].str[1:].astype(int).floordiv(45).astype(str)
    found = acc.replacement(frame, systems=["good"], document="document", epsilon=0.2)["good"]
    assert (found.over, found.n_units) == ("documents", 2)
    assert [part.name for part in found.parts if part.kind == "document"] == ["d0", "d1"]
    assert [part.name for part in found.parts if part.kind == "category"] == ["a", "b", "c"]


def test_ratings_take_rmse_or_a_distance_and_python_any_function():
    frame = labels(good=0.95)
    frame["label"] = frame["label"].map({"a": 1, "b": 2, "c": 5})

    def found(**options: Any) -> Any:
        return acc.replacement(frame, systems=["good"], replicates=0, **options)["good"]

    rmse = found(alignment="rmse").values[0].value
    assert rmse == found(alignment="similarity", scale="interval").values[0].value
    own = found(alignment=lambda a, b: -((float(a) - float(b)) ** 2))
    assert own.values[0].value == rmse
    nominal = found(alignment="similarity").values[0].value
    assert nominal == found().values[0].value != rmse


def test_a_missing_answer_is_lost_and_said(table: Path, tmp_path: Path):
    frame = labels(good=0.95)
    frame = frame[~((frame["annotator"] == "good") & frame["item"].isin(["q1", "q2", "q3"]))]
    lost = acc.replacement(frame, systems=["good"])
    excluded = acc.replacement(frame, systems=["good"], missing="excluded")
    assert "3 items without a label of good count as lost" in lost.sentences[0]
    assert lost["good"].values[0].value < excluded["good"].values[0].value
    assert {item.item for item in lost["good"].lost} >= {"q1", "q2", "q3"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--system", "gpt"],
            "--system gpt: no annotation of 'gpt'; the annotators are ann, bad, ben",
        ),
        ([], "there is no system among the annotators (ann, bad, ben, cat, good)"),
        (["--system", "good", "--alignment", "rmse"], "needs numeric labels"),
        (["--system", "good", "--epsilon", "0.1", "--expertise", "crowd"], "give either"),
    ],
)
def test_bad_requests_get_one_sentence(table: Path, arguments: list[str], words: str):
    done = accordeur("replace", table, *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_two_annotators_get_no_verdict_and_a_reason(tmp_path: Path):
    path = tmp_path / "labels.csv"
    labels(good=0.95).query("annotator != 'cat'").to_csv(path, index=False)
    done = accordeur("replace", path, "--system", "good")
    assert done.stdout.startswith("There is no verdict on good. Only 2 annotators share 30 items")


def test_kappa_of_a_system_names_the_command(table: Path):
    done = accordeur("score", "--reference", f"{table}#ann", "--single-annotator",
                     "--system", f"{table}#good", "--measure", "cohen_kappa")  # fmt: skip
    assert done.returncode == 2
    assert "`accordeur replace`" in done.stderr


def pico(shared_data: Path) -> pd.DataFrame:
    """Spans by crowd workers, and by a medical student who is played as a system."""
    return pd.DataFrame(
        [
            (line["docid"], annotator, start, end)
            for name in ("crowdsourcing", "professional")
            for line in map(
                json.loads,
                (shared_data / "pico_spans" / f"PICO-annos-{name}.jsonl").open(encoding="utf-8"),
            )
            for annotator, spans in line["Participants"].items()
            for start, end in spans
        ],
        columns=["document", "annotator", "start", "end"],
    )


@pytest.mark.parametrize("alignment", ["exact_f", "disorder"])
def test_units_are_compared_document_by_document(tmp_path: Path, shared_data: Path, alignment: str):
    spans, path = pico(shared_data), tmp_path / "spans.csv"
    spans.to_csv(path, index=False)
    chosen = ("--system", "MedicalStudent", "--min-items", "15", "--expertise", "crowd")
    printed = replaced(path, *chosen, "--alignment", alignment)
    [system] = printed["systems"]
    assert (printed["kind"], system["over"], system["n_missing"]) == ("units", "documents", 3)
    assert system["panel"]["verdict"] == "may"
    found = acc.replacement(
        spans,
        systems=["MedicalStudent"],
        start="start",
        end="end",
        category=None,
        alignment=alignment,
        min_items=15,
        expertise="crowd",
    )
    assert found.to_document()["systems"] == printed["systems"]
    assert set(found.lost()["document"]) <= set(spans["document"])
    checks = found.checks().set_index("check")["value"]
    of_document = spans.groupby(["document", "annotator"]).size().unstack()
    of_document = of_document[of_document["MedicalStudent"].notna()]
    of_crowd = of_document.drop(columns="MedicalStudent").mean(axis=1)
    of_student = of_document["MedicalStudent"][of_crowd.notna()]
    assert checks["unit_count_ratio"] == pytest.approx(of_student.sum() / of_crowd.sum())


@pytest.mark.parametrize(
    ("command", "rows"),
    [
        ("agree", "item,annotator,role,label\ni,ann,human,x\ni,gpt,system,x\n"),
        (
            "gamma",
            "document,annotator,role,start,end\nd,ann,human,0,3\nd,gpt,system,0,3\n",
        ),
    ],
)
def test_a_coefficient_between_a_human_and_a_system_is_refused_and_names_the_command(
    tmp_path: Path, command: str, rows: str
):
    path = tmp_path / "both.csv"
    path.write_text(rows)
    done = accordeur(command, path)
    assert done.returncode != 0
    assert "accordeur replace" in done.stderr


def test_units_without_an_alignment_of_units_name_one(tmp_path: Path):
    path = tmp_path / "spans.csv"
    path.write_text("document,annotator,start,end\nd,a,0,3\nd,b,0,3\nd,gpt,0,3\n")
    done = accordeur("replace", path, "--system", "gpt")
    assert done.returncode != 0
    assert "--alignment exact_f" in done.stderr


def test_a_failed_alt_test_beside_the_verdict_may_is_explained(tmp_path: Path):
    frame = labels(60, good=0.82)
    frame.to_csv(tmp_path / "labels.csv", index=False)
    found = acc.replacement(frame, systems=["good"], epsilon=0.1)
    assert (found["good"].panel.verdict, found["good"].passed) == ("may", False)
    said = "The alt-test fails nevertheless (ω = 0.00): it tests each annotator separately"
    assert said in found.sentences[0]
    done = accordeur("replace", tmp_path / "labels.csv", "--system", "good", "--epsilon", "0.1")
    assert said in done.stdout
