"""The documentation says what is so: commands exist, sections are valid, links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from accordeur.flows.campaign.file.config import CampaignEngine
from accordeur.flows.cli import app
from accordeur.flows.schedule.notify_config import Notify

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_links_of_the_demonstration_lead_to_files() -> None:
    text = (ROOT / "docs" / "demonstration.html").read_text(encoding="utf-8")
    targets = set(re.findall(r'href="([^"#:]+)"', text))
    assert targets  # its rejected rows name the exports' files
    assert [one for one in targets if not (ROOT / "docs" / one).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_the_options_that_pages_give_them(page: Path) -> None:
    runner = CliRunner()
    for block in blocks(page, "sh"):
        for line in block.splitlines():
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
    for block in blocks(ROOT / "docs" / name, "toml"):
        for section, model in (("engine", CampaignEngine), ("notify", Notify)):
            if section in (found := tomllib.loads(block)):
                model.model_validate(found[section])
                checked += 1
    assert checked


def test_the_scheduling_page_names_every_deployment() -> None:
    page = (ROOT / "docs" / "scheduling.md").read_text(encoding="utf-8")
    deployed = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    for one in deployed:
        assert f"/{one['name']}`" in page


def test_the_container_runs_as_an_ordinary_user() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users == ["accordeur"]
    last = max(k for k, line in enumerate(lines) if line.startswith(("USER", "ENTRYPOINT", "CMD")))
    assert not any(line.startswith("USER root") for line in lines[:last])
    copied = [Path(line.split()[1]) for line in lines if line.startswith("COPY")]
    assert all((ROOT / path).exists() for path in copied)
    assert not any(line.startswith("EXPOSE") for line in lines)


def test_the_table_of_very_large_runs_is_what_the_model_says() -> None:
    script = ROOT / "benchmarks" / "runs" / "scale_model.py"
    spec = importlib.util.spec_from_file_location("scale_model", script)
    assert spec is not None
    assert spec.loader is not None
    model = importlib.util.module_from_spec(spec)
    sys.modules["scale_model"] = model  # what its dataclass looks itself up in
    spec.loader.exec_module(model)
    assert model.table() in (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    measured = {1_000: 16.2, 8_000: 20.1, 32_000: 39.3}  # seconds of CPU (results/scale-model.md)
    for documents, cpu in measured.items():
        assert model.Load(documents, 2).cpu() == pytest.approx(cpu, rel=0.08)
    between = (113.8 - 38.2) / 90_000  # of runs of 10,000 and 100,000 (results/scale-sizes.md)
    assert pytest.approx(between, rel=0.02) == model.CPU_A_DOCUMENT
