"""A folder that came with a campaign is data: nothing in it is imported or taken as settings."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.flows.command_line import INSTALLED, accordeur_in, alone
from tests.flows.small import write_small

pytestmark = pytest.mark.services
_NOWHERE = "http://127.0.0.1:9/api"  # where nobody answers
_STUDY = """
[study]
name = "Small"
kind = "synthetic"
trials = 4
[items]
n_items = 20
[grid]
n_annotators = [3]
n_categories = [2]
[store]
url = "study-store"
[engine]
workers = 1
"""


class Hostile:
    """A campaign's folder with a module of every name that could be imported, and bad settings."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.marker = folder / "campaign", folder / "marker"
        self.campaign = write_small(self.folder)
        own = ("flows", "tasks", "metrics", "data", "reports", "accordeur", "sitecustomize")
        names = {*sys.stdlib_module_names, *packages_distributions(), *own, "usercustomize"}
        for name in names:
            text = f"open({str(self.marker)!r}, 'a').write({name + ' '!r})\nraise SystemExit(99)\n"
            (self.folder / f"{name}.py").write_text(text, encoding="utf-8")
        (self.folder / ".env").write_text(f"PREFECT_API_URL={_NOWHERE}\n")
        (self.folder / "prefect.toml").write_text(f'[api]\nurl = "{_NOWHERE}"\n')
        (self.folder / "pyproject.toml").write_text(f'[tool.prefect.api]\nurl = "{_NOWHERE}"\n')
        (self.folder / ".numba_config.yaml").write_text("cache_dir: cache\n")
        self.environment = alone(folder)

    def imported(self) -> str:
        return self.marker.read_text() if self.marker.exists() else ""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    return Hostile(tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "campaign.toml"],
        ["agree", "labels.csv"],
        ["gamma", "units.csv"],
        pytest.param(["audit", "campaign.toml", "--to", "bundle"], marks=pytest.mark.long),
        pytest.param(["study", "study.toml"], marks=pytest.mark.long),
        pytest.param(
            ["simulate", "prevalence", "--labels", "labels.csv", "--to", "pages"],
            marks=pytest.mark.long,
        ),
    ],
    ids=lambda arguments: arguments[0],
)
def test_nothing_in_the_working_directory_is_imported_or_obeyed(
    hostile: Hostile, arguments: list[str]
) -> None:
    (hostile.folder / "study.toml").write_text(_STUDY, encoding="utf-8")
    done = accordeur_in(hostile.folder, *arguments, environment=hostile.environment)
    assert hostile.imported() == ""
    assert "Traceback" not in done.stderr
    assert done.returncode in ((0, 1) if arguments[0] in ("check", "audit") else (0,)), done.stderr
    assert not (hostile.folder / "cache").exists()
    assert list((hostile.folder.parent / "tmp").iterdir()) == []


@pytest.mark.long
def test_a_served_campaign_imports_nothing_of_its_working_directory(hostile: Hostile) -> None:
    serving = subprocess.Popen(
        [*INSTALLED, "serve", "campaign.toml", "--watch", "--look-every", "1"],
        cwd=hostile.folder,
        env=hostile.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    reports = hostile.folder / "runs" / "reports"
    before = len(list(reports.glob("*/report.html")))
    with (hostile.folder / "labels.csv").open("a") as stream:
        stream.write("d0,i9,anna,x\nd0,i9,ben,x\n")
    try:
        deadline = time.monotonic() + 240
        while len(list(reports.glob("*/report.html"))) == before and time.monotonic() < deadline:
            assert serving.poll() is None
            time.sleep(0.5)
    finally:
        serving.send_signal(signal.SIGTERM)
        output, _ = serving.communicate(timeout=60)
    assert hostile.imported() == ""
    assert len(list(reports.glob("*/report.html"))) > before, output[-3000:]
