"""The rows of a declared source: the campaign's names, batches, roles and layers on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.blocks import as_records
from accordeur.data.errors import DataError
from accordeur.data.intake.source_rows import source_rows
from accordeur.data.schema import Assignment, Document, Label
from accordeur.flows.campaign.file.sources import Source


def rows(path: Path, **declared: object) -> list[object]:
    path.write_text("document,item,annotator,tone\nmay-1,i,anna,good\njune-2,i,anna,bad\n")
    source = Source.model_validate({"path": str(path), **declared})
    return list(as_records(source_rows(source)))


TONE = {"options": {"label": "tone"}}


def test_layers_bear_the_names_of_the_campaign(tmp_path: Path) -> None:
    plain = [r for r in rows(tmp_path / "x.csv", **TONE) if isinstance(r, Label)]
    named = rows(tmp_path / "x.csv", layer_names={plain[0].layer: "mood"}, **TONE)
    assert {r.layer for r in named if isinstance(r, Label)} == {"mood"}


def test_batches_are_read_off_the_names_of_documents(tmp_path: Path) -> None:
    found = rows(tmp_path / "x.csv", batch_pattern="^([^-]+)-", **TONE)
    batches = {r.document: r.batch for r in found if isinstance(r, Document)}
    assert batches == {"may-1": "may", "june-2": "june"}


def test_the_role_of_the_source_is_that_of_its_annotators(tmp_path: Path) -> None:
    found = rows(tmp_path / "x.csv", role="system", **TONE)
    assert {r.role for r in found if isinstance(r, Assignment)} == {"system"}


def test_what_cannot_be_read_at_all_is_an_error(tmp_path: Path) -> None:
    source = Source.model_validate({"path": str(tmp_path / "none.csv")})
    with pytest.raises(DataError, match="no such file"):
        list(source_rows(source))
