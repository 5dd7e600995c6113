"""CoNLL columns: chunk rules, documents, offsets; the CoNLL-2000 sample's published counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.formats.conll.chunks import ChunkReader
from accordeur.data.readers.notes import SourceNotes


@pytest.fixture(scope="module")
def formats(corpora: Path) -> Path:
    return corpora / "formats"


def chunks(tags: str, scheme: str, *, strict: bool = False) -> list[tuple[int, int, str]]:
    """(start, end, type) of each chunk, with a ! where it is rejected."""
    reader = ChunkReader(scheme, strict)
    found = [c for k, tag in enumerate(tags.split()) for c in reader.tag(k, tag)]
    found += reader.end()
    return [(c.start, c.end, c.type + ("!" if c.broken else "")) for c in found]


@pytest.mark.parametrize(
    ("tags", "scheme", "lenient", "strict"),
    [
        ("B-X I-X O B-Y", "iob2", [(0, 2, "X"), (3, 4, "Y")], None),
        ("B-X B-X", "iob2", [(0, 1, "X"), (1, 2, "X")], None),
        ("I-X I-X O", "iob2", [(0, 2, "X")], [(0, 2, "X!")]),
        ("B-X I-Y", "iob2", [(0, 1, "X"), (1, 2, "Y")], [(0, 1, "X"), (1, 2, "Y!")]),
        ("I-X I-X B-X O", "iob1", [(0, 2, "X"), (2, 3, "X")], None),
        ("O B-X", "iob1", [(1, 2, "X")], [(1, 2, "X!")]),
        ("S-X B-X I-X E-X", "bioes", [(0, 1, "X"), (1, 4, "X")], None),
        ("B-X E-X E-X", "bioes", [(0, 2, "X"), (2, 3, "X")], [(0, 2, "X"), (2, 3, "X!")]),
        ("B-X O", "bioes", [(0, 1, "X")], [(0, 1, "X!")]),
        ("B-X B-X", "bioes", [(0, 1, "X"), (1, 2, "X")], [(0, 1, "X!"), (1, 2, "X!")]),
        ("U-X B-X L-X", "bilou", [(0, 1, "X"), (1, 3, "X")], None),
        ("B-X E-X", "iob2", [(0, 2, "X")], [(0, 2, "X!")]),
        ("B-X-Y I-X-Y", "iob2", [(0, 2, "X-Y")], None),
        ("O _ O", "iob2", [], None),
    ],
)
def test_chunk_rules(tags, scheme, lenient, strict) -> None:
    assert chunks(tags, scheme) == lenient
    assert chunks(tags, scheme, strict=True) == (lenient if strict is None else strict)


def test_documents_sentences_and_schemes(formats, read) -> None:
    tables = read(formats / "bioes.conll")
    assert [(d.document.partition("#")[2], d.length) for d in tables.documents] == [
        ("1", 5),
        ("2", 3),
    ]
    found = [(u.document[-1], u.start_offset, u.end_offset, u.category) for u in tables.units]
    assert found == [
        ("1", 0, 1, "EMOJI"),
        ("1", 1, 3, "NP"),
        ("1", 3, 5, "NP"),
        ("2", 1, 2, "NP"),
        ("2", 2, 3, "ADV"),
    ]
    assert {d.offset_unit for d in tables.documents} == {"token"}


def test_characters_of_the_joined_text(formats, read) -> None:
    tables = read(formats / "bioes.conll", extra={"offsets": "char"})
    texts = {d.document: d.text for d in tables.documents}
    assert list(texts.values()) == ["😀 le chat\nשלום dort\n", "# fin de\u0301ja\u0300\n"]
    assert [texts[u.document][u.start_offset : u.end_offset] for u in tables.units] == [
        "😀",
        "le chat",
        "שלום dort",
        "fin",
        "de\u0301ja\u0300",
    ]


def test_iob1_file(formats, read) -> None:
    tables = read(formats / "iob1.conll", extra={"scheme": "iob1", "chunks": "strict"})
    assert [(u.start_offset, u.end_offset, u.category) for u in tables.units] == [
        (0, 2, "NP"),
        (2, 3, "NP"),
        (5, 6, "VP"),
        (6, 7, "VP"),  # a chunk does not go over the sentence's end
    ]
    assert [(r.rule, r.value) for r in tables.rejected] == [("chunk_not_allowed", "B-NP")]


def test_conllu(formats, read) -> None:
    extra = {"columns": "anna=MISC:Entity", "offsets": "char"}
    tables = read(formats / "ud.conllu", extra=extra)
    first, second = tables.documents
    assert first.document == "ud#tale"
    assert first.text == "De le 😀 chat.\n"  # ranges and empty nodes are no words
    assert second.text == "שלום noir\n"
    texts = {d.document: d.text for d in tables.documents}
    assert [
        (u.category, texts[u.document][u.start_offset : u.end_offset]) for u in tables.units
    ] == [
        ("EMOJI", "😀"),
        ("ANIMAL", "chat"),
        ("WORD", "שלום noir"),
    ]
    upos = read(formats / "ud.conllu", extra={"columns": "UPOS"}, annotator="anna")
    assert [x.labels[0] for x in upos.labels] == [
        *("ADP", "DET", "SYM", "NOUN", "PUNCT"),
        *("INTJ", "ADJ"),
    ]
    assert upos.labels[2].item == "ud#tale:2"


def test_bad_rows_keep_the_token_positions(read, tmp_path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("a B-X B-X\nb\nc Q-X O\nd B-X O\n")
    tables = read(path, "conll", extra={"columns": "one=2,two=3", "scheme": "iob2"})
    assert [(r.location, r.rule) for r in tables.rejected] == [
        ("line 2", "missing_column"),
        ("line 2", "rejected_row"),  # of each annotator: the unit may go on in the rejected row
        ("line 2", "rejected_row"),
        ("line 3", "unknown_tag"),
    ]
    assert [(u.annotator, u.start_offset) for u in tables.units] == [("one", 3)]
    assert tables.documents[0].length == 4


@pytest.mark.parametrize("columns", ["", "x", "0", "3,4", "a=3,a=4", "a=3,4", "-2", "a=FORMS"])
def test_bad_columns(formats, read, columns) -> None:
    with pytest.raises(DataError, match="column"):
        read(formats / "iob1.conll", "conll", extra={"columns": columns})


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rule", "predicted", "correct", "rejected", "f"),
    [
        ("lenient", 539, 371, 0, 0.7435),  # result.txt of conlleval: 459, 539, 371, 74.35
        ("strict", 455, 322, 84, 0.7046),  # seqeval, strict IOB2
    ],
)
def test_conll2000_sample(shared_data: Path, read, rule, predicted, correct, rejected, f) -> None:
    path = shared_data / "conll2000_chunking" / "output.txt"
    extra = {"columns": "gold=3,predicted=4", "chunks": rule}
    tables = read(path, extra=extra)
    gold, system = (
        {(u.start_offset, u.end_offset, u.category) for u in tables.by("units", annotator=a)}
        for a in ("gold", "predicted")
    )
    assert (len(gold), len(system), len(gold & system)) == (459, predicted, correct)
    assert len(tables.rejected) == rejected
    assert tables.documents[0].length == 961
    assert 2 * correct / (len(gold) + len(system)) == pytest.approx(f, abs=5e-5)


@pytest.mark.parametrize(
    ("line", "option", "n"),
    [
        ("Rome NNP B-X I-X", {}, 4),
        ("Rome NNP B-X I-X", {"columns": "3"}, 0),
        ("Rome NNP B-X", {}, 0),
        ("Rome NNP NN", {"scheme": "labels"}, 3),
        ("Rome NNP", {"scheme": "labels"}, 0),
    ],
)
def test_the_last_column_is_a_guess_where_another_may_hold_the_labels(
    tmp_path: Path, read, line: str, option: dict[str, str], n: int
) -> None:
    path, notes = tmp_path / "anna.conll", SourceNotes()
    path.write_text(line + "\n", encoding="utf-8")
    read(path, "conll", extra=option, notes=notes)
    assert notes.n_conll_columns == n


def test_the_trees_of_sentences_are_the_labels_of_a_layer(formats, read, tmp_path) -> None:
    trees = read(formats / "ud.conllu", extra={"columns": "TREE"}, annotator="anna")
    assert [(x.layer, x.item, x.labels) for x in trees.labels] == [
        ("tree", "ud#tale:1", ("3:case 3:det 0:root 3:nmod 3:punct",)),
        ("tree", "ud#second:1", ("0:root 1:amod",)),
    ]
    path = tmp_path / "ben.conllu"
    rows = ("1\ta\t_\t_\t_\t_\t{}\t{}\t_\t_", "2\tb\t_\t_\t_\t_\t1\tobj\t_\t_")
    sentences = [rows[0].format("0", "root") + "\n" + rows[1], rows[0].format("_", "_")]
    path.write_text("\n\n".join([*sentences, sentences[0] + "\n3\tc", sentences[0], ""]))
    found = read(path, annotator="ben", extra={"columns": "TREE", "offsets": "char"})
    assert [(x.item, x.labels[0]) for x in found.labels] == [
        ("ben:1", "0:root 1:obj"),
        ("ben:4", "0:root 1:obj"),
    ]
    assert [(x.rule, x.location, x.table_name) for x in found.rejected] == [
        ("missing_column", "line 8", "labels"),
        ("rejected_row", "line 9", "labels"),
    ]
    with pytest.raises(DataError, match="TREE is all that a source of trees reads"):
        read(path, extra={"columns": "a=TREE,b=UPOS"})
