"""Annotations of one annotator that coincide in span and category and differ in another feature."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data.readers.test_layers_of_several_features import ANNA, BEN, FORMATS, write_export
from tests.flows.command_line import accordeur

GATE = """<?xml version="1.0"?><GateDocument><TextWithNodes><Node id="0"/>The<Node id="3"/> sea
</TextWithNodes><AnnotationSet Name="anna">
<Annotation Id="1" Type="A" StartNode="0" EndNode="3"><Feature><Name>k</Name><Value>1</Value>
</Feature></Annotation>
<Annotation Id="2" Type="A" StartNode="0" EndNode="3"><Feature><Name>k</Name><Value>2</Value>
</Feature></Annotation>
<Annotation Id="3" Type="br" StartNode="3" EndNode="3"/>
<Annotation Id="4" Type="br" StartNode="3" EndNode="3"/></AnnotationSet></GateDocument>"""


@pytest.mark.parametrize("format", FORMATS)
def test_they_are_one_unit_and_the_others_are_excluded(format, tmp_path, read) -> None:
    path = write_export(format, tmp_path, anna=ANNA, ben=BEN)
    found = read(path, extra={"category": "RType"})
    assert [(u.start_offset, u.category) for u in found.by("units", annotator="anna")] == [
        (0, "order"),
        (4, "question"),
    ]
    assert [(r.reason, r.annotator, r.n_rows) for r in found.excluded] == [("coincides", "anna", 1)]
    assert not found.rejected
    # of the other feature they are two categories of one span
    assert len(read(path, extra={"category": "Medium"}).by("units", annotator="anna")) == 3


def test_the_value_is_that_of_the_units_without_them(tmp_path: Path) -> None:
    """γ of what is measured, span and category, does not depend on a feature beside it."""
    values = []
    for name, given in (("with", ANNA), ("without", ANNA[:2])):
        home = tmp_path / name
        home.mkdir()
        path = write_export("webanno_tsv", home, anna=given, ben=BEN)
        done = accordeur("gamma", path, "--option", "category=RType", "--json")
        assert done.returncode == 0, done.stderr
        values.append([one["value"] for one in json.loads(done.stdout)["results"]])
        assert "delete" not in done.stdout + done.stderr
    assert values[0] == values[1]


def test_gate_has_them_too_and_markup_without_extent(tmp_path: Path, read) -> None:
    (tmp_path / "d.xml").write_text(GATE)
    found = read(tmp_path / "d.xml")
    assert [u.category for u in found.units] == ["A"]
    assert sorted((r.reason, r.location, r.n_rows) for r in found.excluded) == [
        ("coincides", "2", 1),
        ("zero_length", "annotations of zero length", 2),
    ]
    assert not found.rejected


def test_nothing_advises_to_delete() -> None:
    from accordeur.data.validation.rules import RULES

    assert not [rule.name for rule in RULES if "delete" in rule.advice or "remove" in rule.advice]
