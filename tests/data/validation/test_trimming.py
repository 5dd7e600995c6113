"""Trimming of units by the text of their document, in quick looks and in the account of a shard."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.schema import Assignment, Document, Unit
from accordeur.data.validation.preparation import accepted_rows
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.toml_file import ConfigError
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.units.gamma_of_exports import gamma
from accordeur.tasks.units.units_of_exports import read_units

TEXT = "He met “Anna”, in Paris .  …"


def unit(name: str, start: int, end: int, *, document: str = "d", **more: object) -> Unit:
    return Unit(document, "ann", name, start, end, category="X", **more)  # type: ignore[arg-type]


def test_units_lose_blanks_and_punctuation_and_nothing_else() -> None:
    rows = [
        Document("d", len(TEXT), text=TEXT),
        Document("sound", 5000, offset_unit="ms"),
        *(Assignment(name, "ann") for name in ("d", "sound")),
        unit("quoted", 7, 14, surface="“Anna”,"),
        unit("inner", 0, 6, surface="He met"),
        unit("empty", 23, 28),  # blanks and punctuation alone stay
        unit("parts", 14, 24, fragments=((14, 17), (18, 24))),
        unit("beyond", 18, 99),
        unit("heard", 100, 200, document="sound"),
    ]
    found = accepted_rows(rows, trim=True, table="units")
    units = {row["unit"]: row for row in found.tables["units"].to_pylist()}
    bounds = {name: (row["start_offset"], row["end_offset"]) for name, row in units.items()}
    assert bounds == {
        "quoted": (8, 12), "inner": (0, 6), "empty": (23, 28), "parts": (14, 24),
        "heard": (100, 200),
    }  # fmt: skip
    assert units["quoted"]["surface"] == "Anna"
    assert (found.n_trimmed, found.n_without_text) == (1, 1)
    as_exported = accepted_rows(rows, table="units")
    assert as_exported.n_trimmed == as_exported.n_without_text == 0
    assert as_exported.tables["units"]["start_offset"].to_pylist()[0] == 7


def exports(folder: Path) -> Path:
    """Two annotators who differ by a comma and by blanks."""
    units = {
        "ann": "T1\tPER 7 11\tAnna\nT2\tLOC 16 21\tParis\n",
        "ben": "T1\tPER 7 12\tAnna,\nT2\tLOC 15 22\t Paris \n",
    }
    for name, lines in units.items():
        (folder / name).mkdir()
        (folder / name / "d.txt").write_text("He met Anna, in Paris .", encoding="utf-8")
        (folder / name / "d.ann").write_text(lines, encoding="utf-8")
    return folder


def test_gamma_trims_units_and_says_how_many(tmp_path: Path) -> None:
    folder = exports(tmp_path)
    asked = GammaOptions(measure="pairwise_f", trim=True, replicates=0)
    found = gamma([folder], Reading(), asked)
    assert found.estimates[0].value == 1.0
    assert "|trim:edges|" in found.estimates[0].signature
    [warning] = [one for one in found.warnings if one.code == "trimmed_units"]
    assert warning.figures["n"] == 2
    whole = gamma([folder], Reading(), GammaOptions(measure="pairwise_f", replicates=0))
    assert whole.estimates[0].value == 0.0
    assert "trim" not in whole.estimates[0].signature
    [continuum] = read_units([folder], trim=True).continua
    assert continuum.ends.tolist() == [11, 11, 21, 21]


def test_a_format_without_texts_says_so(tmp_path: Path) -> None:
    table = tmp_path / "units.csv"
    rows = [f"d,{who},{10 * u},{10 * u + 5},X" for who in ("ann", "ben") for u in range(3)]
    table.write_text("\n".join(["document,annotator,start,end,category", *rows]), "utf-8")
    found = gamma([table], Reading(), GammaOptions(measure="pairwise_f", trim=True, replicates=0))
    [warning] = [one for one in found.warnings if one.code == "units_without_text"]
    assert warning.figures["n"] == 6
    assert found.estimates[0].value == 1.0


def test_a_private_campaign_stores_no_text_to_trim_by(tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(
        '[campaign]\nname = "x"\nprivacy = true\n[[sources]]\npath = "."\n[units]\ntrim = true\n'
        '[annotators.ann]\npseudonym = "A"\n[validation]\nundeclared_annotators = "reject"\n',
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"remove units\.trim, which needs them"):
        load_campaign(file)
