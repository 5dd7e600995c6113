"""Who may import whom, and what no committed file may hold."""

from __future__ import annotations

import ast
import re
import subprocess
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import grimp
import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("flows", "tasks", "metrics", "data", "reports")
ONLY_HERE = {
    "prefect": ("flows", "tasks"),
    "prefect_dask": ("flows", "tasks"),
    "dask": ("flows", "tasks"),
    "distributed": ("flows", "tasks"),
    "great_expectations": ("data/validation/checks.py",),
}


def _modules() -> list[Path]:
    return [file for name in PACKAGES for file in sorted((ROOT / name).rglob("*.py"))]


def _imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_the_contracts_of_imports_hold() -> None:
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("accordeur", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    TopologicalSorter(imports).prepare()  # a CycleError names the circle


def test_only_some_places_import_the_engines() -> None:
    for file in _modules():
        place = file.relative_to(ROOT).as_posix()
        for package, allowed in ONLY_HERE.items():
            if package in _imported(file):
                assert place.startswith(allowed), f"{place} imports {package}"


def test_imports_inside_the_package_are_relative() -> None:
    """They resolve in the checkout, where the folders are the package, and in the wheel."""
    ours = {"accordeur", *PACKAGES}
    named = {
        file.relative_to(ROOT).as_posix(): found
        for file in _modules()
        if (found := ours & _imported(file))
    }
    assert named == {}


def test_the_quick_commands_import_neither_prefect_nor_dask() -> None:
    code = (
        "import sys; from accordeur.flows import cli;"
        "import accordeur.flows.cli;"
        "from accordeur.tasks.items import comparison, exports;"
        "import accordeur.tasks.units.exports, accordeur.tasks.scores.exports;"
        "print([m for m in ('prefect', 'dask', 'distributed', 'pandas', 'great_expectations')"
        " if m in sys.modules])"
    )
    found = subprocess.run(
        [str(_python()), "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.strip() == "[]"


def _python() -> Path:
    import sys

    return Path(sys.executable)


def test_a_name_is_imported_from_where_it_is_made() -> None:
    handed_on = re.compile(r"^__all__|import (\w+) as \1$", re.MULTILINE)
    for file in _modules():
        if file.name != "__init__.py":
            assert not handed_on.search(file.read_text(encoding="utf-8")), file.relative_to(ROOT)


def test_what_the_benchmarks_import_is_there() -> None:
    """mypy does not look at them, and they run seldom."""
    for file in sorted((ROOT / "benchmarks").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("accordeur."):
                module = import_module(str(node.module))
                for name in (alias.name for alias in node.names):
                    is_module = find_spec(f"{node.module}.{name}") if _is_package(module) else None
                    assert hasattr(module, name) or is_module, f"{file.name}: {name}"


def _is_package(module: ModuleType) -> bool:
    return hasattr(module, "__path__")


@pytest.fixture(scope="module")
def committed() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_committed_file_names_a_registry_host_or_a_path_of_a_machine(
    committed: list[Path],
) -> None:
    hosts = ["py" + "pi[.]org", "python" + "hosted", "deb" + "ian[.]org", "np" + "mjs[.]"]
    forbidden = re.compile("|".join([*hosts, "/ro" + "ot/", "/wo" + "rk/"]))
    for file in committed:
        text = file.read_bytes().decode("utf-8", "replace")
        assert not forbidden.search(text), file.relative_to(ROOT)


def test_modules_are_of_a_size_that_can_be_read() -> None:
    long = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in _modules()
    }
    assert {name: n for name, n in long.items() if n > 450} == {}
