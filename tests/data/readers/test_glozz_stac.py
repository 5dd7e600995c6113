"""The STAC corpus as Glozz has it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest


@pytest.mark.shared
def test_every_file_of_stac(shared_data: Path, read) -> None:
    tables = read(shared_data / "stac_glozz", "glozz")
    # 102 .aa files, 20 of them before any annotator (unannotated)
    assert len(tables.assignments) == 82
    assert len(tables.documents) == len({one.document for one in tables.documents}) == 42
    assert Counter(a.role for a in tables.assignments) == {"human": 42, "reference": 40}
    assert Counter(a.annotator for a in tables.assignments) == {
        "SILVER": 28,
        "BRONZE": 12,
        "lpetersen": 28,
        "hjoseph": 12,
        "glozz-sample": 2,
    }
    # one text was changed after its annotation: corpusHashcode 1584-…, 1529 characters
    (changed,) = tables.by("rejected", rule="corpus_hashcode")
    assert changed.source == "s1-league2-game1/discourse/lpetersen/s1-league2-game1_01.aa"
    assert Counter(r.rule for r in tables.rejected) == {"corpus_hashcode": 1, "members": 11}
    assert not tables.by("units", category="paragraph")
    assert (len(tables.units), len(tables.relations)) == (5935, 1539)
    texts = {d.document: d.text for d in tables.documents}
    # a turn begins with its number, which its feature Identifier has (where it is filled in)
    turns = [u for u in tables.by("units", category="Turn") if dict(u.attributes)["Identifier"]]
    assert len(turns) > 1500
    for unit in turns:
        text = texts[unit.document][unit.start_offset : unit.end_offset]
        assert text.split()[0] == dict(unit.attributes)["Identifier"]


@pytest.mark.shared
def test_annotator_against_reference(shared_data: Path, read) -> None:
    game = shared_data / "stac_glozz" / "s1-league2-game1"
    tables = read(game, "glozz", extra={"paths": "**/{annotator}/*"})
    by_document: dict[str, set[str]] = {}
    for assignment in tables.assignments:
        by_document.setdefault(assignment.document, set()).add(assignment.annotator)
    assert len(by_document) == 28
    assert set(map(frozenset, by_document.values())) == {
        frozenset({"SILVER", "lpetersen"}),
        frozenset({"SILVER", "hjoseph"}),
    }
