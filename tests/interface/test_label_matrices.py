"""What the rows of a matrix are, and whether its cells are labels or counts of annotators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError

# the worked example of Fleiss' κ in Wikipedia: ten subjects, fourteen raters, κ = 0.210
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
KAPPA = 0.2099307  # as R's irr and statsmodels compute it
LABELS = np.random.default_rng(1).integers(1, 4, (12, 3))
QUIET: dict[str, Any] = {"replicates": 0}


def alpha(**options: Any) -> acc.Value:
    return acc.krippendorff_alpha(LABELS, rows="items", **options)


def long_table() -> pd.DataFrame:
    rows = [
        (f"item {i}", f"annotator {a}", int(label))
        for i, row in enumerate(LABELS)
        for a, label in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


def test_counts_are_taken_as_such_if_said_or_named() -> None:
    """The example has the published κ, and a cross table of labels the κ of the labels."""
    found = acc.fleiss_kappa(FLEISS, rows="counts", **QUIET)
    assert found.value == pytest.approx(KAPPA, abs=1e-6)
    assert (found.n_items, found.n_annotators) == (10, 14)
    frame = long_table()
    crossed = pd.crosstab(frame["item"], frame["label"])
    labels = acc.agreement(frame, measures=["fleiss_kappa"], **QUIET)[0]
    assert acc.fleiss_kappa(crossed, **QUIET).value == pytest.approx(labels.value, abs=1e-12)
    assert acc.coefficient("gwet_ac1", crossed, **QUIET).value == pytest.approx(
        acc.agreement(frame, measures=["gwet_ac1"], **QUIET)[0].value, abs=1e-12
    )
    with pytest.raises(MetricsError, match="depends on who gave a label"):
        acc.coefficient("conger_kappa", crossed)
    with pytest.raises(MetricsError, match="no number of annotators"):
        acc.fleiss_kappa([[1.5, 2]], rows="counts")


def test_counts_without_a_word_are_refused() -> None:
    with pytest.raises(MetricsError, match=r'rows="counts"'):
        acc.fleiss_kappa(pd.DataFrame(FLEISS, columns=[*"abcde"]))


@pytest.mark.parametrize(
    "matrix",
    [
        pd.DataFrame(LABELS, columns=["ann", "bob", "eve"]),
        pd.DataFrame(LABELS.T).rename_axis("annotator"),
        pd.DataFrame(LABELS).rename_axis("annotator", axis="columns"),
        pd.DataFrame(LABELS.T).rename_axis("item", axis="columns"),
        long_table().pivot(index="item", columns="annotator", values="label"),
    ],
    ids=["columns", "rows named", "columns named", "items named", "pivot"],
)
def test_named_axes_decide(matrix: Any) -> None:
    right = acc.krippendorff_alpha(LABELS, rows="items", **QUIET)
    found = acc.krippendorff_alpha(matrix, **QUIET)
    assert (found.value, found.warnings) == (right.value, right.warnings)


@pytest.mark.parametrize(
    "call",
    [acc.krippendorff_alpha, acc.agreement, acc.icc, acc.kendall_w, acc.consensus, acc.annotators],
)
@pytest.mark.parametrize("matrix", [LABELS, LABELS.T, LABELS.tolist(), pd.DataFrame(LABELS)])
def test_a_table_that_does_not_say_what_its_rows_are_is_refused(call: Any, matrix: Any) -> None:
    with pytest.raises(MetricsError, match=r"are items or annotators: (give rows=|give agree)"):
        call(matrix)


@pytest.mark.parametrize("frame", [pd.DataFrame, np.array, np.ndarray.tolist])
def test_rows_are_as_stated(frame: Callable[[Any], Any]) -> None:
    by_item = acc.agreement(long_table(), measures="krippendorff_alpha", **QUIET)[0]
    assert acc.krippendorff_alpha(frame(LABELS), rows="items", **QUIET) == by_item
    assert acc.krippendorff_alpha(frame(LABELS.T), rows="annotators", **QUIET) == by_item
    ranked = acc.kendall_w(frame(LABELS), rows="items", permutations=9)
    assert acc.kendall_w(frame(LABELS.T), rows="annotators", permutations=9) == ranked


def test_arrays_are_turned_for_agreement_and_icc_as_for_coefficients() -> None:
    alpha = acc.krippendorff_alpha(LABELS, rows="items", **QUIET)
    for given, rows in ((LABELS, "items"), (LABELS.T, "annotators")):
        found = acc.agreement(given, rows=rows, **QUIET)  # type: ignore[call-overload]
        assert found["krippendorff_alpha"].value == pytest.approx(alpha.value, abs=1e-15)
    assert acc.icc(LABELS, rows="items") == acc.icc(LABELS.T, rows="annotators")
    counted = acc.agreement(FLEISS, rows="counts", **QUIET)["fleiss_kappa"].value
    assert counted == pytest.approx(acc.fleiss_kappa(FLEISS, rows="counts", **QUIET).value)
    with pytest.raises(MetricsError, match="rows of different lengths"):
        acc.icc([[1, 2], [3]], rows="items")


def readings(frame: Any) -> set[str]:
    """What functions read in a frame: items × annotators, or `refused`, if all agree on labels."""
    calls: list[Callable[[], tuple[int, int]]] = [
        lambda: shape(acc.krippendorff_alpha(frame, **QUIET)),
        lambda: shape(acc.percent_agreement(frame, **QUIET)),
        lambda: shape(acc.agreement(frame, measures="krippendorff_alpha", **QUIET)[0]),
        lambda: shape(acc.icc(frame)[0]),
        lambda: (len(acc.consensus(frame).to_frame()), len(acc.annotators(frame).to_frame())),
        lambda: ranked(acc.kendall_w(frame, permutations=9)),
    ]
    return {read(one) for one in calls}


def shape(value: Any) -> tuple[int, int]:
    return value.n_items, value.n_annotators


def ranked(found: Any) -> tuple[int, int]:
    return found.n_candidates, found.n_annotators


def read(call: Callable[[], tuple[int, int]]) -> str:
    try:
        return "{} × {}".format(*call())
    except ValueError:
        return "refused"


@pytest.mark.long
@pytest.mark.parametrize("ids", ["s{}", None])
@pytest.mark.parametrize("rows", [None, "sentence", "xyz"])
@pytest.mark.parametrize("columns", [None, "rater", "xyz"])
def test_every_function_reads_a_frame_alike(
    ids: str | None, rows: str | None, columns: str | None
) -> None:
    """Also the item column of `pivot(…).reset_index()`, and turned frames with named axes."""
    codes = np.random.default_rng(5).integers(1, 6, (12, 3))
    names = [ids.format(k) if ids else k + 1 for k in range(12)]
    wide = pd.DataFrame(
        codes, pd.Index(names, name=rows), pd.Index(["ann", "bob", "eve"], name=columns)
    )
    assert readings(wide) == {"12 × 3"}
    assert readings(wide.reset_index()) == {"12 × 3"}
    found = readings(wide.T)
    if rows == "sentence" or columns == "rater":
        assert found == {"12 × 3"}
        assert readings(wide.T.reset_index()) in ({"12 × 3"}, {"refused"})
    else:
        assert found in ({"3 × 12"}, {"refused"})


def test_counts_are_told_from_labels_alike() -> None:
    crossed = pd.crosstab(long_table()["item"], long_table()["label"])
    expected = acc.fleiss_kappa(crossed, **QUIET)
    for same in (crossed.reset_index(), crossed.T):
        assert acc.fleiss_kappa(same, **QUIET) == expected
        assert acc.agreement(same, measures="fleiss_kappa", **QUIET)[0] == expected
    for frame, message in (
        (crossed, "numbers of annotators, which only"),
        (crossed.iloc[:, :2].rename_axis(columns="xyz"), "called 'xyz', which does not say"),
    ):
        with pytest.raises(MetricsError, match=message):
            acc.icc(frame)


def test_a_function_is_a_distance_between_categories() -> None:
    own = acc.krippendorff_alpha(
        LABELS,
        rows="items",
        distance=lambda one, other: abs(int(one) - int(other)) ** 2 / 4,
        **QUIET,
    )
    assert own.value == pytest.approx(
        acc.krippendorff_alpha(LABELS, rows="items", scale="interval", **QUIET)
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alpha(scale="ordnal"), "did you mean ordinal"),
        (lambda: alpha(scale="masi"), 'give distance="masi"'),
        (lambda: alpha(scale="ratio", distance="masi"), "not both"),
        (lambda: alpha(distance="word_error"), "between objects"),
        (lambda: alpha(distance=3), "distance is a int"),
        (lambda: acc.krippendorff_alpha(LABELS, rows="item"), "rows is 'item': did you mean items"),
        (lambda: acc.cohen_kappa([1, 2], [1, 2], rows="items"), "two lists are the labels of two"),
    ],
)
def test_a_mistake_is_one_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(MetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("measure", ["light_kappa", "cohen_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("labels", [[[], []], [[None, 1], [1, None]], [[None], [None]]])
def test_nothing_to_compare_is_undefined_with_a_reason(measure: str, labels: Any) -> None:
    found = acc.coefficient(measure, labels, rows="annotators", **QUIET)
    assert np.isnan(found.value)
    assert str(found.reason) == "no item with two labels"


def test_documents_and_items_in_an_index_are_those_of_the_columns() -> None:
    rows = pd.DataFrame(LABELS, columns=["ann", "bob", "eve"])
    rows = rows.assign(document=rows.index // 4, item=rows.index % 4)
    expected = acc.agreement(rows, measures="gwet_ac1", replicates=50)[0]
    indexed = rows.set_index(["document", "item"])
    assert acc.agreement(indexed, measures="gwet_ac1", replicates=50)[0] == expected
    assert acc.gwet_ac1(indexed, replicates=50) == expected
    unnamed = acc.gwet_ac1(indexed.rename_axis([None, None]), replicates=50)
    assert (unnamed.value, unnamed.n_items) == (expected.value, 12)


def test_the_column_of_the_parts_is_no_annotator() -> None:
    rows = pd.DataFrame(LABELS, columns=["ann", "bob", "eve"]).assign(batch=[1, 2, 3] * 4)
    found = acc.krippendorff_alpha(rows, by="batch", **QUIET)
    assert [one.n_annotators for one in found] == [3, 3, 3]
    assert not found.warnings


@pytest.mark.parametrize("code", [99, "99", 99.0])
def test_a_code_of_missing_labels_is_removed_as_advised(code: Any) -> None:
    wide = pd.DataFrame(LABELS, columns=["ann", "bob", "eve"]).astype(type(code))
    wide.iloc[2, 1] = code
    long = wide.reset_index(names="item").melt("item", var_name="annotator", value_name="label")
    for data in (wide, long):
        [warning] = (one for one in acc.gwet_ac1(data, **QUIET).warnings if "99" in one)
        advised = eval(warning.split("`")[1], {"data": data})
        found = acc.gwet_ac1(advised, **QUIET)
        assert not any("99" in one for one in found.warnings)
        assert found.n_items == 12


def test_columns_of_ordered_categoricals_have_their_order() -> None:
    order = ["low", "middle", "high"]
    lists = [pd.Categorical.from_codes(LABELS[:, k] - 1, order, ordered=True) for k in (0, 1)]
    found = acc.krippendorff_alpha(
        pd.DataFrame({"x": lists[0], "y": lists[1]}), scale="ordinal", **QUIET
    )
    assert found == acc.krippendorff_alpha(*lists, scale="ordinal", **QUIET)


SHROUT = pd.DataFrame(  # Shrout & Fleiss (1979), table 2: six targets, four judges
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    columns=["J1", "J2", "J3", "J4"],
)


@pytest.mark.parametrize("index", ["subject", "participant_id", "Person", "user"])
def test_an_index_that_may_be_of_either_does_not_turn_a_table(index: str) -> None:
    wide = SHROUT.rename_axis(index)
    for call in (acc.icc, acc.krippendorff_alpha, acc.agreement):
        with pytest.raises(MetricsError, match=r"who was judged or who judged: give frame\.rename"):
            call(wide)  # type: ignore[operator]
    by_columns = wide.set_axis(["rater1", "rater2", "rater3", "rater4"], axis="columns")
    for found in (
        acc.icc(by_columns),
        acc.icc(wide, item=index),
        acc.icc(wide, rows="items"),
        acc.icc(wide.rename_axis("item")),
    ):
        assert found["icc_2_1"].value == pytest.approx(0.29, abs=0.005)  # the published value
    with pytest.raises(MetricsError, match="the index is called 'rater'"):
        acc.icc(by_columns.rename_axis("rater"))
