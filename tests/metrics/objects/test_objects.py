"""Agreement on objects: values, intervals, what is undefined; by Python and the terminal."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.causes.cause_search import find_causes
from accordeur.metrics.causes.disagreement import Part, PartKind
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.objects.disagreement import object_disagreement
from accordeur.metrics.objects.evaluate import MeasuredObjects
from accordeur.metrics.objects.object_distance import ObjectDistance
from accordeur.metrics.objects.object_pairs import object_pairs
from accordeur.metrics.options import Sampling
from tests.flows.in_process import found, said

SQUARES = ObjectDistance(
    name="squares",
    read=float,
    distances=lambda first, second: (np.array(first) - np.array(second)) ** 2,
    compares_items=True,
    metric=False,
    is_text=False,
    largest=None,
    source="",
)


def numbers(n_items: int, n_annotators: int, *, seed: int = 1, documents: bool = False) -> Any:
    """Ratings with missing ones; rows of item, annotator, label and document."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 3, n_items)
    rows = [
        (i, a, round(truth[i] + rng.normal()), i // 5)
        for i in range(n_items)
        for a in range(n_annotators)
        if rng.random() > 0.2
    ]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label", "document"])
    return frame if documents else frame.drop(columns="document")


def matrix(frame: Any) -> LabelMatrix:
    columns = {f"{name}s": frame[name].tolist() for name in frame.columns}
    return label_matrix(**columns)


def measured(frame: Any, distance: ObjectDistance = SQUARES, **options: Any) -> MeasuredObjects:
    return MeasuredObjects.from_matrix(matrix(frame), distance, Sampling(**options))


def test_alpha_is_krippendorffs_with_the_same_distance() -> None:
    frame = numbers(40, 3)
    [alpha] = measured(frame).values(["krippendorff_alpha"])
    expected = compute_coefficient("krippendorff_alpha", matrix(frame), distance="interval")
    assert alpha.value == pytest.approx(expected.value, abs=1e-12)
    low, high = alpha.interval
    assert low < alpha.value < high < 1


def test_sigma_and_ks_are_the_authors_formulas() -> None:
    from scipy.stats import gaussian_kde, ks_2samp

    found = measured(numbers(40, 3))
    pairs, item = found.pairs, found.pairs.item
    assert pairs.chance is not None
    apart = item[pairs.chance.first] != item[pairs.chance.second]
    observed, expected = pairs.within.distances, pairs.chance.distances[apart]
    density = gaussian_kde(expected)
    below = np.array([density.integrate_box_1d(0, one) for one in observed])
    sigma, ks = found.values(["sigma", "ks"])
    assert sigma.value == pytest.approx((below < 0.05).mean())
    assert ks.value == pytest.approx(ks_2samp(observed, expected, alternative="greater").statistic)
    assert math.isnan(sigma.interval[0])


def test_chance_of_other_documents_pairs_no_objects_of_one_document() -> None:
    frame = numbers(20, 2, documents=True)
    [alpha, random2] = measured(frame).values(["krippendorff_alpha", "alpha_random2"])
    labels, where = frame["label"].to_numpy(float), frame["document"].to_numpy()
    paired = frame.groupby("item")["label"].transform("size").to_numpy() > 1
    labels, where = labels[paired], where[paired]
    apart = where[:, None] != where[None, :]
    expected = ((labels[:, None] - labels[None, :]) ** 2)[apart].mean()
    assert random2.value == pytest.approx(1 - alpha.detail.observed_disagreement / expected)
    assert random2.how.interval is not None
    assert random2.how.interval.over == "documents"


def test_an_item_left_out_gives_the_jackknife_of_the_log() -> None:
    frame = numbers(12, 3)
    frame = frame[frame.groupby("item")["label"].transform("size") > 1]
    names = frame["item"].unique()
    [alpha] = measured(frame).values(["krippendorff_alpha"])
    logs = [
        math.log(1 - one.value)
        for name in names
        for one in measured(frame[frame["item"] != name], replicates=0).values(
            ["krippendorff_alpha"]
        )
    ]
    error = math.sqrt((len(names) - 1) * np.var(logs))
    assert alpha.detail.standard_error == pytest.approx(error * (1 - alpha.value))


def test_too_many_pairs_are_sampled_with_their_monte_carlo_error() -> None:
    labels = matrix(numbers(60, 2))
    every = object_pairs(labels, SQUARES, seed=0)
    some = object_pairs(labels, SQUARES, seed=0, most_pairs=1000)
    assert every.chance is not None
    assert some.chance is not None
    assert some.is_sample
    error = some.chance.distances.std() / math.sqrt(1000)
    assert abs(some.chance.distances.mean() - every.chance.distances.mean()) < 4 * error


def test_each_pair_of_different_objects_is_compared_once() -> None:
    seen: list[tuple[str, str]] = []

    def count(first: str, second: str) -> float:
        seen.append((first, second))
        return float(first != second)

    frame = pd.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "annotator": list("ab") * 3, "label": list("xyxyxx")}
    )
    acc.agreement(frame, distance=count, replicates=0)
    assert seen == [("x", "y")]


