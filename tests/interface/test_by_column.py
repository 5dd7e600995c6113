"""`by=` of any column: the labels with each value alone, with the categories of all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.interface.measure_names import UnitMeasure
from accordeur.metrics.options import Interval

KINDS = {"a": "expert", "b": "expert", "c": "crowd", "d": "crowd"}


@pytest.fixture
def rows() -> pd.DataFrame:
    draw = np.random.default_rng(3)
    cells = [(f"i{i}", f"d{i % 6}", "xy"[i % 2], who) for i in range(36) for who in KINDS]
    frame = pd.DataFrame(cells, columns=["item", "document", "topic", "annotator"])
    frame["label"] = np.where(
        frame.topic == "x", draw.choice([*"pq"], 144), draw.choice([*"pqr"], 144)
    )
    frame["kind"] = frame.annotator.map(KINDS)
    return frame


@pytest.mark.parametrize("interval", ["bootstrap", "analytic", "annotators"])
@pytest.mark.parametrize("column", ["topic", "kind", "document"])
def test_each_part_is_the_value_of_its_rows_alone(
    rows: pd.DataFrame, column: str, interval: Interval
) -> None:
    same = {"measures": "gwet_ac1", "categories": [*"pqr"], "interval": interval, "replicates": 99}
    parts = acc.agreement(rows, by=column, **same)
    assert (parts.by, parts.parts) == (column, sorted(rows[column].unique()))
    for name, part in zip(parts.parts, parts, strict=True):
        [alone] = acc.agreement(rows[rows[column] == name], **same)
        assert (part.value, part.interval) == (alone.value, alone.interval)


def test_parts_share_the_categories_of_all_and_questions_do_not(rows: pd.DataFrame) -> None:
    def ac1(data: pd.DataFrame, **more: object) -> acc.Values:
        return acc.agreement(data, measures="gwet_ac1", replicates=0, **more)

    only = rows[rows.topic == "x"]  # has p and q alone
    [with_all], [with_own] = ac1(only, categories=[*"pqr"]), ac1(only)
    assert with_all.value != pytest.approx(with_own.value, abs=1e-3)
    assert ac1(rows, by="topic")["x"].value == with_all.value
    questions = pd.concat([only, rows[rows.topic == "y"].assign(item=only.item.to_numpy())])
    assert ac1(questions.drop(columns="document"), by="topic")["x"].value == with_own.value


def test_the_only_value_of_a_column_is_the_total(rows: pd.DataFrame) -> None:
    [total], [part] = (
        acc.agreement(rows.assign(all="1"), measures="krippendorff_alpha", by=by, replicates=99)
        for by in (None, "all")
    )
    assert (part.value, part.interval) == (total.value, total.interval)


def test_a_wide_frame_keeps_the_column(rows: pd.DataFrame) -> None:
    wide = rows.pivot(index=["item", "topic"], columns="annotator", values="label").reset_index()
    found = acc.agreement(wide, annotator=[*KINDS], by="topic", replicates=0)
    long = acc.agreement(rows.drop(columns="document"), by="topic", replicates=0)
    assert [*map(float, found)] == [*map(float, long)]


def test_columns_are_crossed_in_frames_of_any_shape_and_in_files(
    rows: pd.DataFrame, tmp_path: Path
) -> None:
    both = rows.assign(both=rows.topic + " " + rows.document)
    one = acc.agreement(both, by="both", replicates=0)
    crossed = acc.agreement(rows, by=["topic", "document"], replicates=0)
    assert [*map(float, crossed)] == [*map(float, one)]
    assert crossed["x", "d0"].value == one["x d0"].value
    table = crossed.to_frame()
    assert (table.topic + " " + table.document).tolist() == one.parts
    wide = rows.pivot(index=["item", "topic", "document"], columns="annotator", values="label")
    wide = wide.reset_index()
    by_columns = acc.agreement(wide, annotator=[*KINDS], by=["topic", "document"], replicates=0)
    assert [*map(float, by_columns)] == [*map(float, one)]
    rows.to_csv(tmp_path / "rows.csv", index=False)
    of_file = acc.agreement(tmp_path / "rows.csv", by=["topic", "document"], replicates=0)
    assert of_file == crossed or [*map(float, of_file)] == [*map(float, one)]


def test_a_coefficient_by_its_name_has_the_parts_of_agreement(rows: pd.DataFrame) -> None:
    for by in ("topic", "pair", ["topic", "kind"]):
        found = acc.krippendorff_alpha(rows, by=by, replicates=0)
        expected = acc.agreement(rows, by=by, measures="krippendorff_alpha", replicates=0)
        assert found == expected
    kappa = acc.cohen_kappa(rows, by="pair", replicates=0)
    assert kappa["a", "b"].value == acc.cohen_kappa(rows[rows.kind == "expert"], replicates=0).value
    with pytest.raises(ValueError, match="and by are of the columns of a table"):
        acc.gwet_ac1([*"xy"], [*"xy"], by="topic")


def test_some_annotators_of_many_are_chosen_by_name(rows: pd.DataFrame) -> None:
    some = rows[rows.annotator.isin(["a", "c"])]
    expected = acc.cohen_kappa(some, replicates=0).value
    assert acc.cohen_kappa(rows, annotator=["a", "c"], replicates=0).value == expected
    counts = acc.confusion_matrix(some).counts
    assert (acc.confusion_matrix(rows, annotator=["a", "c"]).counts == counts).all()
    by = acc.agreement(rows, annotator=["a", "c"], by="topic", replicates=0)
    assert by == acc.agreement(some, by="topic", replicates=0)
    with pytest.raises(ValueError, match=r"no annotator and no column 'e': .*there are a, b, c, d"):
        acc.agreement(rows, annotator=["a", "e"])


def test_rows_without_a_value_are_the_part_missing(rows: pd.DataFrame) -> None:
    some = rows.assign(topic=rows.topic.where(rows.topic == "x"))
    found = acc.agreement(some, by="topic", replicates=0)
    assert {*found.parts} == {"x", "(missing)"}
    assert found["(missing)"].value == acc.agreement(rows, by="topic", replicates=0)["y"].value


def test_a_warning_on_several_parts_is_said_once(rows: pd.DataFrame) -> None:
    label = rows.label.replace("r", "p")
    alike = rows.assign(label=label.where(rows.index % 5 > 0, label.str.upper()))
    found = acc.agreement(alike, by="topic", replicates=0)
    said = [one for one in found.warnings if "differ only in case" in one]
    assert [one[:6] for one in said] == ["x, y: ", "x, y: "]  # of P and of Q


def test_an_unknown_column_is_refused_with_those_that_there_are(rows: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"by=\"pairs\": did you mean pair\?.* kind"):
        acc.agreement(rows, by="pairs")
    with pytest.raises(ValueError, match="remove the other"):
        acc.agreement(rows, by="topic", layer="l")


@pytest.mark.parametrize("measure", ["gamma", "pairwise_f", "u_alpha"])
def test_units_of_each_value_are_measured_alone(measure: UnitMeasure) -> None:
    """On the documents that have the value, in a column of any type."""
    units = pd.DataFrame(
        [
            (
                f"d{d}",
                pd.Period(f"2026-0{d % 2 + 1}", "M"),
                who,
                9 * k,
                9 * k + 4 + d % 3 * (who == "b"),
            )
            for d in range(6)
            for who in "ab"
            for k in range(4)
        ],
        columns=["document", "month", "annotator", "start", "end"],
    ).assign(category=["P", "Q"] * 24)
    same = {"measure": measure, "replicates": 20, "max_samples": 40}
    parts = acc.gamma(units, by="month", **same)
    assert (parts.by, parts.parts) == ("month", ["2026-01", "2026-02"])
    for name, part in zip(parts.parts, parts, strict=True):
        alone = acc.gamma(units[units.month.astype(str) == name], **same)
        assert (part.value, part.interval) == (alone.value, alone.interval)
    own = units.rename(columns={"document": "text"})
    assert acc.gamma(own, document="text", by="document", **same).parts == [*own.text.unique()]


def test_labels_of_several_questions_have_a_value_each() -> None:
    rows = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": [*"abab"]})
    rows = rows.assign(mood=[*"xxyy"], irony=[*"pqqp"])
    found = acc.agreement(rows, label=["mood", "irony"], replicates=0)
    assert (found.by, found["mood"].value) == ("question", 1)
    assert found["irony"].value < 0


@pytest.mark.parametrize("by", ["topic", "pair", "annotator", "category"])
def test_every_requested_measure_has_a_value_for_each_part(rows: pd.DataFrame, by: str) -> None:
    wanted = ["gwet_ac1", "krippendorff_alpha"]
    both = acc.agreement(rows, by=by, measures=wanted, replicates=0)
    assert both.measures == wanted * len({*both.parts})
    for measure in wanted:
        alone = acc.agreement(rows, by=by, measures=measure, replicates=0)
        assert [(one.measure, float(one)) for one in both if one.measure == measure] == [
            (one.measure, float(one)) for one in alone
        ]
    assert {*both[both.parts[0]].measures} == {*wanted}


def test_a_single_item_has_no_agreement_and_the_message_names_mistakes() -> None:
    rows = [(item, who, label) for item in range(4) for who, label in zip("ab", "xy", strict=True)]
    labels = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    with pytest.raises(ValueError, match=r"a single item.*`mistakes`"):
        acc.agreement(labels, by="item")
    pairs = acc.agreement(labels, by="pair")
    assert pairs["a", "b"] == pairs["b", "a"]


def test_documents_alone_have_a_chance_of_their_own_and_that_is_said() -> None:
    units = pd.DataFrame(
        [
            (document, who, 20 * k + (k % n) * (who == "b"), 20 * k + 9, "pq"[k % 2])
            for n, document in enumerate(["d1", "d2", "d3"], 1)
            for who in "ab"
            for k in range(8)
        ],
        columns=["document", "annotator", "start", "end", "category"],
    )
    alone = acc.gamma(units, by="document", replicates=0)
    of_all = acc.gamma(units, replicates=0).documents["value"].tolist()
    assert [one.value for one in alone] != pytest.approx(of_all)
    assert any("measured alone here" in one and ".documents" in one for one in alone.warnings)


@pytest.mark.parametrize(
    ("by", "named"),
    [("topic", "x"), ("category", "p"), ("pair", "a – b"), ("annotator", "without a")],
)
def test_the_sentence_to_quote_names_the_part(rows: pd.DataFrame, by: str, named: str) -> None:
    first = acc.gwet_ac1(rows, by=by)[0]
    assert first.sentence.startswith(f"Gwet’s AC1, {named}: 0.")
    assert str(first).startswith(f"{named}: gwet_ac1 0.")
    assert acc.Value.from_dict(first.to_dict()) == first
