"""ELAN: chains of tiers of any depth, and tiers of speakers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.notes import SourceNotes
from accordeur.data.readers.sources import read_source
from tests.flows.in_process import found, texts

CASES = Path(__file__).parent / "cases"
ROUGHLY = ("--replicates", "0", "--precision", "0.3")


def eaf(path: Path, tiers: str, *, slots: str = "0 - 1000") -> Path:
    """Write an ELAN file; `-` among `slots` is a slot without a time, the first one is ts1."""
    times = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="ts{k}"' + ("" if at == "-" else f' TIME_VALUE="{at}"') + "/>"
        for k, at in enumerate(slots.split(), 1)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{times}</TIME_ORDER>{tiers}</ANNOTATION_DOCUMENT>"
    )
    return path


def tier(name: str, annotations: str, *, parent: str = "", more: str = 'ANNOTATOR="anna"') -> str:
    """A tier; its annotations are `a1=ts1-ts2` (in time) or `a2<a1` (of a parent)."""
    inside = ""
    for one in annotations.split():
        id, in_time, place = one.partition("=")
        if in_time:
            first, last = place.split("-")
            element = f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{id}" TIME_SLOT_REF1="{first}" '
            element += f'TIME_SLOT_REF2="{last}"/>'
        else:
            id, _, place = one.partition("<")
            element = f'<REF_ANNOTATION ANNOTATION_ID="{id}" ANNOTATION_REF="{place}"/>'
        inside += f"<ANNOTATION>{element}</ANNOTATION>"
    above = f'PARENT_REF="{parent}" ' if parent else ""
    return f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{name}" {above}{more}>{inside}</TIER>'


def test_a_tier_below_a_tier_of_references_is_a_layer() -> None:
    layout = ("--option", "paths={annotator}/{document}")
    result = found("gamma", CASES / "elan_third_level" / "in", *layout, "--layer", "pos", *ROUGHLY)
    assert (result["rows"]["measured"], result["rows"]["rejected"]) == (6, {})
    assert result["rows"]["n_annotators"] == 2


@pytest.mark.parametrize("in_order", [True, False])
def test_chains_of_any_depth_end_at_their_span(
    tmp_path: Path, read: Callable[..., Any], in_order: bool
) -> None:
    depth = 300
    tiers = [tier("t0", "a0=ts1-ts3")]
    tiers += [tier(f"t{k}", f"a{k}<a{k - 1}", parent=f"t{k - 1}") for k in range(1, depth)]
    path = eaf(tmp_path / "x.eaf", "".join(tiers if in_order else tiers[::-1]))
    tables = read(path)
    assert not tables.rejected
    assert {(u.start_offset, u.end_offset) for u in tables.units} == {(0, 1000)}
    assert len(tables.units) == depth
    assert {u.annotator for u in tables.units} == {"anna"}


@pytest.mark.parametrize("in_order", [True, False])
def test_a_division_of_a_division_is_placed_inside_it(
    tmp_path: Path, read: Callable[..., Any], in_order: bool
) -> None:
    tiers = [
        tier("utterance", "a1=ts1-ts5"),
        tier("word", "a2=ts1-ts3 a3=ts3-ts5", parent="utterance"),
        tier("syllable", "a4=ts1-ts2 a5=ts2-ts3 a6=ts3-ts4 a7=ts4-ts5", parent="word"),
        tier("half", "a8=ts1-ts6 a9=ts6-ts7 a10=ts7-ts2", parent="syllable"),
    ]
    path = eaf(
        tmp_path / "x.eaf", "".join(tiers if in_order else tiers[::-1]), slots="0 - - - 1200 - -"
    )
    tables = read(path)
    assert not tables.rejected
    places = {u.unit: (u.start_offset, u.end_offset) for u in tables.units}
    assert places["a2"] == (0, 600)
    assert [places[f"a{k}"] for k in range(4, 8)] == [(0, 300), (300, 600), (600, 900), (900, 1200)]
    assert [places[f"a{k}"] for k in range(8, 11)] == [(0, 100), (100, 200), (200, 300)]


@pytest.mark.parametrize(
    ("annotations", "reasons"),
    [
        (
            "b1<b2 b2<b1",
            {
                "b1": "its parent annotations form a cycle",
                "b2": "its parent annotations form a cycle",
            },
        ),
        ("b1<b1", {"b1": "its parent annotations form a cycle"}),
        ("b1<zz b2<b1", {"b1": "'zz' is not in the file", "b2": "'zz' is not in the file"}),
        (
            "b1<a9 b2<b1",
            {"b1": "belongs to the annotation 'a9'", "b2": "belongs to the annotation 'a9'"},
        ),
    ],
)
def test_a_chain_that_ends_nowhere_is_rejected_with_the_true_reason(
    tmp_path: Path, read: Callable[..., Any], annotations: str, reasons: dict[str, str]
) -> None:
    tiers = tier("t", "a1=ts1-ts3 a9=ts8-ts9") + tier("b", annotations, parent="t")
    tables = read(eaf(tmp_path / "x.eaf", tiers))
    assert [u.unit for u in tables.units] == ["a1"]
    found = {r.location: r for r in tables.rejected}
    assert {r.rule for r in tables.rejected} == {"unaligned_time"}
    for location, reason in reasons.items():
        assert reason in found[location].message


def test_tiers_that_are_their_own_parents_have_no_annotator(
    tmp_path: Path, read: Callable[..., Any]
) -> None:
    tiers = tier("t", "a1=ts1-ts3")
    tiers += tier("b", "b1=ts1-ts3", parent="c", more="") + tier(
        "c", "c1=ts1-ts3", parent="b", more=""
    )
    tables = read(eaf(tmp_path / "x.eaf", tiers))
    assert [u.unit for u in tables.units] == ["a1"]
    assert [(r.location, r.rule) for r in tables.rejected] == [
        ("b1", "cyclic_tier"),
        ("c1", "cyclic_tier"),
    ]
    assert "its own parent" in tables.rejected[0].message
    named = read(tmp_path / "x.eaf", extra={"paths": "{document}/{annotator}"})
    assert len(named.units) == 3


def test_speakers_are_reported_as_annotators() -> None:
    result = found("gamma", CASES / "elan_speakers_as_annotators" / "talk.eaf", *ROUGHLY)
    [warning] = [text for text in texts(result) if text.startswith("Tiers read as annotators")]
    assert "(2): MOT, CHI" in warning
    assert "speakers" in warning
    assert "'paths={document}/{annotator}'" in warning


@pytest.mark.parametrize(
    ("more", "extra", "tiers"),
    [
        ('PARTICIPANT="MOT"', {}, ["x"]),
        ("", {}, ["x"]),
        ('ANNOTATOR="anna"', {}, []),
        ('PARTICIPANT="MOT"', {"annotator_from": "tier"}, []),
        ('PARTICIPANT="MOT"', {"annotator_from": "participant"}, []),
        ('PARTICIPANT="MOT"', {"paths": "{document}/{annotator}"}, []),
    ],
)
def test_tiers_without_annotator_are_noted(
    tmp_path: Path, read: Callable[..., Any], more: str, extra: dict[str, str], tiers: list[str]
) -> None:
    path = eaf(tmp_path / "x.eaf", tier("x", "a1=ts1-ts3", more=more))
    notes = SourceNotes()
    read(path, extra=extra, notes=notes)
    assert notes.named.get("annotator_tiers", []) == tiers


def test_tiers_of_one_type_that_become_one_layer_are_named(tmp_path: Path) -> None:
    """Hands and gaze of two annotators, all tiers of the type that ELAN gives by default."""
    written = {}
    for who in ("anna", "ben"):
        more = f'ANNOTATOR="{who}"'
        hands = tier(f"hand_{who}", f"h{who}=ts1-ts2", more=more)
        gaze = tier(f"gaze_{who}", f"g{who}=ts3-ts4", more=more)
        written[who] = hands + gaze
    tiers = "".join(written.values())
    apart = eaf(tmp_path / "apart.eaf", tiers, slots="0 1000 1500 2500")
    for name in ("hand_anna", "gaze_anna", "hand_ben", "gaze_ben"):
        tiers = tiers.replace(f'TYPE_REF="{name}"', 'TYPE_REF="default-lt"')
    path = eaf(tmp_path / "one.eaf", tiers, slots="0 1000 1500 2500")
    told = " ".join(texts(found("gamma", path, *ROUGHLY)))
    assert "one layer (4): hand_anna, gaze_anna, hand_ben, gaze_ben" in told
    chosen = ("--option", "tiers=hand_anna,hand_ben")
    result = found("gamma", path, *chosen, *ROUGHLY)
    assert result["rows"]["measured"] == 2
    assert "read as one layer" not in " ".join(texts(result))
    notes = SourceNotes()
    list(read_source(str(apart), "elan", SourceOptions(notes=notes)))
    assert "joined_tiers" not in notes.named
