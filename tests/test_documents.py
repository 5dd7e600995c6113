"""The documentation says what is so: commands exist, sections are valid, links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

from accordeur.data.readers.registry import readers
from accordeur.flows.campaign.file.run_sections import CampaignEngine
from accordeur.flows.cli import app
from accordeur.flows.schedule.deployments import (
    deployments_of_campaign,
    deployments_of_study,
)
from accordeur.flows.schedule.notify_config import Notify
from accordeur.metrics.measures import MEASURES
from accordeur.reports.measure_facts import details, formulas, measure_groups
from tests.reports.browser import launched

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
INSTALL = ROOT / "install"
# written when the site is built
GENERATED = (
    "measures", "commands", "campaign-file", "formats", "files", "certified-values", "reproduced",
    "letters",
)  # fmt: skip
PAGES = sorted(
    page
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
    if not {page.stem, page.parent.name}.intersection(GENERATED)
)
FROM_ELSEWHERE = re.compile(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(https?:[^"]+)"')
SEARCHED: dict[str, tuple[str, ...]] = {  # in people's words: the pages that answer
    "good gamma": ("concepts/gamma",),
    "gamma explained": ("concepts/gamma",),
    "what is a good kappa": ("concepts/what-is-a-good-value",),
    "kappa or alpha": ("how-to/choose-a-coefficient",),
    "reproduced": ("reference/reproduced",),
    "published values": ("reference/reproduced",),
    "drop annotator": ("how-to/exclude",),
    "leave out": ("how-to/exclude",),
    "exclude items": ("how-to/exclude",),
    "rare category": ("concepts/chance",),
    "prevalence": ("concepts/chance",),
    "kappa paradox": ("concepts/chance",),
    "F1 spans": (
        "how-to/f-of-spans",
        "how-to/references-and-systems",
        "tutorials/score-two-systems",
    ),
    "inter-rater": ("how-to/choose-a-coefficient", "how-to/ratings"),
    "LLM judge": ("how-to/judge-a-judge", "tutorials/replace-an-annotator", "concepts/replacing"),
    "how many annotators": ("how-to/plan", "concepts/resampling", "studies"),
    "ICC": ("how-to/ratings",),
    "confidence interval": ("concepts/intervals",),
    "Krippendorff alpha": ("how-to/choose-a-coefficient", "measures/krippendorff_alpha"),
    "Cohen kappa": ("measures/cohen_kappa", "choose-a-coefficient", "chance"),
    "weighted kappa": ("choose-a-coefficient", "measures/weighted_kappa", "distances"),
    "missing labels": ("how-to/missing-data",),
    "brat": ("tutorials/brat-to-verdict", "reference/formats", "exports"),
    "Label Studio": ("how-to/exports", "reference/formats", "adjudicate"),
    "ELAN": ("how-to/exports", "reference/formats"),
    "gold standard": ("how-to/references-and-systems", "how-to/consensus", "glossary"),
    "majority vote": ("how-to/consensus", "crowd-labels"),
    "adjudication": ("how-to/adjudicate",),
    "weekly schedule": ("how-to/scheduling", "weekly-campaign"),
    "compare two guidelines": ("how-to/before-and-after", "compare-runs"),
    "multi-label": ("how-to/features", "distances", "choose"),
    "disagreement as signal": ("how-to/disagreement-as-signal",),
    "error detection": ("how-to/find-mistakes",),
    "scikit-learn": ("how-to/coming-from",),
    "pygamma": ("how-to/coming-from",),
    "bootstrap": ("concepts/intervals",),
    "sample size": ("how-to/plan",),
    "active learning": ("how-to/choose-what",),
    "ordinal scale": ("distances", "choose-a-coefficient"),
    "cite": ("how-to/cite-a-value",),
    "low kappa but high percent agreement": ("concepts/chance",),
    "crowd workers spam detection": ("tutorials/crowd-labels",),
    "slack notification": ("how-to/notifications",),
    "ordinal scale likert": ("how-to/ratings",),
    "relation extraction agreement": ("how-to/relations",),
    "praat textgrid agreement": ("how-to/transcriptions", "reference/formats"),
}
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
def test_the_site_is_built_and_its_search_answers(
    tmp_path: Path, chromium: str, prefect_server: str
) -> None:
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
        text = page.read_text(encoding="utf-8")
        assert FROM_ELSEWHERE.findall(text) == [], page
        assert re.search(r"<script[^>]*mathjax", text, re.I) is None, page
    assert "<math" in (site / "reference" / "measures" / "cohen_kappa.html").read_text("utf-8")
    assert all((site / name).is_file() for name in ("llms.txt", "llms-full.txt"))
    assert (site / "demonstration.html").is_file()
    [letters] = site.rglob("letters.pyz")
    subprocess.run([sys.executable, "-P", letters, tmp_path / "letters"], cwd=tmp_path, check=True)
    assert (tmp_path / "letters" / "campaign.toml").is_file()
    lost = {
        question: found[:3]
        for question, found in found_by_search(site, chromium, SEARCHED).items()
        if not any(answer in page for page in found[:3] for answer in SEARCHED[question])
    }
    assert lost == {}


def found_by_search(site: Path, chromium: str, questions: Iterable[str]) -> dict[str, list[str]]:
    """The pages that the site's search lists for each question, best first."""
    handler = partial(QuietHandler, directory=str(site))
    found = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, launched(chromium) as browser:
        Thread(target=server.serve_forever, daemon=True).start()
        tab = browser.new_page()
        for question in questions:
            tab.goto(f"http://127.0.0.1:{server.server_port}/search.html?q={quote(question)}")
            tab.locator("#search-results h2", has_text="Search Results").wait_for()
            found[question] = tab.eval_on_selector_all(
                "#search-results ul.search > li > a", "(all) => all.map((a) => a.pathname)"
            )
        server.shutdown()
    return found


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


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


def test_the_numbers_of_the_readme_are_those_of_the_product() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| coefficients on items | {len(measure_groups()['Agreement on items'])} |" in readme
    assert "Accordeur reads over 20 formats" in readme
    assert len(readers()) > 20
    exports = ROOT / "flows" / "demo_campaign" / "exports" / "brat"
    done = CliRunner().invoke(app, ["gamma", str(exports)], env={"COLUMNS": "100"})
    [shown] = [one for one in blocks(ROOT / "README.md", "text") if "gamma_cat" in one]
    assert [line for line in shown.splitlines() if line not in done.output] == []


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
    of_study = deployments_of_study("study", "", "UTC")
    for one in [*deployments_of_campaign("letters", "", "UTC"), *of_study]:
        assert f"/{one.name}`" in page


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


def test_workflows_call_what_the_checkout_has_and_know_no_secret() -> None:
    called = []
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        assert "secrets." not in text
        called += re.findall(r"- run: (\.ci/\w+|make (?:[a-z-]|\$\{\{.*?\}\})+)", text)
    scripts = [one for one in called if one.startswith(".ci/")]
    targets = [one.removeprefix("make ") for one in called if one not in scripts]
    assert ".ci/run" in scripts
    assert [one for one in scripts if not os.access(ROOT / one, os.X_OK)] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in targets:
        assert f"\n{target.replace('${{ matrix.python }}', '%')}:" in makefile


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
