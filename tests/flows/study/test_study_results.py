"""What each kind of study finds: curves, plateaus, readings."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from accordeur.flows.study.study_plan import plan_lines
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.reports.render import render_study
from accordeur.reports.study.study_results import (
    CurvePoint,
    StudyCurve,
    StudyPart,
    StudyResults,
)
from accordeur.tasks.study.curves import synthetic_part
from accordeur.tasks.study.questions import questions_of_study
from tests.flows.small import labels_csv
from tests.flows.studies import (
    GRID,
    MODELS,
    SUBSETS,
    SYNTHETIC,
    curve,
    run_here,
    study_file,
)


def _plateaus(points: list[Any]) -> list[float]:
    """Step from 2j - 1 to 2j annotators over the mean of the steps around it, j = 2..5."""
    step = [a.y - b.y for a, b in pairwise(points)]
    return [step[2 * j] / ((step[2 * j - 1] + step[2 * j + 1]) / 2) for j in range(1, 5)]


def test_plateaus_by_pairs_under_nearest_mean_and_none_under_random(tmp_path: Path) -> None:
    """Brégeon 2018, 3.2.3: 25 annotators, 5 ordered classes."""
    codes = labels_csv(tmp_path, n=25, n_items=300)
    text = SUBSETS + "[subsets]\nenumerate_up_to = 3000\nsamples = 400\n"
    results, _ = run_here(study_file(tmp_path, text))
    assert [part.settings["ties"] for part in results.parts] == ["nearest_mean", "random"]
    near, lot = curve(results, 0, "exact"), curve(results, 1, "exact")
    assert max(_plateaus(near)) < 0.5
    assert min(_plateaus(lot)) > 0.7
    # and the study's exact curve is that of the metric, its subsets' mean where all are listed
    matrix = LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=tuple("01234"),
        annotators=tuple(f"a{a:02d}" for a in range(25)),
    )
    exact = modification_rate(matrix, ties="random", n_replicates=0)
    assert [p.y for p in lot] == pytest.approx(exact.rate.tolist(), abs=1e-12)
    subsets = curve(results, 1, "subsets")
    assert [p.n for p in subsets[:4]] == [25, 300, 2300, 400]
    assert [p.y for p in subsets[:3]] == pytest.approx([p.y for p in lot[:3]], abs=1e-9)
    worst = results.parts[1].worst
    assert all(len(one.annotators) == one.k for one in worst)
    assert all(one.rate >= point.high - 1e-4 for one, point in zip(worst, subsets, strict=True))


def test_bluebirds_rate_falls_with_the_coefficient_of_the_very_subset(
    tmp_path: Path, shared_data: Path
) -> None:
    """39 annotators: sampled. Binary labels: M(2j - 1) = M(2j) under random, exactly."""
    table = shared_data / "bluebirds" / "bluebirds_long.csv"
    text = SUBSETS.replace('"labels.csv"', f'"{table}"').replace('"nearest_mean", ', "")
    text += "[subsets]\nks = [3, 4, 5, 6, 11]\nenumerate_up_to = 10_000\nsamples = 2000\n"
    results, _ = run_here(study_file(tmp_path, text))
    exact = curve(results, 0, "exact")
    assert exact[0].y == pytest.approx(exact[1].y, abs=1e-9)
    assert exact[2].y == pytest.approx(exact[3].y, abs=1e-9)
    bins = [p for p in curve(results, 0, "by_coefficient", k=5) if p.n >= 50]
    assert len(bins) >= 5
    assert bins[-1].y < bins[0].y / 1.5


def test_rate_by_coefficient_with_sd_and_trials(synthetic: tuple[Path, StudyResults]) -> None:
    _, results = synthetic
    for k in (2, 3, 4):
        for measure in ("krippendorff_alpha", "conger_kappa"):
            bins = curve(results, 0, "by_coefficient", k=k, x_name=measure)
            assert sum(p.n for p in bins) == 70
            assert all(math.isnan(p.sd) == (p.n == 1) for p in bins)
            assert all((p.x / 0.05 - 0.5) == pytest.approx(round(p.x / 0.05 - 0.5)) for p in bins)
            assert bins[-1].y < 0.05 < bins[0].y
    own = curve(results, 0, "own")
    inside = curve(results, 0, "by_coefficient", k=3, x_name="krippendorff_alpha")
    [of_bin] = [p for p in inside if p.x == pytest.approx(0.625)]
    assert (own[1].n, own[1].y) == (of_bin.n, pytest.approx(of_bin.y))


def test_the_trials_are_kept_as_one_table(synthetic: tuple[Path, StudyResults]) -> None:
    path, results = synthetic
    trials = pq.read_table(path.parent / "runs" / "out" / "trials.parquet")
    assert trials.num_rows == 140
    assert len(set(trials["cell"].to_pylist())) == 2
    points = pq.read_table(path.parent / "runs" / "out" / "points.parquet")
    assert points.num_rows == sum(len(c.points) for p in results.parts for c in p.curves)


def test_rules_for_ties_are_compared_on_the_same_labels(tmp_path: Path) -> None:
    """Of the user's own labels too, whose tied items `abstain` would leave out."""
    labels_csv(tmp_path, n=4, n_items=40)
    text = SYNTHETIC.replace("[items]\nn_items = 60", '[data]\nlabels = "labels.csv"\n')
    text = text.replace("n_categories = [3]\n", "").replace("nearest_mean", "abstain")
    results, _ = run_here(study_file(tmp_path, text))
    table = pq.read_table(tmp_path / "runs/out/trials.parquet").to_pandas()
    (_, random), (_, abstain) = table.groupby("cell", sort=False)
    for name in ("p2", "krippendorff_alpha", "conger_kappa"):
        assert random[name].tolist() == abstain[name].tolist()
    assert random["modification_rate_3"].tolist() != abstain["modification_rate_3"].tolist()
    own = [curve(results, part, "own", x_name="krippendorff_alpha")[1] for part in (0, 1)]
    [question] = [one for one in results.questions if one.x_name == "krippendorff_alpha"]
    [ties] = question.contrasts
    assert ties.difference == pytest.approx(own[1].y - own[0].y)
    apart = math.hypot(*(point.mean_high - point.y for point in own))
    assert (ties.high - ties.low) / 2 < apart


