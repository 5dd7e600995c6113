"""What readers of the README wrote first is taken, or answered with the call to write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accordeur as acc
from accordeur.interface.result import Result

CODED = pd.DataFrame(
    [
        (
            country,
            2 + i % 2,
            f"{country}{i}",
            coder,
            "xyz"[(i * k + len(country)) % 3],
            "pq"[i * k % 2],
        )
        for country in ("fr", "de", "ital")
        for i in range(12)
        for k, coder in enumerate(("ana", "ben", "cleo"), 1)
    ],
    columns=["country", "wave", "item", "annotator", "code", "stance"],
)
WIDE = CODED.pivot(index=["country", "item"], columns="annotator", values=["code", "stance"])
FAST: dict[str, Any] = {"replicates": 0}
QUESTIONS = ["code", "stance"]


def _by_part(found: Any) -> dict[str, float]:
    return {name: float(one) for name, one in found.items()}


def test_columns_that_name_the_rows_are_kept() -> None:
    options = FAST | {"label": "code"}
    found = acc.krippendorff_alpha(CODED, by=["country", "wave"], **options)
    header, _, row, *_ = found.to_markdown(columns=["value"], digits=2).splitlines()
    assert header == "| country | wave | value |"
    assert row.startswith("| de | 2 | ")
    assert found.to_latex(columns=["wave", "value"]).count("ital & ") == 2
    chosen = found.to_csv(columns=["wave", "country", "value"])
    assert chosen.startswith("wave,country,value\n")  # they name the rows in the reader's order
    several = acc.agreement(CODED, label="code", **FAST).to_csv(columns="value").splitlines()
    assert several[0] == "measure,value"
    assert several[1].startswith("krippendorff_alpha,")
    only = acc.agreement(CODED, label="code", measures="gwet_ac1", **FAST)
    assert only.to_csv(columns="value").splitlines()[0] == "value"


@pytest.mark.parametrize("measure", ["krippendorff_alpha", "gwet_ac1"])
def test_a_coefficient_of_several_labels_is_that_of_agreement(measure: str) -> None:
    found = getattr(acc, measure)(CODED, label=QUESTIONS, **FAST)
    assert found == acc.agreement(CODED, label=QUESTIONS, measures=measure, **FAST)  # type: ignore[arg-type]
    assert _by_part(found) == {
        name: float(acc.coefficient(measure, CODED, label=name, **FAST))  # type: ignore[arg-type]
        for name in QUESTIONS
    }
    two = CODED[CODED.annotator != "ana"]
    assert acc.cohen_kappa(two, label=QUESTIONS, **FAST).measures == ["cohen_kappa"] * 2


def test_several_labels_by_groups_are_the_values_of_each() -> None:
    found = acc.agreement(
        CODED, label=QUESTIONS, by="country", measures="krippendorff_alpha", **FAST
    )
    assert _by_part(found) == {
        f"{name} + {country}": float(acc.krippendorff_alpha(rows, label=name, **FAST))
        for name in QUESTIONS
        for country, rows in CODED.groupby("country")
    }
    with pytest.raises(ValueError, match=r"by='pair' is for one label.*such as label='code'"):
        acc.agreement(CODED, label=QUESTIONS, by="pair", **FAST)
    with pytest.raises(ValueError, match=r"no column 'subject' for item; .* with item=$"):
        acc.agreement(CODED, label=QUESTIONS, item="subject")
    with pytest.raises(ValueError, match=r"with item= \(an index becomes columns"):
        acc.agreement(CODED.set_index("wave"), label=QUESTIONS, item="subject")


def test_a_level_of_the_index_is_a_column_for_by() -> None:
    expected = _by_part(acc.gwet_ac1(CODED, label="code", by="country", **FAST))
    assert len(expected) == 3
    wide = WIDE["code"]
    assert _by_part(acc.gwet_ac1(wide, by="country", **FAST)) == pytest.approx(expected)
    assert acc.gwet_ac1(wide, **FAST).n_annotators == 3  # the country is no annotator
    assert _by_part(acc.gwet_ac1(wide.droplevel("item"), by="country", **FAST)) == expected
    for levels in (["country"], ["country", "item", "annotator"], ["wave", "country"]):
        long = CODED.set_index(levels)
        assert _by_part(acc.gwet_ac1(long, label="code", by="country", **FAST)) == expected
    with pytest.raises(ValueError, match="did you mean country"):
        acc.gwet_ac1(wide, by="contry")
    units = pd.DataFrame(
        {"document": [*"ddee"], "annotator": [*"abab"], "start": [0, 0, 2, 3], "end": [5, 5, 9, 9]},
        index=pd.Index(["x", "x", "y", "y"], name="kind"),
    )
    assert acc.pairwise_f(units, category=None, by="kind").parts == ["x", "y"]


@pytest.mark.parametrize("swapped", [False, True])
def test_questions_above_annotators_are_labels(swapped: bool) -> None:
    frame = WIDE.swaplevel(axis=1) if swapped else WIDE
    found = acc.agreement(frame, label=QUESTIONS, measures="krippendorff_alpha", **FAST)
    expected = acc.krippendorff_alpha(CODED, label=QUESTIONS, **FAST)
    assert _by_part(found) == pytest.approx(_by_part(expected))
    [one] = acc.agreement(frame, label="code", measures="krippendorff_alpha", **FAST)
    assert float(one) == pytest.approx(float(expected["code"]))
    grouped = acc.gwet_ac1(frame, label=QUESTIONS, by="country", **FAST)
    assert len(grouped.parts) == 6
    with pytest.raises(ValueError, match="the columns have 2 levels") as raised:
        acc.krippendorff_alpha(frame)
    call = re.search(r"(data\S*\[.code.\]|data\.xs\(.*\)), or label=", str(raised.value))
    assert call is not None
    data = eval(call[1], {"data": frame})
    assert float(acc.krippendorff_alpha(data, **FAST)) == pytest.approx(float(one))
    assert "label=['code', 'stance']" in str(raised.value)


@pytest.fixture(scope="module")
def check() -> acc.JudgeCheck:
    rows = [
        (f"i{i}", who, "yes" if i % 3 == 0 or (who == "gpt" and i % 7 == 4) else "no")
        for i in range(30)
        for who in ("ann", "ben", "gpt", "lama")
    ]
    return acc.judge(rows, judges=["gpt", "lama"], item=0, annotator=1, label=2, replicates=50)


def test_a_judge_has_values_by_its_name(check: acc.JudgeCheck) -> None:
    table = check.to_frame().set_index(["judge", "category", "measure"]).value.sort_index()
    assert float(check["gpt", "cohen_kappa"]) == table["gpt", "", "cohen_kappa"]
    assert float(check["gpt", "macro_f1"]) == table["gpt", "", "macro_f"]
    assert check["accuracy"].parts == ["gpt", "lama"]
    assert len(check["gpt"]) == len(table["gpt", ""])
    assert check["gpt"]["candidate"][0].measure == "cohen_kappa"
    assert float(check["gpt", "yes"]["recall"]) == table["gpt", "yes", "recall"]
    for key in ("gtp", ("gtp", "cohen_kappa")):
        with pytest.raises(KeyError, match="did you mean gpt"):
            _ = check[key]  # type: ignore[index]
    with pytest.raises(KeyError, match="did you mean cohen_kappa"):
        _ = check["gpt", "cohen_kapa"]
    with pytest.raises(AttributeError, match="NAME OF THE JUDGE"):
        _ = check.scores  # type: ignore[attr-defined]


def test_values_have_names() -> None:
    found = acc.agreement(CODED, label="code", **FAST)
    assert found.keys() == found.measures
    assert dict(found)["gwet_ac1"] == found["gwet_ac1"]
    pairs = acc.agreement(CODED, label="code", by="pair", measures=["scott_pi", "gwet_ac1"], **FAST)
    assert len(pairs.keys()) == 3
    assert {name: len(of) for name, of in pairs.items()} == dict.fromkeys(pairs.keys(), 2)
    links = [("d", "ann", 1, 2, "x"), ("d", "ann", 3, 4, "y"), ("d", "ben", 1, 2, "x")]
    names = {"document": 0, "annotator": 1, "head": 2, "tail": 3, "category": 4}
    relations = acc.relations(links, **names)  # type: ignore[arg-type]
    assert relations["pairwise_f"] == relations["relation_category_f"]


def test_any_saved_result_is_read_back(check: acc.JudgeCheck) -> None:
    values = acc.agreement(CODED, label="code", **FAST)
    consensus = acc.consensus(CODED, label="code", rule="majority")
    results: list[Result] = [
        values,
        values[0],
        check,
        consensus,
        acc.plan(CODED, label="code", width=0.2),
    ]
    for one in results:
        again = acc.from_json(one.to_json())
        assert type(again) is type(one)
        assert again == one
    for text in ("r.json", "[1]", '{"result": "agreement"}', '{"result": "no name"}', "{}"):
        with pytest.raises(ValueError, match="not the text of a result"):
            acc.from_json(text)
    with pytest.raises(AttributeError, match=r"call from_json\(…\)"):
        _ = acc.load  # type: ignore[attr-defined]


def test_an_export_has_annotators_and_a_length(tmp_path: Path) -> None:
    path = tmp_path / "coded.csv"
    CODED.rename(columns={"code": "label"})[:9].to_csv(path, index=False)
    export = acc.read(path)
    assert export.annotators == ["ana", "ben", "cleo"]
    assert len(export) == export.labels.num_rows == 9
    with pytest.raises(AttributeError, match="there are documents, assignments, units, labels"):
        _ = export.items  # type: ignore[attr-defined]


def test_words_without_a_meaning_share_one_list_of_options() -> None:
    with pytest.raises(TypeError, match="no 'foo' and no 'bar': it takes") as raised:
        acc.plan(CODED, foo=1, bar=2)  # type: ignore[call-arg]
    assert str(raised.value).count("it takes") == 1
    with pytest.raises(TypeError, match=r"use left=.*use right=.*use outcome="):
        acc.rank(CODED, first="a", second="b", winner="c")  # type: ignore[call-arg]
