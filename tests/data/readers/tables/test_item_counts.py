"""Wide tables with a column of counts: a row stands for so many items."""

from __future__ import annotations

import csv
import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_rows, read_source
from accordeur.data.readers.tables import delimited, rows_without_checks
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from tests.data.readers.both_ways import read_both_ways
from tests.read_labels import read_labels

COUNT = SourceOptions(extra={"count": "n"})
ONE_BY_ONE = SourceOptions(extra={"count": "n", "repeats": "pass"})
RELAXED = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


def table(folder: Path, text: str, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_is_as_many_items(tmp_path: Path, read) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\na,b,2\na,,1\nb,b,0\n")
    found = read(path, "table", extra={"count": "n"})
    assert [(r.item, r.annotator, r.labels, r.location) for r in found.labels] == [
        ("1#1", "rater_1", ("a",), "line 2"),
        ("1#1", "rater_2", ("b",), "line 2"),
        ("1#2", "rater_1", ("a",), "line 2"),
        ("1#2", "rater_2", ("b",), "line 2"),
        ("2#1", "rater_1", ("a",), "line 3"),
    ]
    assert {a.annotator for a in found.assignments} == {"rater_1", "rater_2"}
    assert not found.rejected


def test_the_name_of_a_row_stays_in_its_items(tmp_path: Path, read) -> None:
    path = table(tmp_path, "item,anna,boris,n\ntooth,a,b,2\ntooth#1,a,b,1\n")
    found = read(path, extra={"count": "n"})
    assert [r.item for r in found.labels[::2]] == ["tooth#1", "tooth#2", "tooth#1#1"]


@pytest.mark.parametrize("count", ["-1", "2.5", "", "many", "1e3", "²", "9" * 40, "10000001"])
@pytest.mark.parametrize("options", [COUNT, ONE_BY_ONE])
def test_what_is_no_count_is_refused_with_its_line(tmp_path: Path, count, options) -> None:
    path = table(tmp_path, f"rater_1,rater_2,n\na,b,1\na,b,{count}\nb,b,1\n")
    records = read_both_ways(path, "table", options)
    (rejected,) = [r for r in records if r.TABLE == "rejected"]
    assert (rejected.location, rejected.rule, rejected.value) == ("line 3", "bad_count", count)
    assert "the count" in rejected.message
    assert "\n" not in rejected.message
    assert [r.item for r in records if r.TABLE == "labels"] == ["1#1", "1#1", "3#1", "3#1"]


@pytest.mark.parametrize(
    ("header", "layout"),
    [
        ("item,annotator,label", "long"),
        ("annotator,start,end", "units"),
        ("annotator,from_unit,to_unit", "relations"),
    ],
)
def test_other_tables_have_no_counts(tmp_path: Path, read, header, layout) -> None:
    path = table(tmp_path, f"{header},n\n1,2,3,4\n")
    with pytest.raises(
        DataError, match=f"count = 'n'.* only a wide table has rows .* a {layout} table: remove it"
    ):
        read(path, "table", extra={"count": "n"})


def test_a_column_called_count_is_an_annotator_without_the_option(tmp_path: Path, read) -> None:
    found = read(table(tmp_path, "item,anna,count\n1,a,b\n"), "table")
    assert {r.annotator for r in found.labels} == {"anna", "count"}


def test_a_lone_column_beside_the_annotators_is_asked_about(tmp_path: Path, read) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\na,b,2\n")
    with pytest.raises(
        DataError, match="If n is how many items a row stands for, use `--wide --count n`"
    ):
        read(path, "table")
    path = table(tmp_path, "target,rater_1,rater_2\n1,a,b\n")
    with pytest.raises(DataError, match="If target names the items, use `--wide --item target`"):
        read(path, "table")


CELLS = st.sampled_from(["a", "b", "", "NA", "a|b"])
COUNTS = st.one_of(
    st.integers(0, 9), st.sampled_from([0, 1, 12, "", "-1", "x", "007", "+2", 10**12])
)
ROWS = st.lists(st.tuples(st.sampled_from(["i", "i#1", "j"]), CELLS, CELLS, COUNTS), max_size=25)


@pytest.mark.long
@RELAXED
@given(rows=ROWS, named=st.booleans(), layers=st.sampled_from([(), ("",), ("x",)]))
def test_reading_counts_is_expanding_by_hand(tmp_path, monkeypatch, rows, named, layers) -> None:
    """Few rows and items a batch, so that a row's items lie in several."""
    monkeypatch.setattr(delimited, "ROWS", 5)
    monkeypatch.setattr(rows_without_checks, "ROWS", 4)
    start = 0 if named else 1
    rows = [(item and f"{item}{k}", *others) for k, (item, *others) in enumerate(rows)]
    header = ["item", "anna", "boris"][start:]
    written, by_hand = [[*header, "n"]], [["item", "anna", "boris"]]
    for number, (item, one, two, count) in enumerate(rows, start=1):
        written.append([*(item, one, two)[start:], count])
        name = item if named else str(number)
        if name and str(count).lstrip("+").isdigit() and int(count) < 10**12:
            by_hand += [[f"{name}#{k}", one, two] for k in range(1, int(count) + 1)]
    for file, content in (("counted.csv", written), ("hand.csv", by_hand)):
        with (tmp_path / file).open("w", newline="") as handle:
            csv.writer(handle).writerows(content)
    extra = {"missing": "NA", "separator": "|", "layout": "wide"}
    found = [
        [
            (r.item, r.annotator, r.labels)
            for r in read_both_ways(
                tmp_path / file, "table", SourceOptions(extra=options, layers=layers)
            )
            if r.TABLE == "labels"
        ]
        for file, options in (("counted.csv", extra | {"count": "n"}), ("hand.csv", extra))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize(("read_all", "options"), [(read_rows, COUNT), (read_source, ONE_BY_ONE)])
def test_millions_of_items_take_no_memory(tmp_path: Path, read_all, options) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\n" + "a,b,10000000\n" * 500)
    tracemalloc.start()
    first = list(islice(read_all(path, "table", options), 40))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(first) == 40
    assert peak < 50_000_000


def test_a_quick_look_at_counts(tmp_path: Path) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\na,b,2\na,,1\nb,b,0\n")
    found = read_labels(path, options={"count": "n"})
    assert found.items == ["1#1", "1#1", "1#2", "1#2", "2#1"]
    assert found.labels == ["a", "b", "a", "b", "a"]
    assert found.rejected == []


def test_a_quick_look_sets_a_bad_count_aside(tmp_path: Path) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\na,b,1\na,b,x\nb,b,1000000000000\n")
    found = read_labels(path, options={"count": "n"})
    assert found.items == ["1#1", "1#1"]
    assert [(row.location, row.rule) for row in found.rejected] == [
        ("line 3", "bad_count"),
        ("line 4", "bad_count"),
    ]


def test_a_quick_look_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = table(tmp_path, "rater_1,rater_2,n\na,b,9000000\na,b,x\n")
    message = "9,000,000 items, more than this command can hold.*accordeur run"
    with pytest.raises(DataError, match=message):
        read_labels(path, options={"count": "n"})


@pytest.mark.shared
def test_caries(shared_data: Path) -> None:
    """Espeland & Handelman 1989, as SOURCE.txt has it: 5 dentists, 3859 teeth, all labelled."""
    path = shared_data / "caries_espeland1989" / "caries.csv"
    records = read_both_ways(path, "table", COUNT)
    labels = [r for r in records if r.TABLE == "labels"]
    assert len(labels) == 3859 * 5
    assert not [r for r in records if r.TABLE == "rejected"]
    assert set(Counter(r.item for r in labels).values()) == {5}
    assert Counter(r.location for r in labels)["line 2"] == 1880 * 5
    with path.open(encoding="utf-8", newline="") as handle:
        rows = [[int(cell) for cell in row] for row in list(csv.reader(handle))[1:]]
    by_hand = LabelMatrix(
        codes=np.repeat([row[:5] for row in rows], [row[5] for row in rows], axis=0).astype(
            np.int32
        )
        - 1,
        tagset=("1", "2"),
        annotators=tuple(f"rater_{k}" for k in range(1, 6)),
    )
    quick = read_labels(path, options={"count": "n"})
    ways = [
        ([r.item for r in labels], [r.annotator for r in labels], [r.labels[0] for r in labels]),
        (quick.items, quick.annotators, quick.labels),
    ]
    for measure in ("krippendorff_alpha", "fleiss_kappa", "conger_kappa", "gwet_ac1"):
        expected = compute_coefficient(measure, by_hand).value
        for way in ways:
            items, annotators, labels = way
            matrix = label_matrix(items=items, annotators=annotators, labels=labels)
            assert compute_coefficient(measure, matrix).value == pytest.approx(expected, abs=1e-12)
