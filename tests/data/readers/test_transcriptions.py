"""Texts of intervals as objects: the label of an item that the interval's bounds are."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError

OBJECTS = {"objects": "read"}


def textgrid(path: Path, tiers: dict[str, list[tuple[float, float, str]]]) -> Path:
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "0", "9", "<exists>"]
    lines.append(f"{len(tiers)}")
    for name, intervals in tiers.items():
        lines += ['"IntervalTier"', f'"{name}"', "0", "9", f"{len(intervals)}"]
        lines += [f'{start}\n{end}\n"{text}"' for start, end, text in intervals]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_text_of_an_interval_is_the_label_of_its_bounds(read, tmp_path) -> None:
    tiers = {
        "anna": [(0, 1.5, "the cat"), (1.5, 2, ""), (2, 3, "sleeps")],
        "ben": [(0, 1.5, "a cat"), (2, 3, "sleep")],
    }
    tables = read(textgrid(tmp_path / "tale.TextGrid", tiers), extra=OBJECTS)
    assert [(x.item, x.annotator, x.labels) for x in tables.labels] == [
        ("tale:0-1500", "anna", ("the cat",)),
        ("tale:2000-3000", "anna", ("sleeps",)),
        ("tale:0-1500", "ben", ("a cat",)),
        ("tale:2000-3000", "ben", ("sleep",)),
    ]
    assert not tables.units


def test_the_tier_of_a_speaker_is_a_part_of_the_item(read, tmp_path) -> None:
    (tmp_path / "tale").mkdir()
    path = tmp_path / "tale" / "anna.TextGrid"
    textgrid(path, {"CHI": [(0, 1, "cat")], "MOT": [(0, 1, "yes")]})
    speakers = {**OBJECTS, "paths": "{document}/{annotator}", "category": "tier"}
    tables = read(tmp_path, extra=speakers)
    assert [(x.item, x.layer, x.labels) for x in tables.labels] == [
        ("tale:CHI:0-1000", "", ("cat",)),
        ("tale:MOT:0-1000", "", ("yes",)),
    ]


ELAN = """<ANNOTATION_DOCUMENT><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="t1" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="900"/>
</TIME_ORDER>
<TIER TIER_ID="segments" LINGUISTIC_TYPE_REF="segment"><ANNOTATION><ALIGNABLE_ANNOTATION
ANNOTATION_ID="s" TIME_SLOT_REF1="t1" TIME_SLOT_REF2="t2"><ANNOTATION_VALUE/>
</ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER TIER_ID="a" LINGUISTIC_TYPE_REF="words" PARENT_REF="segments" ANNOTATOR="anna">
<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a1" ANNOTATION_REF="s"><ANNOTATION_VALUE>the
</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION><ANNOTATION><REF_ANNOTATION ANNOTATION_ID="a2"
ANNOTATION_REF="s" PREVIOUS_ANNOTATION="a1"><ANNOTATION_VALUE>cat</ANNOTATION_VALUE>
</REF_ANNOTATION></ANNOTATION></TIER>
<TIER TIER_ID="b" LINGUISTIC_TYPE_REF="words" PARENT_REF="segments" ANNOTATOR="ben">
<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="b1" ANNOTATION_REF="s"><ANNOTATION_VALUE>a cat
</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>"""


def test_the_annotations_of_one_parent_are_one_text(read, tmp_path) -> None:
    (tmp_path / "tale.eaf").write_text(ELAN, encoding="utf-8")
    tables = read(tmp_path / "tale.eaf", extra=OBJECTS)
    assert [(x.item, x.annotator, x.layer, x.labels) for x in tables.labels] == [
        ("tale:0-900", "anna", "words", ("the cat",)),
        ("tale:0-900", "ben", "words", ("a cat",)),
    ]
    assert [(x.location, x.reason) for x in tables.excluded] == [("s", "empty_answer")]


def test_what_is_read_of_an_interval_is_units_or_read(read, tmp_path) -> None:
    path = textgrid(tmp_path / "tale.TextGrid", {"anna": [(0, 1, "cat")]})
    with pytest.raises(DataError, match="the allowed values are units and read"):
        read(path, extra={"objects": "texts"})


def test_an_utterance_of_chat_is_the_label_of_its_speaker_and_time(corpora: Path, read) -> None:
    tables = read(corpora / "formats" / "chat.cha", extra={"paths": "{document}/{annotator}"})
    document = "formats"
    assert [(x.item, x.annotator, x.layer, x.labels) for x in tables.labels] == [
        (f"{document}:MOT:120-1450", "chat", "utterances", ("what is that ?",)),
        (f"{document}:CHI:1450-2900", "chat", "utterances", ("&-um <a kitty> [/] a kitty 😀 .",)),
        (f"{document}:CHI:3", "chat", "utterances", ("0 .",)),
    ]
    assert [(x.location, x.reason, x.n_rows) for x in tables.excluded] == [
        ("line 14", "empty_answer", 1),
        ("%com", "other_layer", 1),
        ("%mor", "other_layer", 1),
        ("%act", "other_layer", 1),
    ]
    assert {x.annotator for x in read(corpora / "formats" / "chat.cha").labels} == {"anna"}


def test_a_chat_file_without_its_end_is_unfinished(corpora: Path, read, tmp_path) -> None:
    text = (corpora / "formats" / "chat.cha").read_text(encoding="utf-8")
    (tmp_path / "cut.cha").write_text(text.replace("@End", "lost"), encoding="utf-8")
    tables = read(tmp_path / "cut.cha")
    assert [x.rule for x in tables.rejected] == ["unknown_row", "damaged"]
    assert [x.state for x in tables.assignments] == ["unfinished"]


def test_a_time_that_cannot_be_read_rejects_its_utterance(corpora: Path, read, tmp_path) -> None:
    text = (corpora / "formats" / "chat.cha").read_text(encoding="utf-8")
    for damaged in ("9" * 5000, "1450x"):
        (tmp_path / "cut.cha").write_text(text.replace("1450_", f"{damaged}_"), encoding="utf-8")
        tables = read(tmp_path / "cut.cha")
        assert [x.rule for x in tables.rejected] == ["unknown_row"]
        assert "START_END" in tables.rejected[0].message
