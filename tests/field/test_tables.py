"""Tables as people export them: no header, row numbers, remarks, turned, survey tools."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import accordeur as acc
from accordeur.data.readers.registry import detect_reader, readers
from tests.flows.in_process import found, said, texts

CASES = Path(__file__).parent / "cases"
ALPHA = ("--replicates", 0, "--measure", "krippendorff_alpha")
RATINGS = "1,2,3,4\n1,1,,1\n2,2,3,2\n3,3,3,3\n3,3,3,3\n2,2,2,2\n4,4,4,4\n1,1,2,1\n"


def table(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def wide(path: Path, *options: str) -> dict[str, object]:
    """The result of α of a wide table: value, annotators, items, warnings."""
    whole = found("agree", path, "--wide", *ALPHA, *options)
    [row] = whole["results"]
    people = sorted(whole["rows"]["annotators"]) if "annotators" in whole["rows"] else None
    return {**row, "warnings": texts(whole), "people": people}


def named(text: str) -> str:
    return "\n".join(f"item{k},{row}" for k, row in enumerate(text.splitlines()))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (RATINGS, "ratings.csv"),
        ("\ufeff" + RATINGS, "bom.csv"),
        (RATINGS.replace(",", ";"), "semicolon.csv"),
        (RATINGS.replace(",", "\t"), "tabs.tsv"),
        ("yes,no\nno,no\nyes,yes\nno,no\n", "words.csv"),
        ("7,yes,no\n8,no,no\n9,yes,yes\n10,no,no\n", "numbered.csv"),
        ("d1,yes,no\nd2,no,no\nd3,yes,yes\nd4,no,no\n", "ids.csv"),
        ("1,2,NA,3\n1,1,2,1\n2,2,2,3\n3,3,3,3\n", "na.csv"),
        (",2,3,1\n1,2,1,1\n2,2,2,2\n2,3,3,3\n", "blank.csv"),
        ("4.5,3.2\n4.1,3.3\n2.5,2.2\n", "decimals.csv"),
    ],
)
def test_a_table_without_header_is_refused_until_an_option_says_so(tmp_path, text, name):
    path = table(tmp_path, text, name)
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert code == 2
    assert "--option header=no" in sentence
    assert len(sentence) <= 400
    without = wide(path, "--option", "header=no")
    assert without["n_items"] == len(text.splitlines())
    assert wide(path, "--option", "header=yes")["n_items"] == len(text.splitlines()) - 1


def test_the_published_shape_of_a_matrix_without_header(tmp_path):
    value = wide(CASES / "headerless_wide" / "ratings.csv", "--option", "header=no")
    assert value["value"] == pytest.approx(0.6601, abs=5e-5)
    assert value["n_items"] == 8


def test_excel_without_header(tmp_path):
    book = openpyxl.Workbook()
    for row in RATINGS.splitlines():
        book.active.append([int(cell) if cell else None for cell in row.split(",")])
    book.save(tmp_path / "x.xlsx")
    code, sentence = said("agree", tmp_path / "x.xlsx", "--wide", *ALPHA)
    assert (code, "header=no" in sentence) == (2, True)
    value = wide(tmp_path / "x.xlsx", "--option", "header=no")
    assert value["value"] == pytest.approx(0.6601, abs=5e-5)


def test_two_equal_cells_in_the_first_line_name_the_working_option(tmp_path):
    path = table(tmp_path, "yes,no,yes\nno,no,no\nyes,yes,yes\n")
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert (code, "--option header=no" in sentence) == (2, True)
    assert wide(path, "--option", "header=no")["n_items"] == 3


MARKS = "item,1,2,3\n" + named("1,2,2\n3,3,4\n5,5,5\n1,1,2\n4,4,4\n2,2,3\n") + "\n"
CONTINUOUS = (
    "a,b,c\n10.2,11.7,9.9\n45.1,44.2,46.6\n70.3,71.8,69.4\n12.5,15.5,13.3\n33.1,30.4,31.2\n"
)
RANKS = "a,b,c\n1,2,1\n2,1,3\n3,3,2\n4,5,4\n5,4,5\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (MARKS, 0.46875),
        (MARKS.replace("item,", ",").replace("item", ""), 0.46875),
        (CONTINUOUS, 0.0),
        (RANKS, None),
    ],
)
def test_real_headers_and_ratings_keep_their_value(tmp_path, text, value):
    """Raters named 1, 2, 3 who give marks 1 to 5; measurements; rankings, all without a word."""
    one = wide(table(tmp_path, text))
    if value is not None:
        assert one["value"] == pytest.approx(value, abs=5e-5)
    words = " ".join(one["warnings"])
    assert "read as" not in words
    assert one["n_items"] == len(text.splitlines()) - 1


@pytest.mark.parametrize("name", ["Index", "", "Unnamed: 0", "id", "tweet_id", "#", "No.", "row"])
@pytest.mark.parametrize("cells", ["0 1 2 3 4 5 6 7", "k1 k9 k4 k3 k7 k2 k0 k5"])
def test_a_column_that_names_the_rows_is_the_item(tmp_path, name, cells):
    codes = (CASES / "wide_index_column" / "codes.csv").read_text().splitlines()
    rows = [
        f"{own},{row.split(',', 1)[1]}" for own, row in zip(cells.split(), codes[1:], strict=True)
    ]
    one = wide(table(tmp_path, "\n".join([f"{name},C1,C2", *rows])))
    assert one["value"] == pytest.approx(0.6774, abs=5e-5)
    said_so = any("read as the item" in text for text in one["warnings"])
    assert said_so == bool(name)


def test_consecutive_numbers_are_the_item_whatever_the_name(tmp_path):
    rows = "".join(f"{k},{'xy'[k % 2]},{'xy'[k % 3 // 2]}\n" for k in range(1, 10))
    one = wide(table(tmp_path, "Zeile im Korpus,A,B\n" + rows))
    two = wide(table(tmp_path, "item,A,B\n" + rows, "two.csv"))
    assert one["value"] == two["value"]
    french = wide(table(tmp_path, "numéro,A,B\n" + rows, "three.csv"))
    assert french["value"] == two["value"]


SHROUT = """target,J1,J2,J3,J4
1,9,2,5,8
2,6,1,3,2
3,8,4,6,8
4,7,1,2,6
5,10,5,6,9
6,6,2,4,7
"""


def test_numbered_rows_beside_ratings_that_rarely_repeat(tmp_path):
    """The example of Shrout and Fleiss (1979), and measurements of numbered patients."""
    one = wide(table(tmp_path, SHROUT))
    assert one["value"] == wide(table(tmp_path, SHROUT), "--item", "target")["value"]
    rows = CONTINUOUS.splitlines()
    numbered = ["patient," + rows[0], *(f"{k},{row}" for k, row in enumerate(rows[1:], 1))]
    assert wide(table(tmp_path, "\n".join(numbered)))["n_items"] == 5
    assert any(
        "the item" in text for text in wide(table(tmp_path, "\n".join(numbered)))["warnings"]
    )


def test_a_rater_who_counts_is_refused_where_others_are_tied(tmp_path):
    path = table(tmp_path, "a,b,c\n1,1,1\n2,2,2\n3,2,3\n4,4,3\n")
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert (code, "`--option item=`" in sentence) == (2, True)
    assert wide(path, "--option", "item=")["n_annotators"] == 3


def test_names_of_which_most_are_values_are_said(tmp_path):
    path = table(tmp_path, "1,2,3,5\n1,1,2,1\n2,2,3,2\n3,3,3,3\n2,2,2,2\n4,4,4,4\n")
    assert any("--option header=no" in word for word in wide(path)["warnings"])
    sure = wide(path, "--option", "header=yes")["warnings"]
    assert not any("header=no" in word for word in sure)


@pytest.mark.parametrize("name", ["n", "num", "freq"])
def test_counts_of_a_contingency_table_are_not_row_numbers(tmp_path, name):
    path = table(tmp_path, f"left,right,{name}\nx,x,31\nx,y,4\ny,x,7\ny,y,52\n")
    assert any(f"--count {name}" in word for word in wide(path)["warnings"])
    assert wide(path, "--count", name)["n_items"] == 94


TEXTS = "text,A,B\nso good,p,p\nso bad,n,n\nnice one,p,n\nawful,n,n\nfine,p,p\n"


def test_a_column_of_different_values_is_refused_and_each_option_works(tmp_path):
    path = table(tmp_path, TEXTS)
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert code == 2
    assert "'text' has a different value in each row" in sentence
    assert len(sentence) <= 400
    one = wide(path, "--item", "text")
    assert one["value"] == pytest.approx(0.64)
    assert wide(path, "--option", "exclude_annotators=text")["value"] == one["value"]
    assert wide(path, "--option", "item=")["value"] < 0.5


def test_columns_with_other_values_are_left_out_if_called_remarks_and_named_if_not(tmp_path):
    rows = [
        f"{k},{'xy'[k % 2]},{k % 5 + 1},{'xy'[k % 3 // 2]},{(k + 1) % 5 + 1},2024-01-{k % 3 + 10}"
        for k in range(10, 30)
    ]
    called = table(tmp_path, "\n".join(["id,Ana,Ana confidence,Ben,Ben confidence,date", *rows]))
    [word] = wide(called, "--item", "id")["warnings"]
    assert "not used (3): Ana confidence, Ben confidence, date." in word
    unlike = table(
        tmp_path, "\n".join(["id,Ana,Ana steps,Ben,Ben steps,when", *rows]), "unlike.csv"
    )
    words = wide(unlike, "--item", "id")["warnings"]
    [word] = [one for one in words if "may hold something else" in one]
    assert "(3): Ana steps, Ben steps, when." in word
    left_out = wide(unlike, "--item", "id", "--option", "exclude_annotators=* steps,when")
    assert left_out["warnings"] == []
    assert wide(called, "--item", "id")["value"] == left_out["value"]


TURNED = ",u1,u2,u3,u4,u5\ncoder A,1,2,3,3,2\ncoder B,1,2,3,3,2\ncoder C,1,3,3,3,2\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (TURNED, ()),
        (TURNED.replace(",u1", "coder,u1").replace("coder ", "p"), ("--annotator", "coder")),
        ("1,2,3,3,2\n1,2,3,3,2\n1,3,3,3,2\n", ("--option", "header=no")),
        (TURNED.replace(",u1", "rater_id,u1").replace("coder A", "1").replace("coder B", "2"), ()),
    ],
)
def test_rows_that_are_coders(tmp_path, text, options):
    """The layout of the Python package krippendorff; the value is the one of the turned table."""
    path = table(tmp_path, text)
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert (code, "`--option" in sentence) == (2, True)
    whole = found("agree", path, *ALPHA, "--option", "layout=transposed", *options)
    upright = "item,a,b,c\n1,1,1,1\n2,2,2,3\n3,3,3,3\n4,3,3,3\n5,2,2,2\n"
    assert whole["results"][0]["value"] == wide(table(tmp_path, upright, "up.csv"))["value"]


KRIPPENDORFF = """A,1,2,3,3,2,1,4,1,2,NA,NA,NA
B,1,2,3,3,2,2,4,1,2,5,NA,3
C,NA,3,3,3,2,3,4,2,2,5,1,NA
D,1,2,3,3,2,4,4,1,2,5,1,NA
"""


def test_the_matrix_of_krippendorff_2011_as_a_file(tmp_path):
    """α = 0.743 (Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C)."""
    options = ("--option", "layout=transposed", "--option", "header=no", "--option", "missing=NA")
    named = found("agree", table(tmp_path, KRIPPENDORFF), *ALPHA, *options)
    bare = "".join(line[2:] + "\n" for line in KRIPPENDORFF.splitlines())
    plain = found("agree", table(tmp_path, bare), *ALPHA, *options)
    for whole in (named, plain):
        assert whole["results"][0]["value"] == pytest.approx(0.743, abs=5e-4)
    wrong = found("agree", table(tmp_path, bare), "--wide", *ALPHA, *options[2:])
    assert any("layout=transposed" in word for word in texts(wrong))


def test_a_table_of_few_rows_and_many_columns_is_said_to_look_turned(tmp_path):
    text = ",".join(f"u{k}" for k in range(12)) + ("\n" + ",".join("xyxxyyxyxxyx")) * 3 + "\n"
    one = wide(table(tmp_path, text))
    assert any("layout=transposed" in word for word in one["warnings"])


def test_the_items_of_a_transposed_table_can_be_chosen(tmp_path):
    text = "coder,age,q1,q2,q3\np1,31,x,y,x\np2,44,x,x,x\np3,27,x,y,y\n"
    path = table(tmp_path, text)
    options = ("--option", "layout=transposed", "--item", "q*")
    whole = found("agree", path, *ALPHA, *options)
    assert whole["results"][0]["n_items"] == 3
    assert any("not used (1): age" in word for word in texts(whole))


def test_qualtrics(tmp_path):
    path = CASES / "qualtrics_three_headers" / "survey.csv"
    natural = ("--wide", "--item", "ResponseId", "--option", "exclude_annotators=Finished")
    for command in (natural, ("--wide",), ()):
        code, sentence = said("agree", path, *command, *ALPHA)
        assert code == 2
        assert "the rows are the annotators" in sentence
        assert "layout=transposed" in sentence
    whole = found("agree", path, *ALPHA, "--option", "layout=transposed")
    assert whole["results"][0]["value"] == pytest.approx(0.1111, abs=5e-5)
    assert any("belong to the header and are excluded (2)" in word for word in texts(whole))


LIME = """id,submitdate,lastpage,startlanguage,seed,G1Q1,G1Q2,G1Q3
1,2024-01-02,3,en,81,Yes,No,Yes
2,2024-01-02,3,en,90,Yes,No,No
3,2024-01-03,3,en,17,Yes,Yes,Yes
"""
FORMS = """Timestamp,Username,Text 1,Text 2,Text 3
1/2/2024 10:01:02,a@x.org,Yes,No,Yes
1/2/2024 11:01:02,b@x.org,Yes,No,No
1/3/2024 10:00:00,c@x.org,Yes,Yes,Yes
"""


BARE_FORMS = "\n".join(
    ",".join([*row.split(",")[:1], *row.split(",")[2:]]) for row in FORMS.splitlines()
)
LEGACY = """ResponseID,StartDate,EndDate,Finished,Q1,Q2,Q3
ResponseID,StartDate,EndDate,Finished,Is 1 rude?,Is 2 rude?,Is 3 rude?
R_1,2017-01-02 10:01,2017-01-02 10:09,1,Yes,No,Yes
R_2,2017-01-02 10:11,2017-01-02 10:19,1,Yes,No,No
R_3,2017-01-02 10:21,2017-01-02 10:29,1,Yes,Yes,Yes
"""
WITHOUT_TEXTS = "".join(line + "\n" for line in LEGACY.splitlines() if "rude" not in line)


@pytest.mark.parametrize("text", [LIME, FORMS, BARE_FORMS, LEGACY, WITHOUT_TEXTS])
def test_other_surveys(tmp_path, text):
    path = table(tmp_path, text)
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert (code, "layout=transposed" in sentence) == (2, True)
    whole = found("agree", path, *ALPHA, "--option", "layout=transposed")
    assert whole["results"][0]["value"] == pytest.approx(1 / 9)


SETS = CASES / "set_distance_without_separator" / "tags.csv"


@pytest.mark.parametrize("distance", ["masi", "jaccard", "dice", "nominal"])
def test_joined_cells_are_said_whatever_the_distance(distance):
    whole = found("agree", SETS, *ALPHA, "--distance", distance)
    assert any("--option 'separator=, '" in word for word in texts(whole))
    alone = any("every set has one label" in word for word in texts(whole))
    assert alone == (distance != "nominal")


@pytest.mark.parametrize("separator", [",", ", ", " , "])
def test_a_separator_trims_the_blanks_around_labels(separator):
    """nltk's MASI distance gives 0.5136."""
    options = ("--distance", "masi", "--option", f"separator={separator}")
    whole = found("agree", SETS, *ALPHA, *options)
    assert whole["results"][0]["value"] == pytest.approx(0.5136, abs=5e-5)
    assert texts(whole) == []


