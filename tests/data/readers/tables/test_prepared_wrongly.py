"""Tables prepared in the ways people do: stray quotes, a file each, encodings, no header."""

from __future__ import annotations

import pytest

from accordeur.data.errors import DataError, OptionError
from accordeur.data.option_names import in_campaign_file
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Label, Rejected, Relation, Unit
from tests.data.readers.both_ways import read_both_ways
from tests.read_labels import read_labels


@pytest.mark.parametrize(
    ("rows", "bad", "labels"),
    [
        ('1,anna,"x\n2,anna,b\n', [2], ["b"]),
        ('1,anna,"x\n\n2,anna,b\n3,anna,"y\n4,anna,c\n', [2, 5], ["b", "c"]),
        ('1,anna,b\n\n2,"anna,c\n\n3,anna,d\n', [4], ["b", "d"]),
        ('1,anna,b\n2,anna,"c', [], ["b", "c"]),
        ('1,anna,b\n2,anna,"c\n', [], ["b", "c"]),
        ('1,anna,b\n2,"anna,c\n', [3], ["b"]),
        ('1,anna,"two\nlines"\n2,anna,b\n', [], ["two\nlines", "b"]),
        ('1,anna,"a"\x0bb\n2,anna,"c"\x85d\n3,"anna"x,e,f\n', [4], ["a\x0bb", "c\x85d"]),
        ('1,anna,b\n2,"anna,c', [3], ["b"]),
        ('1,anna,b\n2,anna,"c"\rx\n', [3], ["b"]),
        ('1,anna,"b"c\n2,"anna" ,d\n', [], ["bc", "d"]),  # nothing swallowed, nothing rejected
    ],
)
def test_stray_quotation_marks(tmp_path, read, rows, bad, labels):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label\n" + rows)
    found = read(path)
    assert [r.location for r in found.rejected] == [f"line {k}" for k in bad]
    assert [r.labels[0] for r in found.labels] == labels
    light, rejected = read_labels(path).labels, read_labels(path).rejected
    assert (light, len(rejected)) == (labels, len(bad))


def test_a_header_with_a_stray_quotation_mark(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text('item,anna,"ben\n1,yes,no\n')
    with pytest.raises(DataError, match=r"line 1: a quotation mark on this line is not closed"):
        read(path, "table")


def test_one_file_an_annotator(tmp_path):
    """The file, or the folder that it lies in, says who, and files of one name are one document."""
    people = {"anna": "1,yes\n2,no\n", "ben": "1,yes\n2,yes\n"}
    for who, rows in people.items():
        (tmp_path / "flat").mkdir(exist_ok=True)
        (tmp_path / "flat" / f"{who}.csv").write_text("item,label\n" + rows)
        (tmp_path / "deep" / who).mkdir(parents=True)
        (tmp_path / "deep" / who / "day1.csv").write_text("item,label\n" + rows)
    for folder, document in (("flat", "flat"), ("deep", "day1")):
        options = SourceOptions(extra={"paths": "{annotator}/**"})
        guessed = list(read_source(tmp_path / folder, "auto", options))
        for records in (guessed, read_both_ways(tmp_path / folder, "table", options)):
            labels = [r for r in records if isinstance(r, Label)]
            assert {(r.document, r.annotator) for r in labels} == {
                (document, "anna"),
                (document, "ben"),
            }
            assert [(r.annotator, r.item, *r.labels) for r in labels] == [
                *(("anna", "1", "yes"), ("anna", "2", "no")),
                *(("ben", "1", "yes"), ("ben", "2", "yes")),
            ]
        assert len(read_labels(tmp_path / folder, options={"paths": "{annotator}/**"}).labels) == 4


def test_units_and_relations_of_one_file_an_annotator(tmp_path):
    (tmp_path / "anna.csv").write_text("start,end,category\n2,9,X\n9,2,X\n")
    (tmp_path / "ben.csv").write_text("from_unit,to_unit,category\n2,3,X\n,2,X\n")
    records = read_both_ways(tmp_path, "table", SourceOptions(extra={"paths": "{annotator}/**"}))
    kept = [r for r in records if isinstance(r, Unit | Relation)]
    assert [(r.TABLE, r.annotator) for r in kept] == [("units", "anna"), ("relations", "ben")]
    assert [r.rule for r in records if isinstance(r, Rejected)] == [
        "end_before_start",
        "empty_value",
    ]


def test_the_sources_annotator_where_the_table_names_none(tmp_path):
    path = tmp_path / "day1.csv"
    path.write_text("item,label\n1,yes\n")
    [label] = [
        r
        for r in read_both_ways(path, "table", SourceOptions(annotator="anna"))
        if isinstance(r, Label)
    ]
    assert (label.document, label.annotator) == ("day1", "anna")
    with pytest.raises(OptionError, match=r"has no option 'file'; .* paths"):
        read_both_ways(path, "table", SourceOptions(annotator="anna", extra={"file": "moon"}))


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("item,label", "--option 'paths={annotator}'"),
        ("start,end,category", "--option 'paths={annotator}'"),
        ("annotator,category,start,duration", r"missing columns: end \(of units\)\. "),
        ("Alex,1,2,9", "--option columns=item,annotator,label,column4"),
        ("item,anna,ben,comments", "--wide"),
        ("id,anna,ben,comments", "`--wide --item id` if every column except the item is"),
        ("tweet_id,coder,emotion", "`--item tweet_id --annotator coder --label emotion`"),
        (",anna,,ben", "several cells of the first line are empty: delete the line if the header"),
    ],
)
def test_the_error_says_what_to_type(tmp_path, read, header, told):
    path = tmp_path / "x.csv"
    path.write_text(f"{header}\n1,2,3,4\n")
    with pytest.raises(DataError, match=told):
        read(path, "table")


def test_a_folder_with_a_table_for_each_annotator_says_what_to_type(tmp_path, read):
    """Nothing between backticks is shortened: half an option is worse than none."""
    for who in ("anna", "ben"):
        (tmp_path / f"{who}.csv").write_text("item,label\n1,a\n")
    with pytest.raises(DataError, match=r"`--option 'paths=\{annotator\}'` if each file is"):
        read(tmp_path)
    with in_campaign_file(), pytest.raises(DataError, match=r'paths = "\{annotator\}" '):
        read(tmp_path)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_of_an_old_macintosh_are_lines(tmp_path, read, mark):
    path = tmp_path / "x.csv"
    path.write_bytes(mark + b"item,annotator,label\r1,anna,a\r2,anna,b\r" + b"3,ben,c\r" * 20_000)
    labels = read(path, "table").labels
    assert [one.labels[0] for one in labels[:3]] == ["a", "b", "c"]
    assert len(labels) == 20_002


def test_another_encoding_is_told_with_what_to_type(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_bytes("item,annotator,label\n1,Zoé,a\n".encode("cp1252"))
    assert "option `encoding`" in read(path).rejected[0].message
    assert read(path, extra={"encoding": "cp1252"}).labels[0].annotator == "Zoé"
    path.write_bytes("item,annotator,étiquette\n".encode("cp1252"))
    with pytest.raises(DataError, match="option `encoding`"):
        read(path, "table")


def test_a_decimal_comma_is_told(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("annotator;start;end\nanna;2,25;9,5\n")
    [row] = read(path, extra={"offset_unit": "s"}).rejected
    assert "'2,25' is not a bound: write 2.25" in row.message
