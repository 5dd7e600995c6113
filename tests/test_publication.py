"""What archives and registries read states one version, one date, one address."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def script(name: str) -> ModuleType:
    """Import a script of the folder `install`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "install" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


publication, licences = script("publication"), script("licences")


@pytest.mark.parametrize("name", publication.files(publication.publication()))
def test_the_files_state_the_newest_release(name: str) -> None:
    written = publication.files(publication.publication())[name]
    assert (ROOT / name).read_text(encoding="utf-8") == written, "run `make publication`"


def test_a_new_address_and_version_reach_every_file(tmp_path: Path) -> None:
    for name in ("CHANGELOG.md", "pyproject.toml", *publication.WITH_ADDRESSES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("## [Unreleased]", "## [8.7.6] – 2031-02-03", 1)
        text = re.sub(r"https://github.com/[\w.-]+/", "https://github.com/tuners/", text)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = publication.files(publication.publication(tmp_path), tmp_path)
    for name in ("CITATION.cff", "codemeta.json", ".zenodo.json"):
        for stated in ("8.7.6", "2031-02-03", "https://github.com/tuners/accordeur"):
            assert stated in found[name], name
    page = found[publication.WITH_ADDRESSES[0]]
    assert "https://github.com/tuners/accordeur\n    rev: v8.7.6" in page
    assert "uses: tuners/accordeur@v8.7.6" in page
    assert "<https://github.com/tuners/accordeur/security" in found["SECURITY.md"]


def test_without_a_release_there_is_nothing_to_state(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no heading such as"):
        publication.publication(tmp_path)


def test_every_address_of_the_project_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository = project["urls"]["Repository"]
    assert all(url.startswith(repository) for url in project["urls"].values())


@pytest.mark.parametrize("lock", licences.LOCKS)
def test_every_locked_package_has_a_line_with_its_licence(lock: str) -> None:
    text = (ROOT / "install/licences.md").read_text(encoding="utf-8")
    for name, versions in licences.locked(lock).items():
        line = f"| {name} | {', '.join(sorted(versions))} | "
        assert line in text, "run `make licences`"