def test_sets_of_one_label_are_said_in_python_and_checks(tmp_path):
    rows = [(i, who, ["xyz"[i // 2]]) for i in range(5) for who in "ab"]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    values = acc.agreement(frame, measures="krippendorff_alpha", distance="masi", replicates=0)
    assert any("every set has one label" in str(word) for word in values.warnings)
    campaign = tmp_path / "campaign.toml"
    (tmp_path / "tags.csv").write_text(SETS.read_text())
    campaign.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "tags.csv"\noptions = { layout = "wide" }\n'
        '[layers.labels]\ndistance = "masi"\n'
    )
    _, text = said("check", campaign)
    flat = " ".join(text.split())
    assert "every set has one label" in flat
    assert "seem to hold several labels" in flat


def test_nested_objects_and_dates_as_labels_are_said(tmp_path):
    rows = [
        f'{{"item": {i}, "annotator": "{who}", "label": {{"choice": "{c}", "sure": 1}}, '
        f'"spans": [[0, {i}, "X"]], "at": "2024-05-0{i + 1}T10:00:00Z"}}'
        for i, pair in enumerate(["xx", "xy", "yy"])
        for who, c in zip("ab", pair, strict=True)
    ]
    path = table(tmp_path, "\n".join(rows), "t.jsonl")
    for label, word in (("label", "JSON objects"), ("spans", "JSON objects"), ("at", "are dates")):
        words = texts(found("agree", path, *ALPHA, "--label", label))
        assert any(word in one for one in words), label
    dated = table(
        tmp_path,
        "item,annotator,label\n"
        + "".join(f"{i},{who},{i + 1}/5/2024 10:0{i}\n" for i in range(3) for who in "ab"),
    )
    assert any("are dates" in one for one in texts(found("agree", dated, *ALPHA)))


NUMBERS = "1,2,3,4\n2,2,3,4\n3,2,4,5\n1,1,2,2\n"


@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt", "tab"])
@pytest.mark.parametrize("width", [2, 3, 4, 5, 10])
@pytest.mark.parametrize("n_rows", [3, 5, 12])
def test_a_table_of_ratings_is_of_no_other_format(tmp_path, suffix, width, n_rows):
    """Brégeon's counts, pygamma's bounds and CoNLL-U's ten columns are numbers, too."""
    sign = "," if suffix == "csv" else "\t"
    rows = [[str((3 * i + i * j + j) % 5 + 1) for j in range(width)] for i in range(n_rows)]
    for first in (rows, [[str(n_rows - 1), "5", "3"][:width] + rows[0][3:], *rows[1:]]):
        path = table(tmp_path, "\n".join(map(sign.join, first)) + "\n", f"t.{suffix}")
        assert [one.NAME for one in readers().values() if one.probe(path)] == []


def test_options_of_tables_are_for_tables(tmp_path):
    path = table(tmp_path, "ann,1,2,9\nann,2,11,17\nben,1,3,8\nben,2,9,12\n")
    assert detect_reader(path).NAME == "pygamma_csv"
    assert detect_reader(path, {"missing": "NA"}).NAME == "table"


PROPOSED = re.compile(r"`((?:--[^`]+))`")
MALFORMED = {
    "numbers": NUMBERS,
    "no header": RATINGS,
    "repeated names": "yes,no,yes\nno,no,no\nyes,yes,yes\n",
    "index": "Index,C1,C2\n0,a,b\n1,a,a\n2,b,b\n",
    "texts": TEXTS,
    "turned": TURNED,
    "coders": TURNED.replace(",u1", "coder,u1"),
    "crowd": "HITId,WorkerId,Answer.mood\nh1,w1,x\nh1,w2,x\nh2,w1,y\nh2,w2,x\n",
    "toloka": """INPUT:image OUTPUT:result ASSIGNMENT:worker_id
1 x a
1 x b
2 y a
2 x b
""".replace(" ", "\t"),
    "figure eight": "_unit_id,_created_at,_worker_id,rating\n1,5/1/2024,7,x\n1,5/1/2024,8,x\n"
    "2,5/1/2024,7,y\n2,5/1/2024,8,x\n",
    "long": "tweet_id,coder,code\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n",
    "long, no header": "a,1,x,x\nb,1,x,x\na,2,y,y\nb,2,y,y\n",
    "two equal names": "id,rater,rater\n1,x,x\n2,x,y\n3,y,y\n",
    "survey": LIME,
    "forms": FORMS,
    "thirty columns": "\n".join(",".join("12"[(i * k) % 2] for k in range(30)) for i in range(4)),
    "bound": "Ann;1,5;2,5\nBen;1,5;3,5\n",
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_every_proposal_of_a_message_works_when_it_is_typed(tmp_path, kind):
    """Follow the first proposal of each message until there is a value, at most four times."""
    path = table(tmp_path, MALFORMED[kind], "t.tsv" if "\t" in MALFORMED[kind] else "t.csv")
    options: list[str] = []
    for _ in range(4):
        code, sentence = said("agree", path, *ALPHA, *options)
        if code == 0:
            break
        assert len(sentence) <= 400, (len(sentence), sentence)
        proposals = PROPOSED.findall(sentence)
        assert proposals, sentence
        options += shlex.split(proposals[0])
    assert code == 0, sentence


def test_files_of_items_and_labels_without_a_header_are_each_one_annotators(tmp_path):
    rows = [(f"verb{k}", "telic" if k % 3 else "atelic") for k in range(12)]
    other = [(item, "telic") if item == "verb3" else (item, label) for item, label in rows]
    files = [
        table(tmp_path, "".join(f"{item},{label}\n" for item, label in given), f"{who}.csv")
        for who, given in (("anna", rows), ("ben", other))
    ]
    code, sentence = said("agree", *files, *ALPHA)
    assert code == 2
    assert sentence.count("anna.csv") == 1
    typed = re.findall("`(--option header=no[^`]*|--option columns=[^`]*)`", sentence)
    assert shlex.split(typed[-1]) == [
        *("--option", "columns=item,label", "--option", "paths={annotator}")
    ]
    for options in (shlex.split(typed[-1]), ("--option", "columns=item,label")):
        whole = found("agree", *files, *ALPHA, *options)
        assert whole["results"][0]["value"] == pytest.approx(1 - 2 / (2 * 7 * 17 / 23))


def test_files_that_miss_the_same_column_say_it_once_and_in_full(tmp_path):
    for who in ("anna", "ben", "carl"):
        table(tmp_path, "item,label\n1,x\n2,y\n", f"{who}.csv")
    code, sentence = said("agree", tmp_path, *ALPHA)
    assert code == 2
    assert "none of its 3 files can be read" in sentence
    assert sentence.count("missing columns") == 1
    assert found("agree", tmp_path, *ALPHA, "--option", "paths={annotator}")["results"]


def test_a_long_header_is_listed_as_far_as_the_sentence_has_room(tmp_path):
    names = ",".join(f"Input.some_long_column_name_{k}" for k in range(12))
    _, sentence = said("agree", table(tmp_path, f"{names}\n{'x,' * 11}x\n"), *ALPHA)
    assert "Input.some_long_column_name_1, …" in sentence
    assert " … " not in sentence


def test_the_texts_of_the_items_are_no_annotators_labels(tmp_path):
    labels = "yes,yes\nno,no\nyes,no\nno,no\nyes,yes\nno,yes\n"
    plain = named(labels)
    text = "\n".join(f'{row},"well , I said {k} times no"' for k, row in enumerate(plain.split()))
    bare = wide(table(tmp_path, f"id,anna,ben\n{plain}", "bare.csv"))
    whole = wide(table(tmp_path, f"id,anna,ben,dialogue\n{text}"))
    assert whole["value"] == bare["value"]
    assert any("not used (1): dialogue" in one for one in whole["warnings"])


BLANKS = "item,a,b\n1,x,x\n2,  ,x\n3,y,y\n4,x,y\n5, ,y\n6,\t,\u00a0\n7,y,y\n"


def test_cells_of_blanks_are_empty(tmp_path):
    """Spreadsheets keep the blanks that people typed to clear a cell; they are no category."""
    plain = re.sub("[ \t\u00a0]+(?=[,\n])", "", BLANKS)
    bare = found("agree", table(tmp_path, plain, "bare.csv"), *ALPHA)
    whole = found("agree", table(tmp_path, BLANKS), *ALPHA)
    assert whole["results"] == bare["results"]
    assert whole["rows"] == bare["rows"]
    frame = pd.read_csv(tmp_path / "t.csv")
    value = acc.agreement(
        frame, item="item", annotator=["a", "b"], measures="krippendorff_alpha", replicates=0
    )
    assert value[0].value == bare["results"][0]["value"]
    rows = "".join(f"{i},{who},{cell}\n" for i in "12" for who, cell in (("a", "x"), ("b", " ")))
    long = table(tmp_path, "item,annotator,label\n" + rows + "3,a,x\n3,b,x\n", "long.csv")
    assert found("agree", long, *ALPHA)["rows"]["rejected"] == {"empty_value": 2}


LABELS = ["yes,yes", "no,no", "yes,no", "no,no", "yes,yes", "no,yes"]
RATERS = "rater1,rater2\n" + "\n".join(LABELS) + "\n"
JUDGED = "".join(
    f"{i},{who},{label}\n"
    for i, pair in enumerate(LABELS)
    for who, label in zip(("w1", "w2"), pair.split(","), strict=True)
)


def beside(header: str, cell: Callable[[int], str]) -> str:
    """The labels of two raters beside another column."""
    rows = [f"{cell(k)},{row}" for k, row in enumerate(RATERS.splitlines()[1:])]
    return "\n".join([f"{header},rater1,rater2", *rows]) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        beside("batch", lambda k: "pilot" if k < 3 else "main"),
        beside("post_id", lambda k: f"p{k // 2}"),
        beside("year", lambda k: "2020"),
        beside("comment", lambda k: "yes" if k else "no idea"),
        RATERS.replace("rater1", "Coder1Text").replace("rater2", "Coder2Text"),
        "Coder1Text,Coder2Text,arm\n" + "".join(f"{row},control\n" for row in LABELS),
        "rater1,rater1_confidence,rater2,rater2_confidence\n"
        + "".join(row.replace(",", ",5,") + ",4\n" for row in LABELS),
    ],
)
def test_what_stands_beside_columns_called_like_annotators_is_no_annotators(tmp_path, text):
    """A group, a comment or a repeated id became an annotator, with a warning only."""
    assert wide(table(tmp_path, text))["value"] == wide(table(tmp_path, RATERS, "r.csv"))["value"]


CHOSEN = "subject,q1,q2,q3\n" + "".join(
    f"s{k},{row}\n" for k, row in enumerate(["4,0,0", "0,4,0", "2,2,0", "1,2,1", "0,1,3", "4,0,0"])
)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (CHOSEN, "numbers of annotators"),
        (CHOSEN.replace("s", "").replace("ubject", "item"), "numbers of annotators"),
        ("second,yes,no\nyes,40,6\nno,4,25\n", "numbers of items"),
        (f"item,worker_id,answer\n{JUDGED}", "--annotator worker_id --label answer"),
        (f"case_id,rater_id,tone\n{JUDGED.replace('w', '')}", "--item case_id"),
        (f"tweet_id,annotator,label\n{JUDGED}", "--item tweet_id"),
        ("where,what,who\n" + "".join(f"p{k % 3},q{k // 2},r\n" for k in range(6)), "in common"),
        (
            "tone_rater1,tone_rater2,topic_rater1,topic_rater2\n"
            + "".join(f"{row},{row}\n" for row in LABELS),
            "`--option exclude_annotators=topic_rater1,topic_rater2`",
        ),
        ("respondent_id,q1,q2,q3\nR_a,1,2,1\nR_b,1,2,2\nR_c,1,2,1\n", "layout=transposed"),
    ],
)
def test_tables_without_a_label_in_each_cell_are_no_wide_tables(tmp_path, text, word):
    """Counts, judgements and several questions gave a value, of crowds and of irrCAC's examples."""
    code, sentence = said("agree", table(tmp_path, text), "--wide", *ALPHA)
    assert (code, word in sentence) == (2, True), sentence
    assert len(sentence) <= 400


def test_items_with_a_row_for_each_judgement_are_not_guessed_to_be_wide(tmp_path):
    text = "uid,item,boxes,cost\n" + "".join(
        f"{k % 3},i{k // 3},[{k}],{k / 7:.3f}\n" for k in range(12)
    )
    path = table(tmp_path, text)
    code, sentence = said("agree", path, *ALPHA)
    assert (code, "of the rows repeat the item of an earlier row, as in a" in sentence) == (2, True)
    with pytest.raises(ValueError, match="repeat the item"):
        acc.agreement(pd.read_csv(path), replicates=0)


def test_ratings_with_equal_sums_stay_ratings(tmp_path):
    """Each rater ranked the three texts: rows of one sum, without a 0."""
    text = "item,a,b,c\n" + "".join(
        f"{k},{','.join(r)}\n" for k, r in enumerate(["123", "321", "213"])
    )
    assert wide(table(tmp_path, text))["n_annotators"] == 3