def test_a_distance_within_items_has_no_chance() -> None:
    within = ObjectDistance(**{**vars(SQUARES), "compares_items": False})
    values = {one.measure: one for one in measured(numbers(10, 2), within).values()}
    assert values["mean_distance"].value > 0
    for name in ("krippendorff_alpha", "alpha_random2", "sigma", "ks"):
        assert "does not compare objects of different items" in str(values[name].reason)


def test_annotators_who_agree_have_no_interval_with_a_reason() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": list("abab"), "label": [1, 1, 2, 2]})
    [alpha] = measured(frame).values(["krippendorff_alpha"])
    assert alpha.value == 1
    assert "fewer than two items" in alpha.detail.interval_reason


def test_intervals_for_new_annotators_are_wider() -> None:
    found = measured(numbers(40, 4))
    names = ["krippendorff_alpha", "mean_distance"]
    for own, new in zip(
        found.values(names), found.values(names, for_new_annotators=True), strict=True
    ):
        assert new.interval[1] - new.interval[0] > own.interval[1] - own.interval[0]


def test_the_distances_of_annotators_and_the_worst_item() -> None:
    frame = pd.DataFrame(
        {
            "item": [1, 1, 1, 2, 2, 2],
            "annotator": list("abc") * 2,
            "label": [0, 0, 2, 5, 5, 5],
        }
    )
    found = measured(frame)
    of = {one.detail.annotator: one.value for one in found.values(["annotator_distance"])}
    assert of == pytest.approx({"a": 1.0, "b": 1.0, "c": 2.0})
    assert [(one.item, one.mean_distance) for one in found.worst_items(3)] == [(0, 8 / 3)]


def test_a_document_is_measured_by_its_own_objects_against_the_chance_of_all() -> None:
    whole = measured(numbers(30, 3, documents=True))
    assert whole.pairs.chance is not None
    expected = whole.pairs.chance.distances.mean()
    mean = {
        d: measured(numbers(30, 3, documents=True).query(f"document == {d}")).values(
            ["mean_distance"]
        )[0]
        for d in range(6)
    }
    found = whole.worst_documents([*map(str, range(6))], 4)
    assert [name for name, _ in found] == [
        str(d) for d in sorted(mean, key=lambda d: -mean[d].value)[:4]
    ]
    for name, one in found:
        assert one.value == pytest.approx(1 - mean[int(name)].value / expected)
        assert one.n_items == mean[int(name)].n_items
    two = whole.value_of_documents(np.array([0, 1]), with_interval=True)
    assert two.interval[0] < two.value < two.interval[1]
    within = replace(SQUARES, compares_items=False)
    [(_, worst)] = measured(numbers(30, 3, documents=True), within).worst_documents(["d"] * 6, 1)
    assert (worst.measure, worst.value) == (
        "mean_distance",
        max(one.value for one in mean.values()),
    )


def test_causes_are_searched_in_the_disagreement_that_alpha_counts() -> None:
    frame = numbers(60, 4, documents=True)
    frame.loc[frame["annotator"] == 2, "label"] += 5
    whole = measured(frame)
    disagreement = object_disagreement(whole, [(Part(PartKind.batch, "1"), np.arange(12) < 4)])
    assert disagreement is not None
    [alpha] = whole.values(["krippendorff_alpha"])
    assert disagreement.value == pytest.approx(alpha.value)
    [cause, *_] = find_causes(disagreement).causes
    assert (cause.annotator, cause.part) == ("2", None)
    assert object_disagreement(measured(frame, replace(SQUARES, compares_items=False))) is None


