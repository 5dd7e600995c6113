"""TextGrid, ELAN and RTTM: milliseconds, gaps, annotators; the truth tables of ChildProject."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from tests.data.readers.both_ways import read_both_ways


@pytest.fixture(scope="module")
def formats(corpora: Path) -> Path:
    return corpora / "formats"


def bounds(units) -> list[tuple[int, int]]:
    return [(u.start_offset, u.end_offset) for u in units]


def truth(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_short_textgrid_in_utf16(formats, read) -> None:
    tables = read(formats / "short_utf16.TextGrid")
    (unit,) = tables.units
    assert (unit.annotator, unit.category) == ("שרה", '😀 "said" item [1]: text = 4')
    assert (unit.start_offset, unit.end_offset) == (500, 1001)  # 1.0005 s: halves up
    assert tables.documents[0].length == 3500
    assert [(r.rule, r.annotator) for r in tables.rejected] == [("zero_length", "bell")]
    states = {a.annotator: a.state for a in tables.assignments}
    assert states == {"שרה": "finished", "bell": "finished", "empty": "finished_empty"}


def test_textgrid_annotator_of_the_path(formats, read, tmp_path) -> None:
    (tmp_path / "tale").mkdir()
    for who in ("anna", "ben"):
        data = (formats / "short_utf16.TextGrid").read_bytes()
        (tmp_path / "tale" / f"{who}.TextGrid").write_bytes(data)
    tables = read(
        tmp_path, "textgrid", extra={"paths": "{document}/{annotator}", "tiers": "שרה,empty"}
    )
    assert [(u.document, u.annotator, u.layer) for u in tables.units] == [
        ("tale", "anna", "שרה"),
        ("tale", "ben", "שרה"),
    ]
    assert [a.annotator for a in tables.assignments] == ["anna", "ben"]


def test_textgrid_with_a_tier_a_speaker(formats, read, tmp_path) -> None:
    (tmp_path / "tale").mkdir()
    path = tmp_path / "tale" / "anna.TextGrid"
    path.write_bytes((formats / "short_utf16.TextGrid").read_bytes())
    extra = {"paths": "{document}/{annotator}", "category": "tier"}
    (unit,) = read(tmp_path, "textgrid", extra=extra).units
    assert (unit.annotator, unit.layer, unit.category) == ("anna", "", "שרה")
    assert unit.attributes == (("text", '😀 "said" item [1]: text = 4'),)
    read_both_ways(path, "textgrid", SourceOptions(extra=extra))
    for wrong in ({"category": "tier"}, {"category": "speaker"}):
        with pytest.raises(DataError, match="category"):
            read(path, "textgrid", extra=wrong)


def test_elan_with_a_tier_a_speaker(formats, read) -> None:
    path = formats / "unaligned.eaf"
    by_value = read(path, annotator="anna").units
    units = read(path, annotator="anna", extra={"category": "tier"}).units
    assert {u.layer for u in units} == {""}
    assert [u.category for u in units] == [u.layer for u in by_value]
    kept = [dict(u.attributes).get("value", "") for u in units]
    assert kept == [u.category for u in by_value]
    assert all("value" not in dict(u.attributes) for u in by_value)
    of_types = read(path, extra={"category": "tier"}).units
    assert {u.layer for u in of_types} == {u.layer for u in read(path).units}


def test_cut_textgrid_keeps_what_came_before(formats, read, tmp_path) -> None:
    text = (formats / "short_utf16.TextGrid").read_text("utf-16")
    path = tmp_path / "cut.TextGrid"
    path.write_text(text[: text.index('"bell"')], "utf-8")
    tables = read(path)
    assert len(tables.units) == 1
    assert [r.rule for r in tables.rejected] == ["damaged"]
    path.write_bytes(b"ooBinaryFile\x08TextGrid\0\0")
    with pytest.raises(DataError, match="binary TextGrid"):
        read(path)


def test_elan_unaligned_and_reference_annotations(formats, read) -> None:
    tables = read(formats / "unaligned.eaf")
    words = tables.by("units", layer="word")
    assert bounds(words) == [(1000, 1300), (1300, 1600), (1600, 1900)]  # even, as ELAN shows them
    assert words[1].source_offsets == "ts2 ts3 (unaligned: ts2 ts3)"
    tags = tables.by("units", layer="pos")
    assert [(u.category, u.start_offset, u.end_offset) for u in tags] == [
        ("NOUN", 1450, 1900),
        ("DET", 1000, 1450),
    ]
    assert {u.annotator for u in (*words, *tags)} == {"anna"}  # from the parent tier
    assert {u.attributes for u in tags} == {(("parent", "a1"),)}
    assert [(r.rule, r.location) for r in tables.rejected] == [
        ("unaligned_time", "a9"),
        ("unaligned_time", "a7"),
    ]
    assert {a.annotator: a.state for a in tables.assignments} == {
        "anna": "finished",
        "ben": "finished",
        "zoe": "finished_empty",
    }
    assert tables.by("units", annotator="ben")[0].category == ""
    strict = read(formats / "unaligned.eaf", extra={"unaligned": "reject"})
    assert not strict.by("units", layer="word")


@pytest.mark.parametrize(
    ("origin", "annotators"),
    [
        ("participant", {"CHI", "speech-ben", "speech-zoe"}),
        ("tier", {"speech-anna", "speech-ben", "speech-zoe"}),
    ],
)
def test_elan_annotators(formats, read, origin, annotators) -> None:
    tables = read(formats / "unaligned.eaf", extra={"annotator_from": origin})
    assert {a.annotator for a in tables.assignments} == annotators


def test_rttm_end_is_onset_plus_duration(formats, read) -> None:
    tables = read(formats / "speakers.rttm")
    found = [(u.document, u.category, u.start_offset, u.end_offset) for u in tables.units]
    assert found == [("tale", "Anna", 13993, 15058), ("שיר", "שרה", 1000, 1500)]
    assert {u.annotator for u in tables.units} == {"speakers"}
    assert [(r.location, r.rule) for r in tables.rejected] == [
        ("line 4", "zero_length"),  # 0.5 ms to 1 ms, halves up: both ends are 1
        ("line 5", "zero_length"),
        ("line 6", "end_before_start"),
        ("line 7", "not_a_time"),
        ("line 8", "not_a_time"),
        ("line 9", "missing_field"),
        ("line 11", "unknown_type"),
    ]
    words = read(formats / "speakers.rttm", extra={"types": "LEXEME"}, annotator="asr")
    assert [(u.annotator, u.start_offset, u.end_offset) for u in words.units] == [
        ("asr", 1000, 1500)
    ]


@pytest.mark.shared
@pytest.mark.parametrize("extension", ["TextGrid", "eaf"])
def test_pygamma_units(shared_data: Path, read, extension) -> None:
    path = shared_data / "pygamma_tests" / f"MaureenMarvinRobin.{extension}"
    everyone = read(path)
    assert len(everyone.units) == 4
    assert {a.annotator for a in everyone.assignments} == {"Maureen", "Marvin", "Robin"}
    assert bounds(everyone.by("units", annotator="Maureen")) == [(1006, 1896), (3738, 4926)]
    assert len(read(path, extra={"tiers": "Maureen,Robin"}).units) == 3


@pytest.mark.shared
def test_childproject_textgrid_is_its_truth_table(shared_data: Path, read) -> None:
    folder = shared_data / "childproject"
    tables = read(folder / "data" / "textgrid.TextGrid")
    rows = truth(folder / "truth" / "textgrid.csv")
    assert len(rows) == 5
    assert sorted(
        (u.start_offset, u.end_offset, u.annotator, u.category) for u in tables.units
    ) == sorted(
        (int(r["segment_onset"]), int(r["segment_offset"]), r["speaker_id"], r["ling_type"])
        for r in rows
    )


@pytest.mark.shared
def test_childproject_eaf_is_its_truth_table(shared_data: Path, read) -> None:
    """Tiers of speakers with the vocal maturity (vcm@…) of their utterances, joined by parent."""
    folder = shared_data / "childproject"
    tables = read(folder / "data" / "eaf.eaf", extra={"annotator_from": "tier"})
    assert len(tables.units) == 514
    assert not tables.rejected
    maturity = {dict(u.attributes)["parent"]: u.category for u in tables.units if u.layer == "VCM"}
    # the truth table has the tiers of speakers, of which it knows the types
    speakers = {"CHI", "FA1", "FA2", "MA1", "MC1"}
    found = sorted(
        (
            u.start_offset,
            u.end_offset,
            u.annotator,
            maturity.get(u.unit, "NA") or "NA",
            u.category or "NA",
        )
        for u in tables.units
        if u.annotator in speakers and u.layer == "transcription"
    )
    expected = sorted(
        (
            int(r["segment_onset"]),
            int(r["segment_offset"]),
            r["speaker_id"],
            r["vcm_type"],
            r["transcription"],
        )
        for r in truth(folder / "truth" / "eaf.csv")
    )
    assert len(expected) == 222
    assert found == expected


@pytest.mark.shared
def test_childproject_rttm_and_any_tier(shared_data: Path, read) -> None:
    folder = shared_data / "childproject" / "data"
    voices = read(folder / "vtc.rttm")
    assert len(voices.units) == 15
    assert {d.document for d in voices.documents} == {
        "namibie_aiku_20160714_1",
        "namibie_aiku_20170315_2",
    }
    fem = voices.by("units", category="FEM")[0]
    assert (fem.start_offset, fem.end_offset) == (
        1985492,
        1988951,
    )  # 1985.4920000000002 + 3.4589999999999996
    assert len(read(folder / "vcm.rttm").units) == 20
    any_tier = read(folder / "eaf_any_tier.eaf")
    assert (len(any_tier.units), len(any_tier.rejected)) == (455, 0)
