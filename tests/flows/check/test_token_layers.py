"""Tokens that only relations stand on are no layer that anybody annotated."""

from __future__ import annotations

import json
from pathlib import Path

from tests.data.readers.uima import samples as uima
from tests.flows.command_line import accordeur


def write_export(folder: Path) -> Path:
    (folder / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
    for document in ("one", "two"):
        (folder / document).mkdir()
        for name in ("anna", "ben"):
            (folder / document / f"{name}.xmi").write_bytes(uima.xmi(annotator=name))
    return folder


def test_check_and_gamma_do_not_propose_them(tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    path = write_export(tmp_path / "export")
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "x"\n[[sources]]\npath = "{path}"\n'
        'options = { paths = "{document}/{annotator}" }\n'
    )
    found = accordeur("check", campaign, "--json")
    names = {one["name"] for one in json.loads(found.stdout)["layers"]}
    assert {"NamedEntity", "POS", "Dependency"} <= names
    assert "Token" not in names
    several = accordeur("gamma", path, "--option", "paths={document}/{annotator}")
    assert several.returncode == 2
    assert "several layers" in several.stderr
    assert "'POS'" in several.stderr
    assert "Token" not in several.stderr
