"""The package as it is installed: beside a user's own modules, without engines, as a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("flows", "tasks", "metrics", "data", "reports")
ENGINES = ("prefect", "prefect_dask", "dask", "distributed", "great_expectations")
# Slow to import, and of no use to a command that prints a few values.
SLOW = (*ENGINES, "pandas", "narwhals", "sqlalchemy", "urllib.request", "accordeur.reports.value")
SLOW_FOR_LABELS = (*SLOW, "numba", "accordeur.metrics.alignment")
SLOW_FOR_UNITS = (*SLOW, "accordeur.data.readers.uima")


def test_a_users_own_modules_of_the_same_names_are_theirs(tmp_path: Path) -> None:
    for name in FOLDERS[:3]:
        (tmp_path / f"{name}.py").write_text("WHOSE = 'theirs'\n", encoding="utf-8")
    for name in FOLDERS[3:]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("WHOSE = 'theirs'\n", encoding="utf-8")
    code = (
        "from accordeur.metrics.agreement.registry import compute\n"
        "import flows, tasks, metrics, data, reports\n"
        "assert {m.WHOSE for m in (flows, tasks, metrics, data, reports)} == {'theirs'}\n"
        "import accordeur.flows.campaign_quality, accordeur.reports.render\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["agree", "sentiment.csv"], SLOW_FOR_LABELS),
        (["gamma", "brat"], SLOW_FOR_UNITS),
        (["score", "--reference", "brat/anna", "--system", "brat/ben"], ENGINES),
        (["resample", "sentiment.csv"], ENGINES),
        (["plan", "sentiment.csv", "--width", "0.2"], ENGINES),
        (["calibrate", "brat", "--precision", "0.1"], ENGINES),
    ],
    ids=lambda given: given[0],
)
def test_quick_looks_import_only_what_they_use(
    arguments: list[str], unwanted: tuple[str, ...]
) -> None:
    code = (
        "import sys\n"
        f"sys.modules |= dict.fromkeys({unwanted!r})  # an import of one fails\n"
        f"sys.argv[1:] = {arguments!r}\n"
        "from accordeur.flows.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "flows" / "demo_campaign" / "exports",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_wheel_holds_the_five_folders_and_nothing_else(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {
        f"accordeur/{file.relative_to(ROOT).as_posix()}"
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc"
    }
    own = ("__init__.py", "py.typed", "testing.py")
    face = [one.name for one in (ROOT / "src" / "accordeur" / "interface").glob("*.py")]
    held_besides = {*own, *(f"interface/{name}" for name in face)}
    assert held == files | {f"accordeur/{name}" for name in held_besides}
