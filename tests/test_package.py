"""The package as it is installed: beside a user's own modules, without engines, as a wheel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from accordeur.flows.commands.on_demand import COMMANDS
from accordeur.metrics.signature import VERSION

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("flows", "tasks", "metrics", "data", "reports")
COLLECTION = "certified"
ENGINES = ("prefect", "prefect_dask", "dask", "distributed", "great_expectations")
# Slow to import, and of no use to a command that prints a few values.
SLOW = (*ENGINES, "pandas", "narwhals", "sqlalchemy", "urllib.request", "accordeur.reports.value")
SLOW_FOR_LABELS = (*SLOW, "numba", "accordeur.metrics.alignment")
SLOW_FOR_UNITS = (*SLOW, "accordeur.data.readers.formats.uima")


@pytest.mark.long
def test_a_users_own_modules_of_the_same_names_are_theirs(tmp_path: Path) -> None:
    for name in FOLDERS[:3]:
        (tmp_path / f"{name}.py").write_text("WHOSE = 'theirs'\n", encoding="utf-8")
    for name in FOLDERS[3:]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("WHOSE = 'theirs'\n", encoding="utf-8")
    code = (
        "from accordeur.metrics.agreement.coefficients import compute_coefficient\n"
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
    ("commands", "unwanted"),
    [
        (["agree sentiment.csv", "certify cohen_kappa"], SLOW_FOR_LABELS),
        (["gamma brat"], SLOW_FOR_UNITS),
        (
            [
                "score --reference brat/anna --system brat/ben",
                "resample sentiment.csv",
                "plan sentiment.csv --width 0.2",
                "calibrate brat --precision 0.1",
            ],
            ENGINES,
        ),
    ],
    ids=["labels", "units", "others"],
)
def test_quick_looks_import_only_what_they_use(
    commands: list[str], unwanted: tuple[str, ...]
) -> None:
    code = (
        "import sys\n"
        f"sys.modules |= dict.fromkeys({unwanted!r})  # an import of one fails\n"
        "from accordeur.flows.cli import main\n"
        f"for command in {commands!r}:\n"
        "    sys.argv[1:] = command.split()\n"
        "    try: main()\n"
        "    except SystemExit as end:\n"
        "        if end.code: raise\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "flows" / "demo_campaign" / "exports",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_wheel_holds_the_five_folders_and_the_certified_values(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = {
        f"accordeur/{file.relative_to(ROOT).as_posix()}"
        for folder in (*FOLDERS, COLLECTION)
        for file in (ROOT / folder).rglob("*.*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc"
    }
    own = ("__init__.py", "__main__.py", "py.typed", "testing.py")
    face = [one.name for one in (ROOT / "interface").glob("*.py")]
    held_besides = {*own, *(f"interface/{name}" for name in face)}
    assert held == files | {f"accordeur/{name}" for name in held_besides}
    [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
    description = archive.read(metadata).decode("utf-8")
    assert f"\nVersion: {VERSION}\n" in description
    assert "# Accordeur" in description
    assert re.findall(r"\]\((?!https?://)[^)]*\)", description) == []  # links to no file


DEMO = ROOT / "flows" / "demo_campaign" / "exports"
OF_UNIX = """
import os, signal, sys
sys.modules |= dict.fromkeys(("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"))
for name in ("chown", "fork", "geteuid", "getuid", "getpgid", "killpg", "mkfifo", "nice", "setsid",
             "sched_getaffinity", "statvfs", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGUSR2", "pthread_sigmask"):
    delattr(signal, name)
"""
"""Hides what Windows lacks; a library that asks the system's name still sees this one."""


def _in_a_new_process(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=DEMO,
        env={**os.environ, **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.long
def test_single_exports_and_python_need_nothing_of_unix() -> None:
    done = _in_a_new_process(
        OF_UNIX
        + """
import accordeur as acc, pandas as pd
from accordeur.flows.cli import run
frame = pd.read_csv("sentiment.csv")
assert acc.agreement(frame)["krippendorff_alpha"].value > 0.5
assert acc.gamma("brat").value > 0.5
for arguments in (
    "agree sentiment.csv", "gamma brat", "score --reference brat/anna --system brat/ben",
    "replace sentiment.csv --system ben", "plan sentiment.csv --width 0.2", "measures gamma",
):
    try:
        run(arguments.split())
    except SystemExit as end:
        assert not end.code, arguments
run(["run", "../campaign.toml"])
"""
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "accordeur: campaigns and studies run on Linux and macOS"
    )


def test_a_checkout_without_symbolic_links_works(tmp_path: Path) -> None:
    """Git writes text in the place of links; what contains the checkout is on the path."""
    checkout = tmp_path / "accordeur"
    package = checkout / "src" / "accordeur"
    package.mkdir(parents=True)
    for link in (ROOT / "src" / "accordeur").iterdir():
        if link.name != "__pycache__":
            assert link.is_symlink(), link
            (package / link.name).write_text(f"../../{link.name}", encoding="utf-8")
            (checkout / link.name).symlink_to(ROOT / link.name)
    run = "cli.run(['agree', 'sentiment.csv'])"
    code = f"import accordeur.flows.cli as cli; print(cli.__file__); {run}"
    done = _in_a_new_process(code, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(checkout / "flows"))
    assert "krippendorff_alpha" in done.stdout


def test_redirected_output_is_utf8_in_every_country() -> None:
    country = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code = "import sys; from accordeur.flows.cli import main; sys.argv[1:] = ['measures', 'gamma']"
    done = _in_a_new_process(f"{code}; main()", **country)
    assert done.returncode == 0, done.stderr
    assert "γ" in done.stdout


def test_the_module_is_the_command_and_completes_words() -> None:
    words = {"_ACCORDEUR_COMPLETE": "complete_bash", "COMP_WORDS": "accordeur ", "COMP_CWORD": "1"}
    code = "import runpy, sys; sys.argv[0] = 'accordeur'; runpy.run_module('accordeur')"
    assert _in_a_new_process(code, **words).stdout.split() == list(COMMANDS)


def test_a_command_that_needs_more_than_a_light_installation_says_so() -> None:
    done = _in_a_new_process(
        "import sys; sys.modules['prefect'] = None; sys.argv[1:] = ['run', '../campaign.toml']\n"
        "from accordeur.flows.cli import main\nmain()"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "accordeur: this command needs the full installation, with the package prefect: "
        "pip install accordeur\n"
    )


OF_QUICK_LOOKS = """
import json, sys
from pathlib import Path
from tests.flows.frozen import commands, python
from tests.flows.in_process import found
here = Path(sys.argv[1])
if not here.exists():
    here.mkdir()
    commands.write_tables(here)
quick = {name: found(*commands.arguments(line, here)) for name, line in commands.WRITTEN.items()}
print(json.dumps([quick, {name: result() for name, result in python.RESULTS.items()}]))
"""


@pytest.mark.long
@pytest.mark.release  # CI has a job for it, on three systems
def test_a_light_installation_measures_the_same(tmp_path: Path) -> None:
    """Every frozen quick look and result of Python, in an environment without engines."""
    uv, light = str(Path(sys.executable).parent / "uv"), tmp_path / "light"
    lock = ("-r", str(ROOT / "install" / "requirements-light.lock"))
    install = (uv, "pip", "install", "--quiet", "--no-deps", "--python", str(light))
    for command in (
        (uv, "venv", "--quiet", "--python", sys.executable, str(light)),
        (*install, "--require-hashes", *lock),
        (*install, str(ROOT)),
    ):
        subprocess.run(command, check=True)
    n_packages = len([*(light / "lib").glob("python*/site-packages/*.dist-info")]) - 1
    assert n_packages <= 30

    def measure(python: Path | str) -> str:
        return subprocess.run(
            [str(python), "-c", OF_QUICK_LOOKS, str(tmp_path / "tables")],
            cwd=ROOT,
            check=True,
            capture_output=True,
            encoding="utf-8",
        ).stdout

    assert measure(light / "bin" / "python") == measure(sys.executable)
