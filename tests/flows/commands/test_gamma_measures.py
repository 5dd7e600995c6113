"""`accordeur gamma`: other measures and dissimilarities, and two annotations compared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.flows.campaign.file.measure_keys import Units
from accordeur.flows.cli import app
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, ordinal_distances
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat_empty_pairs import gamma_cat_empty_pairs
from accordeur.metrics.units.gamma_settings import GammaSettings, scale_distances
from accordeur.metrics.units.holistic_agreement import compare_greedy, holistic
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions, UnitComparison
from accordeur.tasks.units.gamma_differences import gamma_against
from accordeur.tasks.units.units_of_exports import read_units
from tests.flows.command_line import warnings_in
from tests.flows.in_process import said

FAST = ("--precision", "0.05", "--replicates", "200")


def units(
    path: Path, *, shift: int, omission: float, documents: range = range(8), name: str = "d"
) -> Path:
    """Three people who each see the same ten units a document, moved and left out."""
    rng = np.random.default_rng(0)
    rows = ["document,annotator,start,end,category"]
    for d in documents:
        for u in range(10):
            for who in ("anna", "ben", "chloe"):
                if rng.random() < omission:
                    continue
                start = 30 * u + int(rng.integers(0, shift + 1))
                rows.append(f"{name}{d},{who},{start},{start + 10 + u},{'xyz'[(u + d) % 3]}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def printed(*arguments: str | Path) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["gamma", *map(str, arguments), *FAST, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def told(*arguments: str | Path) -> str:
    done = CliRunner().invoke(app, ["gamma", *map(str, arguments), *FAST], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.output


def test_the_measure_of_2011_with_its_greedy_algorithm(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv", shift=40, omission=0.1)
    exact, greedy = printed(path, "--measure", "holistic")["results"]
    continua = read_units([path]).continua
    settings = GammaSettings(precision=0.05, replicates=200)
    by_hand = holistic(continua, settings=settings)
    beside = compare_greedy(continua, by_hand, settings=settings)
    assert exact["measure"] == "holistic"
    assert exact["value"] == pytest.approx(by_hand.corpus.value)
    assert exact["p_o"] is None  # a disorder is no share of agreement
    assert "|dissimilarity:sporadic|alpha:1|beta:1|delta_empty:4|" in exact["signature"]
    assert greedy["measure"] == "holistic_greedy"
    assert greedy["value"] == pytest.approx(beside.agreement.value)
    detail = greedy["detail"]
    assert detail["difference_from_exact"] == pytest.approx(greedy["value"] - exact["value"])
    assert detail["n_documents_not_ideal"] == (beside.excess > 1e-9).sum() > 0
    assert detail["largest_excess_of_disorder"] == pytest.approx(beside.excess.max())
    said = told(path, "--measure", "holistic")
    difference = f"{detail['difference_from_exact']:+.4f}".replace("-", "−")
    assert f"differs by {difference} from the exact one" in said
    assert "whose alignment is not ideal: " in said
    perfect = units(tmp_path / "perfect.csv", shift=0, omission=0)
    assert "not ideal: 0 (up to 0.0% more disorder)" in told(perfect, "--measure", "holistic")


def test_the_distance_of_units_without_a_category_is_an_option(tmp_path: Path) -> None:
    rows = ["document,annotator,start,end,category"]
    for d in range(3):
        for who in ("anna", "ben"):
            for u in range(6):
                category = "" if who == "ben" and u % 2 else "xy"[u % 2]
                rows.append(f"d{d},{who},{20 * u},{20 * u + 10},{category}")
    path = tmp_path / "units.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    apart, near, same = (
        printed(path, *options)["results"][0]
        for options in ((), ("--unlabelled-distance", "0.5"), ("--unlabelled-distance", "0"))
    )
    # three of six unitary alignments hold a unit without a category, at distance 1 or .5
    assert (apart["observed"], near["observed"], same["observed"]) == pytest.approx((0.5, 0.25, 0))
    assert "|unlabelled:0.5|" in near["signature"]
    in_file = TypeAdapter(Units).validate_python({"unlabelled_distance": 0.5})
    assert in_file.dissimilarity().unlabelled_distance == 0.5
    with pytest.raises(ValidationError):
        TypeAdapter(Units).validate_python({"unlabelled_distance": 2})


def test_other_dissimilarities(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv", shift=8, omission=0.1)
    plain, _ = printed(path)["results"]
    options = ("--position", "sporadic", "--delta-empty", "2", "--beta", "0.5")
    other, category = printed(path, *options)["results"]
    assert other["measure"] == "gamma"
    assert "|dissimilarity:sporadic|alpha:1|beta:0.5|delta_empty:2|" in other["signature"]
    assert "|delta_empty:2|" in category["signature"]
    assert other["value"] != plain["value"]
    [soft] = printed(path, "--measure", "soft_gamma")["results"]
    assert soft["measure"] == "soft_gamma"
    assert soft["observed"] <= plain["observed"]  # a covering costs at most what a partition does
    assert UnitComparison("sporadic").dissimilarity().delta_empty == 4
    assert UnitComparison().dissimilarity(objective="mean").position == "sporadic"
    hamming = printed(path, "--position", "hamming")["results"]
    continua = read_units([path]).continua
    mean = np.concatenate([c.ends - c.starts for c in continua]).mean()
    assert all(f"|mean_length:{mean:g}|" in one["signature"] for one in hamming)


def test_two_versions_of_a_guideline_are_paired_by_document(tmp_path: Path) -> None:
    before = units(tmp_path / "before.csv", shift=20, omission=0.3)
    after = units(tmp_path / "after.csv", shift=3, omission=0, documents=range(1, 10))
    gamma, category = printed(after, "--against", before)["differences"]
    assert gamma["measure"] == "gamma"
    assert gamma["method"] == "bootstrap-paired"
    assert gamma["difference"] == pytest.approx(gamma["first"] - gamma["second"])
    assert 0 < gamma["interval"][0] < gamma["difference"] < gamma["interval"][1]
    assert gamma["p_value"] < 0.06  # all that 200 resamples of seven documents can show
    assert (gamma["n_documents"], gamma["n_left_out"]) == ([7, 7], 3)
    assert gamma["n_items"][0] == 7 * 30 > gamma["n_items"][1]
    assert "|interval:bootstrap-paired/documents-in-chance/0.95|" in gamma["signature"]
    assert category["measure"] == "gamma_cat"
    assert category["first"] == 1
    assert "paired on 7 documents; 210 and" in told(after, "--against", before)
    swapped, _ = printed(before, "--against", after)["differences"]
    assert swapped["difference"] == pytest.approx(-gamma["difference"])


def test_two_campaigns_that_share_nothing(tmp_path: Path) -> None:
    one = units(tmp_path / "one.csv", shift=3, omission=0)
    other = units(tmp_path / "other.csv", shift=20, omission=0.3, name="e")
    with pytest.raises(DataError, match=r"no document in common.*--independent"):
        gamma_against([one], [other])
    said = told(one, "--against", other, "--independent")
    assert "two campaigns of 8 and 8 documents, not paired; 240 and" in said
    first, *_ = printed(one, "--against", other, "--independent")["differences"]
    assert first["method"] == "bootstrap-independent"
    assert first["interval"][0] > 0
    few = units(tmp_path / "few.csv", shift=20, omission=0.3, documents=range(3))
    found = printed(one, "--against", few, "--independent")
    assert warnings_in(found)[-1] == (
        "the first value uses the chance model random2, the second shuffle, statistical: set "
        "`--process` to use the same one for both"
    )


def test_a_document_with_one_person_on_one_side_is_left_out(tmp_path: Path) -> None:
    one = units(tmp_path / "one.csv", shift=3, omission=0)
    other = tmp_path / "other.csv"
    rows = units(other, shift=8, omission=0.1).read_text(encoding="utf-8").splitlines()
    alone = [row for row in rows if not row.startswith(("d2,ben", "d2,chloe"))]
    other.write_text("\n".join(alone) + "\n", encoding="utf-8")
    found = printed(one, "--against", other)
    assert {row["n_left_out"] for row in found["differences"]} == {1}
    assert any("1 document with only one annotator" in remark for remark in warnings_in(found))


def test_what_cannot_be_compared_is_told(tmp_path: Path) -> None:
    one = units(tmp_path / "one.csv", shift=3, omission=0)
    with pytest.raises(MetricsError, match="--replicates 1 or more"):
        gamma_against([one], [one], options=GammaOptions(replicates=0))
    lone = units(tmp_path / "lone.csv", shift=3, omission=0, documents=range(1))
    rows = printed(one, "--against", lone)["differences"]
    assert [row["interval"] for row in rows] == [[None, None]] * 2
    assert {row["reason_code"] for row in rows} == {"few_to_draw"}
    with pytest.raises(MetricsError, match="nothing is compared"):
        gamma_against([one], [one], options=GammaOptions(alpha=0, beta=0))
    with pytest.raises(MetricsError, match="must be above 0"):
        UnitComparison(delta_empty=0).dissimilarity()
    assert isinstance(UnitComparison().dissimilarity(), Dissimilarity)


def test_categories_on_a_scale(tmp_path: Path) -> None:
    """Grades: a neighbour is a smaller disagreement than the other end."""
    path, rng = tmp_path / "units.csv", np.random.default_rng(1)
    rows = ["document,annotator,start,end,category"]
    for d in range(6):
        for u in range(8):
            grade = int(rng.integers(1, 5))
            for who, moved in (("anna", 0), ("ben", int(rng.integers(0, 2)))):
                rows.append(f"d{d},{who},{30 * u},{30 * u + 9},{grade + moved}")
    path.write_text("\n".join([*rows, "d0,anna,250,260,9"]) + "\n", encoding="utf-8")
    scale = ("--categories", "1,2,3,4,5")
    plain, _ = printed(path, *scale)["results"]
    found = printed(path, "--distance", "ordinal", *scale)
    assert [row["rule"] for row in found["rejected"]] == ["category_in_tagset"]
    continua = read_units([path], Reading(categories=tuple("12345"))).continua
    metric = Dissimilarity(category_distances=ordinal_distances(5))
    by_hand = gamma(continua, metric, precision=0.05, replicates=200).corpus
    assert found["results"][0]["value"] == pytest.approx(by_hand.value)
    assert "|categories:matrix " in found["results"][0]["signature"]
    assert found["results"][0]["value"] > plain["value"]
    as_found, _ = printed(path, "--distance", "interval")["results"]
    assert as_found["n_items"] == plain["n_items"] + 1  # 9 is a number, too
    assert scale_distances("interval", ("1", "2", "5"))[0].tolist() == [0, 0.25, 1]


def test_two_sides_have_one_scale(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    for path, grades in ((one, "1234"), (other, "1235")):
        rows = ["document,annotator,start,end,category"]
        for d in range(5):
            for u, grade in enumerate(grades * 2):
                near = "2" if grade == "1" and (u + d) % 3 == 0 else grade
                rows += [f"d{d},a,{20 * u},{20 * u + 9},{grade}"]
                rows += [f"d{d},b,{20 * u},{20 * u + 9},{near}"]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    alone, _ = printed(one, "--distance", "interval")["results"]
    both, _ = printed(one, "--distance", "interval", "--against", other)["differences"]
    declared, _ = printed(
        one, "--distance", "interval", "--against", other, "--categories", "1,2,3,4,5"
    )["differences"]
    assert both["first"] == declared["first"]  # from 1 to 5, as the other side has a 5
    assert both["first"] != alone["value"]


def test_a_scale_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv", shift=2, omission=0)
    for distance, message in (
        ("ordinal", "needs the order of the categories, .*--categories"),
        ("interval", "not all numbers: use ordinal"),
    ):
        done = CliRunner().invoke(app, ["gamma", str(path), "--distance", distance])
        assert re.search(message, str(done.exception))


def test_gamma_cat_of_the_peer_stands_beside_ours(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv", shift=12, omission=0.2)
    found = {row["measure"]: row for row in printed(path, "--empty-pairs")["results"]}
    peer = found["gamma_cat_empty_pairs"]
    assert found["gamma_cat"]["value"] == 1  # one category a place: units that are alone count
    assert peer["value"] < 1
    assert peer["interval"][0] < peer["value"] < peer["interval"][1]
    continua = read_units([path]).continua
    alignments = [best_alignment(c, Dissimilarity()) for c in continua]
    by_hand = gamma_cat_empty_pairs(continua, alignments, [], Dissimilarity())
    assert peer["observed"] == pytest.approx(by_hand.observed)
    n_samples = re.search(r"\|samples:(\d+)\|", found["gamma"]["signature"])
    assert n_samples is not None
    assert f"|samples:{n_samples[1]}|" in peer["signature"]
    assert "|chosen:random2|" in peer["signature"]
    assert peer["p_o"] is None
    for wrong in (("--measure", "holistic"), ("--against", str(path))):
        done = CliRunner().invoke(app, ["gamma", str(path), "--empty-pairs", *wrong])
        assert "--empty-pairs" in str(done.exception)


@pytest.mark.shared
def test_gamma_cat_of_the_peer_is_what_its_tests_say(shared_data: Path) -> None:
    folder = shared_data / "pygamma_tests"
    published = json.loads((folder / "expected_values.json").read_text(encoding="utf-8"))
    low, high = next(
        one["gamma_cat"] for name, one in published.items() if name.startswith("3by100")
    )
    options = ("--from", "pygamma_csv", "--alpha", "3", "--process", "statistical")
    rows = printed(folder / "3by100.csv", *options, "--empty-pairs")["results"]
    assert low <= rows[-1]["value"] <= high


def test_rows_set_aside_say_of_which_side_they_are(tmp_path: Path) -> None:
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        path = units(tmp_path / side / "units.csv", shift=3, omission=0)
        path.write_text(path.read_text(encoding="utf-8") + "d0,anna,7,7,x\n", encoding="utf-8")
    sides = (tmp_path / "new" / "units.csv", "--against", tmp_path / "old" / "units.csv")
    found = printed(*sides)["rejected"]
    assert [row["source"] for row in found] == ["first: units.csv", "second: units.csv"]
    assert "first: units.csv line 242" in told(*sides)


def test_the_table_says_the_chance_model_and_the_cost_of_the_empty_unit(tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    rows = ("d,a,0,9,x", "d,a,20,29,y", "d,b,1,9,x", "d,b,22,30,y")
    path.write_text("document,annotator,start,end,category\n" + "\n".join(rows) + "\n")
    _, printed = said("gamma", path, "--precision", "0.2", "--delta-empty", "2")
    assert ", with a lower expected disorder than " in printed
    _, printed = said("gamma", path, "--precision", "0.2", "--process", "statistical")
    assert "chance model: statistical; Δ∅ 1" in printed