def test_the_interval_of_a_distance_ends_at_the_largest_distance() -> None:
    at_most_1 = ObjectDistance(
        **{
            **vars(SQUARES),
            "largest": 1.0,
            "distances": lambda a, b: np.minimum(np.abs(np.array(a) - np.array(b)), 1),
        }
    )
    frame = pd.DataFrame(
        {
            "item": [1, 1, 1, 2, 2, 2, 3, 3, 3],
            "annotator": list("abc" * 3),
            "label": [0, 0.05, 0, 3, 9, 6, 5, 5.3, 5],
        }
    )
    for for_new_annotators in (False, True):
        [mean] = measured(frame, at_most_1).values(
            ["mean_distance"], for_new_annotators=for_new_annotators
        )
        assert mean.interval[1] == 1.0


def test_an_annotator_of_few_items_has_the_interval_of_these_items() -> None:
    """Items that the annotator did not label say nothing about this annotator."""
    frame = numbers(60, 3, seed=2)
    kept = frame[(frame.annotator < 2) | frame.item.isin(frame.item[frame.annotator == 2][:4])]
    few = kept[kept.item.isin(kept.item[kept.annotator == 2])]
    intervals = [measured(some).values(["annotator_distance"])[2].interval for some in (kept, few)]
    assert intervals[0] == pytest.approx(intervals[1])


def edits(first: str, second: str) -> float:
    return float(sum(a != b for a, b in zip(first, second, strict=False)))


def test_python_takes_any_function_and_says_what_it_cannot_do() -> None:
    frame = numbers(10, 3)
    values = acc.agreement(frame, distance=edits)
    assert values.measures[:2] == ["krippendorff_alpha", "alpha_random2"]
    assert "annotator" in values.to_frame().columns
    assert len(acc.agreement(frame, distance=SQUARES, by="annotator").parts) == 3
    with pytest.raises(MetricsError, match="no distance 'word'; did you mean word_error"):
        acc.agreement(frame, distance="word")
    with pytest.raises(MetricsError, match="the measures with the distance edits are"):
        acc.agreement(frame, distance=edits, measures=["cohen_kappa"])
    text = pd.DataFrame({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "2"]})
    with pytest.raises(DataError, match="not an object that the layer's distance can read"):
        acc.agreement(text, distance=SQUARES)


def test_intervals_of_distances_end_at_the_largest_distance() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2, 2, 3, 3], "annotator": list("ab") * 3})
    frame["label"] = ["a b", "a b", "c d", "e f", "g h", "g i"]
    values = acc.agreement(frame, distance="word_error", measures=["mean_distance"])
    assert values["mean_distance"].interval[1] == 1
    wide = acc.agreement(
        pd.concat([frame, frame.assign(annotator=frame["annotator"] + "x", label="z")]),
        distance="word_error",
        measures=["mean_distance"],
        interval="annotators",
    )
    assert wide["mean_distance"].interval[1] == 1


def test_a_label_that_is_no_object_is_a_rejected_row_with_its_reason(tmp_path: Path) -> None:
    rows = ["item,annotator,label", "1,a,0:root 1:obj", "1,b,0:root 1:obj", "2,a,0:root 1:obj"]
    rows += ["2,b,2:root 1:obj", "3,a,2:nsubj 0:root", "3,b,0:root 1:obj"]
    path = tmp_path / "trees.csv"
    path.write_text("\n".join(rows), "utf-8")
    answer = found("agree", path, "--distance", "tree_edit")
    assert answer["rows"]["measured"] == 4
    assert answer["rows"]["rejected"] == {"object_readable": 1}
    [rejected] = answer["rejected"]
    assert rejected["location"] == "line 5"
    assert rejected["message"].startswith(
        "not an object that the layer's distance can read (2:root 1:obj): "
    )
    assert "circle" in rejected["message"]


def test_an_empty_set_of_boxes_is_an_object() -> None:
    frame = pd.DataFrame(
        {
            "item": [1, 1, 2, 2],
            "annotator": list("abab"),
            "label": [["0 0 2 2 cat"], [], ["0 0 2 2 cat"], ["0 0 2 2 cat"]],
        }
    )
    assert acc.agreement(frame, distance="box_iou")["mean_distance"].value == 0.5


