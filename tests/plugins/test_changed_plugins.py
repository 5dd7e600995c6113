"""What a plugin computes is computed again when any file of its package changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.plugins import require_same_plugins
from accordeur.metrics.signature import How

ROOT = Path(__file__).parent.parent.parent
MEASURE = """
import numpy as np
from accordeur.metrics.agreement.formulas.coefficient import Coefficient, observed_disagreement
from my_plugin.chance import EXPECTED

def chance(sums, spread):
    observed = observed_disagreement(sums, spread)
    return observed, np.full_like(observed, EXPECTED)

MINE = Coefficient(name="mine", symbol="M", disagreements=chance, anonymous=True)
"""
LABELS = "item,annotator,label\n" + "".join(
    f"{k},{who},{label}\n" for k, pair in enumerate(("aa", "bb", "ab", "aa"))
    for who, label in zip(("ana", "ben"), pair, strict=True)
)  # fmt: skip
CAMPAIGN = """
[campaign]
name = "c"
[[sources]]
path = "labels.csv"
[layers.labels]
categories = ["a", "b"]
[items]
measures = ["mine"]
"""


def install(site: Path, expected: float, version: str = "1.0") -> None:
    """Install a plugin of a module and a helper beside it, as pip does."""
    package = site / "my_plugin"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(MEASURE)
    (package / "chance.py").write_text(f"EXPECTED = {expected}\n")
    for old in site.glob("*.dist-info"):
        old.rename(site / f"my_plugin-{version}.dist-info")
    information = site / f"my_plugin-{version}.dist-info"
    information.mkdir(exist_ok=True)
    about = f"Metadata-Version: 2.1\nName: my-plugin\nVersion: {version}\n"
    (information / "METADATA").write_text(about)
    (information / "entry_points.txt").write_text("[accordeur.measures]\nmine = my_plugin:MINE\n")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    install(tmp_path / "site", 0.5)
    return tmp_path / "site"


def run(site: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT / "src")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


FILES = "from accordeur.metrics.plugins import plugin_files\nprint(plugin_files())\n"


def test_every_file_of_a_plugin_and_its_version_count(site: Path) -> None:
    first = run(site, "-c", FILES)
    assert first == run(site, "-c", FILES)
    assert "my-plugin 1.0" in first
    install(site, 0.25)
    changed = run(site, "-c", FILES)
    install(site, 0.5, "1.1")
    assert len({first, changed, run(site, "-c", FILES)}) == 3


def test_a_plugin_that_changes_after_its_import_is_refused(site: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from accordeur.metrics import measures\n"
        "from accordeur.metrics.plugins import require_unchanged_plugins\n"
        "require_unchanged_plugins()\n"
        "pathlib.Path(sys.argv[1]).write_text('EXPECTED = 0.1')\n"
        "try: require_unchanged_plugins()\n"
        "except ValueError as error: print(error)\n"
    )
    said = run(site, "-c", code, str(site / "my_plugin" / "chance.py"))
    assert "the files of the plugin my-plugin 1.0 changed after it was imported" in said


def test_a_worker_with_other_plugins_is_refused() -> None:
    require_same_plugins({})
    with pytest.raises(MetricsError, match=r"another state of the plugin my-plugin 1\.0"):
        require_same_plugins({"my-plugin 1.0": "abc"})


def test_a_signature_names_the_plugin_and_reading_one_adds_none(site: Path) -> None:
    code = (
        "import accordeur as acc\n"
        "print(acc.coefficient('mine', ['a', 'b', 'a'], ['a', 'b', 'b']).signature)\n"
    )
    line = run(site, "-c", code).strip()
    assert "|plugin:my-plugin 1.0|" in line
    assert How.read(line).signature == line
    without = line.replace("|plugin:my-plugin 1.0", "")
    assert How.read(without).signature == without


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a JSON document that states a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and "value" in value:
        yield value
    for one in inner:
        yield from objects(one)


@pytest.mark.long
def test_a_run_computes_again_what_a_changed_plugin_computes(site: Path, tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(CAMPAIGN)
    (tmp_path / "labels.csv").write_text(LABELS)

    def value() -> tuple[float, str]:
        said = run(site, "-m", "accordeur", "run", str(campaign))
        [*_, newest] = sorted(tmp_path.rglob("results.json"))
        content = newest.read_text()
        assert json.loads(content)["run"]["versions"]["my-plugin"]
        found = [
            one["value"] for one in objects(json.loads(content)) if one.get("measure") == "mine"
        ]
        assert len(set(found)) == 1
        return found[0], said

    assert value()[0] == pytest.approx(1 - 0.25 / 0.5)
    assert "nothing changed" in value()[1]
    install(site, 0.25, "1.1")
    found, said = value()
    assert "nothing changed" not in said
    assert found == pytest.approx(1 - 0.25 / 0.25)
