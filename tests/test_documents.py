"""The documentation says what is so: commands exist, sections are valid, links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from accordeur.flows.campaign.file.config import CampaignEngine
from accordeur.flows.cli import app
from accordeur.flows.schedule.notify_config import Notify
from accordeur.metrics.measures import MEASURES
from accordeur.reports.measure_facts import details, formulas, measure_groups

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
INSTALL = ROOT / "install"
GENERATED = ("measures", "commands", "campaign-file", "formats", "files")  # docs/reference.py
PAGES = sorted(
    page
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
    if not {page.stem, page.parent.name}.intersection(GENERATED)
)
FROM_ELSEWHERE = re.compile(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(https?:[^"]+)"')
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" in target:
            continue
        there = (page.parent / target).resolve()
        if {there.stem, there.parent.name}.intersection(GENERATED):
            assert there.stem in (*MEASURES, *GENERATED), target
        else:
            assert there.exists(), target


@pytest.mark.long
@pytest.mark.browser
def test_the_site_is_built_and_its_search_answers(tmp_path: Path) -> None:
    """All code of its pages is executed; a warning of the builder is an error."""
    site = tmp_path / "site"
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = ["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    done = subprocess.run(
        [sys.executable, *command, "-d", str(tmp_path / "cache"), str(DOCS), str(site)],
        env={**os.environ, "PATH": here},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    for page in site.rglob("*.html"):
        loaded = FROM_ELSEWHERE.findall(page.read_text(encoding="utf-8"))
        assert loaded == [], page
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(index.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    terms = {**index["titleterms"], **index["terms"]}
    for question, answer in {
        ("good",): "concepts/what-is-a-good-value",
        ("overlap", "categori"): "how-to/distances-between-categories",
        ("exclud", "annot"): "how-to/exclude",
        ("schedul",): "how-to/scheduling",
        ("cite",): "how-to/cite-a-value",
    }.items():
        found = []
        for word in question:
            hits = [terms.get(word, []), index["titleterms"].get(word, [])]
            found.append({n for hit in hits for n in (hit if isinstance(hit, list) else [hit])})
        names = {index["docnames"][n] for n in set.intersection(*found)}
        assert any(answer in name for name in names), (question, sorted(names))


def test_links_of_the_demonstration_lead_to_files() -> None:
    text = (ROOT / "docs" / "demonstration.html").read_text(encoding="utf-8")
    targets = set(re.findall(r'href="([^"#:]+)"', text))
    assert targets  # its rejected rows name the exports' files
    assert [one for one in targets if not (ROOT / "docs" / one).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_have_the_options_that_pages_give_them(page: Path) -> None:
    runner = CliRunner()
    for block in (*blocks(page, "sh"), *blocks(page, "yaml")):
        for written in block.splitlines():
            line = re.sub(r"^\s*(?:- )?(?:run: )?", "", written)
            found = re.match(r"(?:\.venv/bin/)?accordeur ([a-z]+)(.*?)(?:\s{2,}#.*)?$", line)
            if not found:
                continue
            command, rest = found.groups()
            told = runner.invoke(app, [command, "--help"], env={"COLUMNS": "300"})
            assert told.exit_code == 0, line
            for option in OPTION.findall(rest):
                assert option in told.output, line


@pytest.mark.parametrize("name", ["engines.md", "notifications.md"])
def test_sections_of_pages_are_valid(name: str) -> None:
    checked = 0
    for block in blocks(DOCS / "how-to" / name, "toml"):
        for section, model in (("engine", CampaignEngine), ("notify", Notify)):
            if section in (found := tomllib.loads(block)):
                model.model_validate(found[section])
                checked += 1
    assert checked


def test_the_scheduling_page_names_every_deployment() -> None:
    page = (DOCS / "how-to" / "scheduling.md").read_text(encoding="utf-8")
    deployed = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    for one in deployed:
        assert f"/{one['name']}`" in page


def test_every_measure_has_a_formula_on_its_page() -> None:
    assert [name for name, one in MEASURES.items() if not formulas(one)] == []
    assert [name for name in details() if name not in MEASURES] == []


def test_every_measure_stands_in_a_list() -> None:
    listed = {one.name for members in measure_groups().values() for one in members}
    assert [name for name in MEASURES if name not in listed] == []


def test_every_key_of_the_campaign_file_says_what_it_means() -> None:
    schema = json.loads((DOCS / "campaign.schema.json").read_text(encoding="utf-8"))
    sections = {"": schema, **schema["$defs"]}
    silent = [
        f"{name}.{key}"
        for name, section in sections.items()
        for key, value in section.get("properties", {}).items()
        if not value.get("description") and "$ref" not in value  # a section describes itself
    ]
    assert silent == []


def test_the_container_runs_as_an_ordinary_user() -> None:
    lines = (INSTALL / "Containerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["accordeur"]
    last = max(k for k, line in enumerate(lines) if line.startswith(("USER", "ENTRYPOINT", "CMD")))
    assert not any(line.startswith("USER root") for line in lines[:last])
    copied = [Path(line.split()[1]) for line in lines if line.startswith("COPY")]
    assert all((ROOT / path).exists() for path in copied)
    assert not any(line.startswith("EXPOSE") for line in lines)


def test_the_container_installs_only_files_with_known_hashes() -> None:
    lines = (INSTALL / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    installs = [line for line in lines if "pip install" in line]
    assert [
        ("--require-hashes -r install/requirements.lock" in line, "." in line.split())
        for line in installs
    ] == [
        (True, False),
        (False, True),
    ]  # the second is Accordeur itself, built by the locked hatchling
    assert all("--no-deps" in line for line in installs)
    assert "--no-build-isolation" in installs[1]
    lock = (INSTALL / "requirements.lock").read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\S)", lock.strip())
    assert len(blocks) > 100
    without = [
        one.split()[0]
        for one in blocks
        if not re.match(r"[\w.-]+==", one) or not re.search(r"--hash=sha256:[0-9a-f]{64}\b", one)
    ]
    assert without == []
    assert any(one.startswith("hatchling==") for one in blocks)
    passed = (INSTALL / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [path for line in lines if line.startswith("COPY") for path in line.split()[1:-1]]
    assert {f"!{path}" for path in copied} <= set(passed)


def test_the_table_of_very_large_runs_is_what_the_model_says() -> None:
    script = ROOT / "benchmarks" / "runs" / "scale_model.py"
    spec = importlib.util.spec_from_file_location("scale_model", script)
    assert spec is not None
    assert spec.loader is not None
    model = importlib.util.module_from_spec(spec)
    sys.modules["scale_model"] = model  # what its dataclass looks itself up in
    spec.loader.exec_module(model)
    assert model.table() in (DOCS / "how-to" / "scale.md").read_text(encoding="utf-8")
    measured = {1_000: 16.2, 8_000: 20.1, 32_000: 39.3}  # seconds of CPU (results/scale-model.md)
    for documents, cpu in measured.items():
        assert model.Load(documents, 2).cpu() == pytest.approx(cpu, rel=0.08)
    between = (113.8 - 38.2) / 90_000  # of runs of 10,000 and 100,000 (results/scale-sizes.md)
    assert pytest.approx(between, rel=0.02) == model.CPU_A_DOCUMENT
