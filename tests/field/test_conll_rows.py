"""CoNLL: rejected rows are measured nowhere, indices are no labels, comments are no rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading

Read = Callable[..., Any]


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def units(tables: Any) -> list[tuple[int, int, str]]:
    return [(u.start_offset, u.end_offset, u.category) for u in tables.units]


def rejected(tables: Any) -> list[tuple[str, str]]:
    return [(r.location, r.rule) for r in tables.rejected]


@pytest.mark.parametrize("columns", [{}, {"columns": "3"}, {"columns": "anna=3,ben=2"}])
def test_a_rejected_row_has_no_label(tmp_path: Path, read: Read, columns: dict[str, str]) -> None:
    path = write(tmp_path / "x.conll", "the DT a", "cat NN b", "sat", "down RB a")
    tables = read(path, "conll", extra={"scheme": "labels", **columns})
    assert rejected(tables) == [("line 3", "missing_column")]
    assert {x.item.rpartition(":")[2] for x in tables.labels} == {"0", "1", "3"}
    assert not {x.labels[0] for x in tables.labels} & {"O", "sat"}
    assert tables.documents[0].length == 4  # the token is there, only its label is not known


@pytest.mark.parametrize(
    ("tags", "found", "rules"),
    [
        ("B-X I-X ? I-X O", [], ["rejected_row", "unknown_tag", "rejected_row"]),
        ("B-X I-X ? B-Y I-Y", [(3, 5, "Y")], ["rejected_row", "unknown_tag"]),
        ("B-X O ? O B-Y", [(0, 1, "X"), (4, 5, "Y")], ["unknown_tag"]),
        ("S-X ? E-Y S-Z", [(0, 1, "X"), (3, 4, "Z")], ["unknown_tag", "rejected_row"]),
        ("B-X I-X |", [], ["rejected_row", "missing_column"]),
        ("B-X - O", [(0, 1, "X")], []),
    ],
)
@pytest.mark.parametrize("chunks", ["lenient", "strict"])
def test_a_unit_beside_a_rejected_row_is_rejected(
    tmp_path: Path, read: Read, tags: str, found: list[Any], rules: list[str], chunks: str
) -> None:
    lines = ["w" if tag == "|" else f"w x {tag}" for tag in tags.split()]
    path = write(tmp_path / "x.conll", *lines)
    scheme = "bioes" if "S-" in tags else "iob2"
    extra = {"columns": "3", "scheme": scheme, "chunks": chunks}
    tables = read(path, "conll", extra=extra)
    assert units(tables) == found
    assert sorted(rule for _, rule in rejected(tables)) == sorted(rules)


def test_a_damaged_row_keeps_the_places_of_the_others(tmp_path: Path, read: Read) -> None:
    rows = [f"{k}\tw\t_\tA\t_\t_\t{k - 1}\tdep\t_\t_" for k in range(1, 5)]
    path = tmp_path / "x.conllu"
    path.write_bytes(
        "\n".join([rows[0], "x" + rows[1], *rows[2:]]).encode()
        + b"\n\xff\n"
        + b"1"
        + rows[0].encode()[1:]
    )
    tables = read(path, extra={"columns": "UPOS"}, annotator="anna")
    assert rejected(tables) == [("line 2", "bad_token_id"), ("line 5", "undecodable")]
    assert [x.item.rpartition(":")[2] for x in tables.labels] == ["0", "2", "3", "5"]


HEADS = (
    *("1 the _ DT _ _ 2 det", "2 cat _ NN _ _ 3 subj", "3 saw _ VB _ _ 0 root"),
    *("4 a _ DT _ _ 5 det", "5 dog _ NN _ _ 3 obj", "6 . _ P _ _ 3 punct", ""),
    *(
        "1 a _ DT _ _ 2 det",
        "2 dog _ NN _ _ 3 subj",
        "3 ran _ VB _ _ 0 root",
        "4 . _ P _ _ 3 punct",
    ),
)


@pytest.mark.parametrize(
    ("column", "refused"),
    [("7", True), ("1", True), ("HEAD", True), ("ID", True), ("DEPS", True), ("8", False)],
)
def test_a_column_of_token_numbers_holds_no_labels(
    tmp_path: Path, read: Read, column: str, refused: bool
) -> None:
    lines = [line.replace(" ", "\t") + "\t_\t_" if line else line for line in HEADS]
    for name in ("x.conllu", "x.conll"):
        path = write(tmp_path / name, *lines)
        extra = {"columns": column, "separator": "tab"}
        if not refused:
            assert len(read(path, "conll", extra=extra).labels) == 10
            continue
        with pytest.raises(DataError, match=r"token numbers.*not categories"):
            read(path, "conll", extra=extra)
    numbers = {"HEAD": "7", "ID": "1", "DEPS": "9"}.get(column)
    if numbers:
        with pytest.raises(DataError, match=f"{column} holds token numbers"):
            read(tmp_path / "x.conllu", "conll", extra={"columns": numbers})


@pytest.mark.parametrize(
    "labels",
    [
        "0 1 1 0, 0 0 1, 1 0 1 1",
        "1 2 3 4 5 3 2, 5 4 3 3 1",
        "0 0 0 3 0 0 2, 0 0 0 0 0 1 0 4 0 0 0 5, 0 0 0 0 0 0",
        "3 3 3 3, 4 4 4, 5 5 5, 1 1",
        "0 1 1 1 1 1, 0 1 1 1",
    ],
)
def test_labels_that_are_numbers_stay_labels(tmp_path: Path, read: Read, labels: str) -> None:
    sentences = [[f"w {label}" for label in one.split()] for one in labels.split(", ")]
    lines = [line for sentence in sentences for line in (*sentence, "")]
    path = write(tmp_path / "x.conll", *lines)
    tables = read(path, "conll", extra={"scheme": "labels"})
    assert len(tables.labels) == sum(map(len, sentences))


def test_a_column_without_any_tag_is_nobody_s_work(tmp_path: Path, read: Read) -> None:
    conllu = [f"{k}\tw{k}\tw\tNOUN\tNN\t_\t{k - 1}\tdep\t_\t_" for k in (1, 2, 3)]
    with pytest.raises(DataError, match="choose one with `--option columns=UPOS`"):
        read(write(tmp_path / "x.conll", *conllu), "conll")
    plain = write(tmp_path / "y.conll", "the DT _", "cat NN _")
    with pytest.raises(DataError, match=r"the last column has only '_'.*columns=2"):
        read(plain, "conll")
    assert len(read(plain, "conll", extra={"columns": "2"}).labels) == 2
    nothing = read(plain, "conll", extra={"columns": "3"})  # the user says where the labels are
    assert [a.state for a in nothing.assignments] == ["finished_empty"]


def test_the_label_column_of_conllu_is_not_guessed(tmp_path: Path, read: Read) -> None:
    lines = [line.replace(" ", "\t") + "\t_\tSpaceAfter=No" if line else line for line in HEADS]
    path = write(tmp_path / "x.conllu", *lines)
    with pytest.raises(DataError, match=r"columns=UPOS"):
        read(path)


@pytest.mark.parametrize(
    "comment",
    [
        "# sent_id = 3",
        "#\thttp://example.org/page [2009-10-17]",
        "# id 4f5-21\tdomain=en",
        "# text = a b",
        "#global.columns = ID FORM",
        "# a note",
        "#end document",
        "# speaker: anna",
    ],
)
@pytest.mark.parametrize(("second", "third"), [("B-X", "O"), ("NN", "VB")])
def test_comments_are_no_rows(
    tmp_path: Path, read: Read, comment: str, second: str, third: str
) -> None:
    rows = ("1\ta\tb\tO" if second == "B-X" else "1\ta\tb\tDT", f"2\tc\td\t{second}")
    path = write(tmp_path / "x.conll", comment, *rows, "", comment, f"1\te\tf\t{third}")
    extra = {"token_column": "2", "columns": "4"}
    tables = read(path, "conll", extra=extra)
    assert not tables.rejected
    assert tables.documents[0].length == 3
    assert (units(tables) == [(1, 2, "X")]) if second == "B-X" else (len(tables.labels) == 3)


@pytest.mark.parametrize("token", ["#", "#tag", "#1"])
def test_a_token_may_begin_with_a_number_sign(tmp_path: Path, read: Read, token: str) -> None:
    for tag in ("B-X", "NN"):
        path = write(tmp_path / "x.conll", f"{token} {tag}", f"a {'O' if tag == 'B-X' else 'DT'}")
        tables = read(path, "conll")
        assert (not tables.rejected, tables.documents[0].length) == (True, 2)
    path = write(tmp_path / "x.conll", "a B-X", f"{token}x", "b O")
    assert rejected(read(path, "conll")) == [
        ("line 2", "missing_column"),
        ("line 2", "rejected_row"),
    ]


def test_conllu_is_known_by_its_columns(tmp_path: Path, read: Read) -> None:
    """Named `.conll`, its ranges of words counted as tokens, and HEAD passed for labels."""
    lines = [line.replace(" ", "\t") + "\t_\t_" if line else line for line in HEADS]
    lines.insert(1, "2-3\t" + "\t".join("_" * 9))
    path = write(tmp_path / "x.conll", *lines)
    tables = read(path, extra={"columns": "8"})
    assert (len(tables.labels), tables.documents[0].length) == (10, 10)
    with pytest.raises(DataError, match="HEAD holds token numbers"):
        read(path, extra={"columns": "7"})


@pytest.mark.parametrize(("column", "refused"), [("7", True), ("1", True), ("8", False)])
def test_token_numbers_are_known_by_their_values(
    tmp_path: Path, read: Read, column: str, refused: bool
) -> None:
    path = write(tmp_path / "x.conll", *HEADS)  # eight columns, as no dialect names them
    extra = {"columns": column, "scheme": "labels"}
    if not refused:
        assert len(read(path, "conll", extra=extra).labels) == 10
        return
    with pytest.raises(DataError, match=f"column {column} holds token numbers"):
        read(path, "conll", extra=extra)


@pytest.mark.parametrize("second", ["Bonn NOUN,is VERB,big ADJ", "Rome NOUN,was VERB,old ADJ"])
def test_tokens_that_differ_between_annotators_are_reported(tmp_path: Path, second: str) -> None:
    """Offsets are numbers of tokens: labels of different tokens agreed perfectly."""
    texts = {"ana": "Rome NOUN,is VERB,old ADJ,,Bonn NOUN,is VERB,big ADJ", "ben": second}
    for who, text in texts.items():
        (tmp_path / who).mkdir()
        write(tmp_path / who / "news.conll", *text.split(","))
    reading = Reading(options={"paths": "{annotator}/{document}"}, format="conll")
    without = LabelOptions(replicates=0)
    told = [in_english(one) for one in agree(tmp_path, reading, without).remarks]
    assert any("tokens differ between files (1): 'news'." in one for one in told)
    write(tmp_path / "ben" / "news.conll", *texts["ana"].replace("ADJ", "X").split(","))
    told = [in_english(one) for one in agree(tmp_path, reading, without).remarks]
    assert not any("tokens differ" in one for one in told)