def test_reference_models_stop_moving(tmp_path: Path) -> None:
    labels_csv(tmp_path)
    results, _ = run_here(study_file(tmp_path, MODELS))
    assert [part.label for part in results.parts] == ["majority", "dawid skene"]
    for part in range(2):
        change = curve(results, part, "model")
        assert [p.x for p in change] == list(range(1, 9))
        assert change[0].y > change[-1].y
        assert all(0 <= p.y <= 1 for p in curve(results, part, "coverage"))


@pytest.mark.long
def test_a_reading_grid_is_read_both_ways(tmp_path: Path) -> None:
    results, _ = run_here(study_file(tmp_path, GRID))
    assert [part.label for part in results.parts][:3] == [
        "gamma, omission",
        "gamma, category",
        "gamma, false positives",
    ]
    omission = curve(results, 0, "grid")
    assert [p.x for p in omission] == [0, 0.4, 0.8]
    assert omission[0].y == pytest.approx(1)
    assert omission[0].y > omission[1].y > omission[2].y
    assert all(p.low <= p.y <= p.high for p in omission)
    assert all(p.mean_low <= p.y <= p.mean_high for p in omission[1:])
    [reading] = results.parts[0].readings
    assert 0 < reading.low <= reading.magnitude <= reading.high < 0.8
    # added units overlap others of the same annotator: uα has no value there, and it is counted
    overlapped = results.parts[5]
    assert overlapped.n_undefined > 0
    assert overlapped.n_undefined == sum(6 - p.n for p in overlapped.curves[0].points)