def test_the_consensus_of_an_item_is_the_object_closest_to_all() -> None:
    said = [["0", "1", "9"], ["4", "4", "9"], ["2", "x", "5"], ["3", None, None]]
    rows = [(i, who, one) for i, of in enumerate(said) for who, one in zip("abc", of, strict=True)]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    plain = acc.consensus(frame, distance=SQUARES, weighted=False)
    assert plain.data["label"].tolist() == ["1", "4"]
    assert plain.data["distance"].tolist() == [(1 + 64) / 2, 25 / 2]
    assert plain.open["reason"].tolist() == ["tie", "one annotator"]
    assert "not an object" in plain.warnings[0]
    weighted = acc.consensus(frame, distance=SQUARES)
    far = {"a": [41, 12.5, 9], "b": [32.5, 12.5], "c": [72.5, 25, 9]}
    mean = sum(map(sum, far.values())) / 8
    weight = {a: (len(d) + 5) / (sum(d) + 5 * mean) for a, d in far.items()}
    found = weighted.annotators.set_index("annotator")
    assert found["mean_distance"].to_dict() == pytest.approx(
        {a: np.mean(d) for a, d in far.items()}
    )
    total = sum(weight.values()) / 3
    assert found["weight"].to_dict() == pytest.approx({a: w / total for a, w in weight.items()})
    assert weighted.data["label"].tolist() == ["1", "4", "2"]  # a is closer to the others than c
    with pytest.raises(MetricsError, match="gold is for categories"):
        acc.consensus(frame, distance=SQUARES, gold="a")


def test_a_command_takes_a_distance_between_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accordeur.metrics.objects.registry import OBJECT_DISTANCES

    monkeypatch.setitem(OBJECT_DISTANCES, "squares", SQUARES)
    path = tmp_path / "labels.csv"
    numbers(12, 2).to_csv(path, index=False)
    results = found("agree", path, "--distance", "squares")["results"]
    assert [one["measure"] for one in results][-1] == "annotator_distance"
    _, shown = said("agree", path, "--distance", "squares")
    assert "expected distance" in shown
    code, refusal = said("agree", path, "--distance", "squares", "--against", path)
    assert code != 0
    assert "--against" in refusal


def test_trees_of_other_sentences_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "trees.csv"
    path.write_text(
        "document,item,annotator,label\n"
        "d,1,a,0:root 1:obj\nd,1,b,0:root 1:obj 2:punct\ne,2,a,0:root\ne,2,b,0:root\n"
    )
    warnings = found("agree", path, "--distance", "tree_edit")["warnings"]
    codes = {one["code"]: one for one in warnings}
    assert "different numbers of tokens: 1 of 2" in codes["unlike_sentences"]["text"]
    assert "objects are compared: 2" in codes["few_documents_with_objects"]["text"]


def test_texts_of_intervals_with_other_bounds_are_noticed(tmp_path: Path) -> None:
    tier = '"IntervalTier" "{}" 0 9 2 0 {} "the cat" {} 2 "sleeps"'
    tiers = f"{tier.format('a', 1, 1)} {tier.format('b', 1.1, 1.1)}"
    path = tmp_path / "tale.TextGrid"
    path.write_text(f'File type = "ooTextFile"\nObject class = "TextGrid"\n0 9 <exists> 2 {tiers}')
    given = ("agree", path, "--distance", "word_error", "--option", "objects=read")
    codes = {one["code"]: one for one in found(*given)["warnings"]}
    assert "two annotators or more: 0 of 4" in codes["unlike_intervals"]["text"]


def test_rankings_of_other_candidates_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rankings.csv"
    path.write_text("item,annotator,label\nq1,a,x > y > z\nq1,b,x > z\nq2,a,v > w\nq2,b,w > v\n")
    warnings = found("agree", path, "--distance", "kendall_tau")["warnings"]
    texts = {one["code"]: one["text"] for one in warnings}
    assert "1 of 2, such as q1 (not ranked by all: 'y')" in texts["other_candidates"]
    assert "2 sets of candidates (q1: 'x', 'y', 'z'; q2: 'v', 'w')" in texts["candidates_by_item"]
    path.write_text("item,annotator,label\nq1,a,x > y\nq1,b,y > x\nq2,a,y = x\nq2,b,x > y\n")
    assert not {"other_candidates", "candidates_by_item"} & {
        one["code"] for one in found("agree", path, "--distance", "kendall_tau")["warnings"]
    }


def test_texts_taken_for_categories_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    rows = [f"q{i},{name},il est {i} heures {name}" for i in range(12) for name in "ab"]
    path.write_text("\n".join(["item,annotator,label", *rows]))
    texts = {one["code"]: one["text"] for one in found("agree", path)["warnings"]}
    assert "`--distance word_error`" in texts["texts_as_categories"]
    assert "unique_labels" not in texts