def test_units_of_ones_own_make_the_grid(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    starts = np.arange(12) * 40
    rows = [
        f"{who},{'XY'[i % 2]},{start + rng.integers(0, 4)},{start + 20 + rng.integers(0, 4)}"
        for who in "ab"
        for i, start in enumerate(starts)
    ]
    (tmp_path / "units.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = GRID.split("[units]")[0] + '[data]\nunits = ["units.csv"]\nformat = "pygamma_csv"\n'
    text += '[grid]\ndegradation = ["omission"]\nmagnitude = [0, 0.5]\n'
    results, _ = run_here(study_file(tmp_path, text))
    assert 0.8 < results.observed["gamma"] < 1
    [reading] = results.parts[0].readings
    assert 0 <= reading.magnitude < 0.3


def test_privacy_leaves_no_name_in_anything_that_is_written(tmp_path: Path) -> None:
    """Annotators' names, item names and their source: page, JSON, Parquet and what is kept."""
    labels_csv(tmp_path)
    names = [f"a{a:02d}" for a in range(9)]
    # no short names, which the hash of a script may hold
    people = ["Adelaide", "Blaise", "Charlotte", "Émilie", "Florence"]
    people += ["Gratienne", "Hedwig", "Idalia", "Joanna"]
    text = (tmp_path / "labels.csv").read_text(encoding="utf-8")
    for name, person in zip(names, people, strict=True):
        text = text.replace(f",{name},", f",{person},")
    text = text.replace("\n1", "\nsecret item 1")
    (tmp_path / "labels.csv").write_text(text, encoding="utf-8")
    private = SUBSETS.replace('kind = "', 'privacy = true\nkind = "')
    results, _ = run_here(study_file(tmp_path, private))
    [first, *_] = results.parts
    assert {name for one in first.worst for name in one.annotators} <= {
        f"annotator {n}" for n in range(1, 10)
    }
    written = [file for file in (tmp_path / "runs").rglob("*") if file.is_file()]
    assert {file.suffix for file in written} >= {".html", ".json", ".parquet"}
    for file in written:
        held = file.read_bytes()
        if file.suffix == ".parquet":  # compressed: its texts are looked at as texts
            table = pq.read_table(file)
            held = str([table.schema, *(column.to_pylist() for column in table.columns)]).encode()
        for hidden in (*people, "secret item"):
            at = held.find(hidden.encode())
            assert at < 0, (file.name, hidden, held[max(0, at - 80) : at + 80])
    open_names, _ = run_here(study_file(tmp_path, SUBSETS), folder="named")
    assert {name for one in open_names.parts[0].worst for name in one.annotators} <= set(people)
    assert [c.points for c in open_names.parts[0].curves] == [c.points for c in first.curves]


@pytest.mark.parametrize(
    ("name", "distance"), [("gwet_ac1", "nominal"), ("weighted_kappa", "linear")]
)
def test_a_study_measures_any_coefficient_with_any_distance(
    tmp_path: Path, name: str, distance: str
) -> None:
    codes = labels_csv(tmp_path, n=5)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=tuple("01234"), annotators=tuple("abcde")
    )
    head = f'distance = "{distance}"\n[data]'
    subsets = SUBSETS.replace("[data]", head) + f'[subsets]\nks = [4]\ncoefficient = "{name}"\n'
    results, _ = run_here(study_file(tmp_path, subsets), folder="subsets")
    each = [
        compute_coefficient(
            name, matrix.select_annotators([b for b in range(5) if b != a]), distance=distance
        ).value
        for a in range(5)
    ]
    points = curve(results, 0, "by_coefficient", x_name=name)
    inside = [sum(abs(one - p.x) <= 0.025 for one in each) for p in points]
    assert [p.n for p in points] == inside
    assert name in results.parts[0].signature

    synthetic = (
        f'[study]\nname = "s"\nkind = "synthetic"\ntrials = 40\ncoefficients = ["{name}"]\n'
        f'{head}\nlabels = "labels.csv"\nordered = true\n[grid]\nn_annotators = [5]\n'
    )
    results, plan = run_here(study_file(tmp_path, synthetic), folder="synthetic")
    own = compute_coefficient(name, matrix, distance=distance).value
    assert results.observed == {name: pytest.approx(own)}
    cell = plan.study.cells[0]
    whole, part = cell.rows("s", 0, 6)[name], cell.rows("s", 4, 2)[name]
    assert whole[4:].tolist() == part.tolist()


def test_a_slow_coefficient_is_evaluated_on_a_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels_csv(tmp_path)
    monkeypatch.setattr("accordeur.tasks.study.campaign_cells.MOST_SLOW", 100)
    text = SUBSETS + "[subsets]\nks = [2, 4]\nsamples = 50\n"
    for name, counts in (("krippendorff_alpha", [36, 126]), ("aickin_alpha", [36, 50])):
        path = study_file(tmp_path, f'{text}coefficient = "{name}"\n')
        results, plan = run_here(path, folder=name)
        assert [p.n for p in curve(results, 0, "subsets")] == counts
        assert f"subsets: {2 * sum(counts)}, " in " ".join(plan_lines(plan))


def test_two_categories_that_everyone_confuses_are_said_to_agree_again(tmp_path: Path) -> None:
    text = GRID.replace('"omission", "category", "false_positives"', '"shift", "category"')
    text = text.replace("[0, 0.4, 0.8]", "[0, 0.5, 1, 1.5]\nn_perfect = [0]")
    results, plan = run_here(study_file(tmp_path, text))
    assert len(plan.specs) == 2 * (4 + 3)
    [shift, category] = [part.curves[0] for part in results.parts if part.curves[0].y == "gamma"]
    assert math.isnan(shift.rises_from)
    assert [p.x for p in shift.points] == [0, 0.5, 1, 1.5]
    assert category.rises_from == 0.5
    html = render_study(results)
    assert "rises again beyond 0.50: annotators who are wrong almost everywhere" in html


def test_a_study_of_the_annotators_of_a_crowd_says_what_has_no_label(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{i},a{a:02d},{rng.integers(0, 2)}"
        for i in range(60)
        for a in rng.permutation(20)[:3].tolist()
    ]
    (tmp_path / "labels.csv").write_text("item,annotator,label\n" + "\n".join(rows) + "\n")
    text = SUBSETS.replace('["nearest_mean", "random"]', '["random"]')
    path = study_file(tmp_path, text + "[subsets]\nks = [3, 18]\nenumerate_up_to = 2000\n")
    results, _ = run_here(path)
    [three, eighteen] = curve(results, 0, "coverage")
    assert three.y == pytest.approx(1 - (17 * 16 * 15) / (20 * 19 * 18))  # C(17, 3) / C(20, 3)
    assert eighteen.y == 1.0
    html = render_study(results)
    assert "k counts annotators, who each labelled a part of the items: 59.6% of the items" in html


def test_bands_over_k_hold_for_all_k_together() -> None:
    """Planted: 12 trials whose rates at six k are correlated, as rates of one campaign are."""
    rng, n_trials, together, alone = np.random.default_rng(0), 12, 0, 0
    for _ in range(1000):
        shared = rng.normal(0, 0.05, (n_trials, 1))
        rates = 0.3 + 0.5 * shared + rng.normal(0, 0.05, (n_trials, 6))
        rows: dict[str, Any] = {f"modification_rate_{k}": rates[:, k - 2] for k in range(2, 8)}
        rows["gwet_ac1"] = np.full(n_trials, 0.61)
        part = synthetic_part(rows, ("gwet_ac1",), {"gwet_ac1": 0.61})
        points = part["curves"][0].points
        together += all(p.all_low <= 0.3 <= p.all_high for p in points)
        alone += all(p.mean_low <= 0.3 <= p.mean_high for p in points)
    assert together / 1000 >= 0.94
    assert alone / 1000 < 0.9


def test_two_categories_keep_their_plateaus_and_other_ties_are_shown(tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    codes = np.random.default_rng(3).binomial(1, 0.35, size=(40, 6))
    rows = [f"{i},a{a},{'yes' if x else 'no'}" for (i, a), x in np.ndenumerate(codes)]
    table.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    text = SUBSETS.replace('"nearest_mean", ', "").replace("ordered = true\n", "")
    results, _ = run_here(study_file(tmp_path, text))
    exact = curve(results, 0, "exact")
    assert [p.y for p in exact[::2]][:2] == pytest.approx([p.y for p in exact[1::2]])
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=("no", "yes"), annotators=tuple("abcdef")
    )
    other = modification_rate(matrix, ties="abstain", n_replicates=0).rate[:5]
    [found] = results.parts[0].other_ties
    q = int(np.argmax(np.abs(other - [p.y for p in exact])))
    assert (found.ties, found.k) == ("abstain", q + 1)
    assert (found.rate, found.own_rate) == pytest.approx((other[q], exact[q].y))
    page = render_study(results)
    assert "one annotator fewer" in page
    assert "Another rule for ties changes M(k) by" in page


def test_ties_without_a_label_say_what_is_not_counted(tmp_path: Path) -> None:
    codes = np.random.default_rng(3).binomial(1, 0.35, size=(40, 6))
    rows = [f"{i},a{a},{x}" for (i, a), x in np.ndenumerate(codes)]
    (tmp_path / "labels.csv").write_text("item,annotator,label\n" + "\n".join(rows) + "\n")
    text = SUBSETS.replace('"nearest_mean", "random"', '"random", "abstain"')
    results, _ = run_here(study_file(tmp_path, text))
    is_tied = codes.sum(axis=1) == 3
    assert results.parts[0].redrawn == pytest.approx(is_tied.mean() / 2)
    assert results.parts[1].redrawn == 0
    assert "coverage" not in {one.name for one in results.parts[0].curves}
    kept = [(codes[:, a] == codes[:, b]) & ~is_tied for a, b in combinations(range(6), 2)]
    assert curve(results, 1, "coverage")[1].y == pytest.approx(np.mean(kept))
    page = render_study(results)
    shown = f"{100 * is_tied.mean():.1f}% of the items uncounted"
    assert shown in page
    assert f"ties among all 6 would change {100 * is_tied.mean() / 2:.1f}% of it" in page
    assert page.count("less than 5% of it changes") <= 1  # said of the other rule at most
    assert "no sampling error, interval or p-value" in page
    assert "p (Holm)" not in page


def test_grids_are_compared_where_most_of_them_have_a_value() -> None:
    def part(degradation: str, most: float) -> StudyPart:
        points = [
            CurvePoint(x=x, y=1 - x if x <= most else math.nan, n=5, mean_low=0.9 - x, mean_high=1)
            for x in (0.0, 0.2, 0.4, 0.8)
        ]
        grid = StudyCurve(
            name="grid", x="magnitude", y="u_alpha", x_name=degradation, points=points
        )
        apart = {"degradation": degradation}
        return StudyPart(label="", apart=apart, settings={}, n_trials=5, curves=[grid])

    [found] = questions_of_study([part("omission", 1), part("merge", 0.4), part("split", 0)])
    assert found.x == 0.2
    assert [one.value for one in found.cells] == pytest.approx([0.8, 0.8, math.nan], nan_ok=True)
    assert [(one.first, one.second) for one in found.contrasts] == [("omission", "merge")]


def test_a_synthetic_study_says_how_to_compare_rules_for_ties(
    tmp_path: Path, synthetic: tuple[Path, StudyResults]
) -> None:
    compared = render_study(synthetic[1])
    assert "What the rule for ties changes" not in compared
    one = SYNTHETIC.replace('["random", "nearest_mean"]', '["random"]')
    two = one.replace("n_categories = [3]", "n_categories = [2]")
    for text, has_plateaus in ((one, False), (two, True)):
        page = render_study(run_here(study_file(tmp_path, text))[0])
        assert "What the rule for ties changes" in page
        assert ("one annotator fewer" in page) == has_plateaus


def test_a_study_takes_labels_with_a_column_of_documents(tmp_path: Path) -> None:
    codes = np.random.default_rng(5).integers(0, 2, size=(24, 4))
    rows = [f"d{i // 3},{i % 3},a{a},{'xy'[x]}" for (i, a), x in np.ndenumerate(codes)]
    (tmp_path / "labels.csv").write_text(
        "document,item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    text = SUBSETS.replace('"nearest_mean", ', "").replace("ordered = true\n", "")
    results, _ = run_here(study_file(tmp_path, text))
    matrix = LabelMatrix(codes=codes.astype(np.int32), tagset=("x", "y"), annotators=tuple("abcd"))
    expected = modification_rate(matrix, n_replicates=0).rate[:3]
    assert [p.y for p in curve(results, 0, "exact")] == pytest.approx(expected)
