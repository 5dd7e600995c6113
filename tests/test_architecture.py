"""Who may import whom, and what no committed file may hold."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("flows", "tasks", "metrics", "data", "reports")
ONLY_HERE = {
    "prefect": ("flows", "tasks"),
    "prefect_dask": ("flows", "tasks"),
    "dask": ("flows", "tasks"),
    "distributed": ("flows", "tasks"),
    "great_expectations": ("data/validation/checks.py", "data/validation/data_docs.py"),
}


def _modules() -> list[Path]:
    return [file for name in PACKAGES for file in sorted((ROOT / name).rglob("*.py"))]


@cache
def _imported(file: Path) -> frozenset[str]:
    found = set()
    for node in _nodes(file.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return frozenset(found)


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("accordeur", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    TopologicalSorter(imports).prepare()  # a CycleError names the circle


@pytest.mark.long
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


_OF_NAMED_TUPLES = {"_replace", "_asdict", "_fields", "_make"}  # public, in spite of the name
_DOCUMENTED = {"os._exit"}


@cache
def _nodes(source: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(source)))


@cache
def _calls(source: str) -> tuple[tuple[str, ast.Call], ...]:
    """Every call with the text of what is called."""
    calls = [node for node in _nodes(source) if isinstance(node, ast.Call)]
    return tuple((ast.unparse(node.func), node) for node in calls)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_interfaces(source: str) -> list[str]:
    """What a module uses of other packages that they keep to themselves, or changes in them.

    An attribute is its own where the module makes it: a method, a field, an attribute of `self`.
    """
    nodes = _nodes(source)
    foreign: set[str] = set()
    own: set[str] = set()
    found: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            packages = {alias.asname or alias.name.split(".")[0] for alias in node.names}
            foreign |= packages - sys.stdlib_module_names
            found += [alias.name for alias in node.names if "._" in f".{alias.name}"]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            if str(node.module).split(".")[0] not in sys.stdlib_module_names:
                foreign |= {alias.asname or alias.name for alias in node.names}
            found += [one for one in names if any(map(_is_private, one.split(".")))]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            own.add(node.value)  # a slot
    for node in nodes:
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        text = ast.unparse(node)
        root = text.split(".")[0]
        if root in foreign:
            found.append(f"{text} = …")
        elif root == "self":
            own.add(node.attr)
    for node in nodes:
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            text = ast.unparse(node)
            known = own | _OF_NAMED_TUPLES if text.split(".")[0] not in foreign else set()
            if node.attr not in known and text not in _DOCUMENTED:
                found.append(text)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("getattr", "setattr", "delattr")
            and isinstance(node.args[1], ast.Constant)
            and _is_private(str(node.args[1].value))
        ):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "object.__setattr__":
            if ast.unparse(node.args[0]) != "self":  # of a frozen class, while it is made
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
            found.append(ast.unparse(node))
    return found


def test_nothing_private_of_another_package_is_used() -> None:
    used = {
        file.relative_to(ROOT).as_posix(): found
        for file in [*_modules(), *sorted(ROOT.glob("*.py"))]
        if (found := private_interfaces(file.read_text(encoding="utf-8")))
    }
    assert used == {}


@pytest.mark.parametrize(
    "line",
    [
        "from prefect._internal import analytics",
        "from prefect.client import _client",
        "import numba.core._unicode",
        "import distributed; distributed.worker._worker_cache.clear()",
        "from prefect.runner import Runner; Runner()._started",
        "def of(client): return client._pool",
        "def of(client): return getattr(client, '_pool')",
        "from prefect import Flow; Flow.retries = 3",
        "import sys; sys.modules['pandas'] = None",
        "def thaw(settings): object.__setattr__(settings, 'frozen', False)",
    ],
)
def test_each_way_to_something_private_is_seen(line: str) -> None:
    assert private_interfaces(line) != []


def test_a_name_is_imported_from_where_it_is_made() -> None:
    handed_on = re.compile(r"^__all__|import (\w+) as \1$", re.MULTILINE)
    for file in _modules():
        if file.name != "__init__.py":
            assert not handed_on.search(file.read_text(encoding="utf-8")), file.relative_to(ROOT)


_IN = (
    *("data/untrusted/", "data/readers/common/files/", "data/readers/tables/json_rows.py"),
    *("data/readers/packed.py", "data/store/store.py", "data/store/parquet_format.py"),
    *("reports/language.py", "reports/measure_facts.py"),  # files of the package
    *("reports/bibliography.py", "reports/render.py"),
    *("data/renamed_words.py", "data/column_descriptions.py"),
    "data/readers/tables/known_shapes.py",  # their own TOML files
    "metrics/plugins.py",  # files of installed packages, which are imported
    "tasks/isolation.py",  # from the process that started it
    "flows/engine/semaphores.py",  # of a run of this user, and of the kernel
)
_OPENS = re.compile(
    r"(open|json\.loads?|json\.JSONDecoder|tomllib\.loads?|(pq|parquet)\.(read_table|ParquetFile)|"
    r"openpyxl\.load_workbook|gzip\.(open|GzipFile)|tarfile\.\w+|pickle\.loads?|from_json|"
    r"(ZipFile|zipfile\.ZipFile)|(?!.*store|self\b|source\b|archive\b).*\.read_(bytes|text))"
)
_WRITES = re.compile(r"'[wxa]b?'")


def opened_files(source: str) -> list[str]:
    """Calls that open files or parse what is in them, of which none is for writing only."""
    return [
        ast.unparse(node)
        for name, node in _calls(source)
        if _OPENS.fullmatch(name)
        and not any(_WRITES.fullmatch(ast.unparse(one)) for one in node.args)
    ]


def test_whatever_is_opened_is_opened_within_the_budget() -> None:
    found = {
        place: calls
        for file in _modules()
        if not (place := file.relative_to(ROOT).as_posix()).startswith(_IN)
        and (calls := opened_files(file.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "open(path)",
        "json.loads(path.read_text())",
        "tomllib.load(file)",
        "pq.read_table(path)",
        "pq.ParquetFile(path)",
        "openpyxl.load_workbook(path)",
        "zipfile.ZipFile(path)",
        "Path(place).read_bytes()",
        "path.read_text(encoding='utf-8')",
    ],
)
def test_each_way_to_open_is_seen(line: str) -> None:
    assert opened_files(line) != []


_PRINTERS = ("flows/commands/terminal.py", "flows/progress/json_log.py")
_PRINTS = re.compile(
    r"print|(typer|click)\.(echo|secho)|(rich\.)?(print|Console)|sys\.std\w+\.write"
)


def printed_lines(source: str) -> list[str]:
    """Calls that write to the terminal, or read a text as markup of Rich."""
    return [ast.unparse(node) for name, node in _calls(source) if _PRINTS.fullmatch(name)]


def test_every_line_for_the_terminal_is_printed_in_one_place() -> None:
    found = {
        place: calls
        for file in _modules()
        if (place := file.relative_to(ROOT).as_posix()) not in _PRINTERS
        and (calls := printed_lines(file.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "line", ["print(x)", "typer.echo(x)", "typer.secho(x)", "Console()", "sys.stderr.write(x)"]
)
def test_each_way_to_print_is_seen(line: str) -> None:
    assert printed_lines(line) != []


# Modules that compute a bound, and what closes it (`metrics/intervals/interval.py` closes all).
_BOUNDS = {
    "metrics/bootstrap.py": "a p-value",
    "metrics/agreement/coefficient_posterior.py": "tails of percentiles",
    "metrics/agreement/limits_of_agreement.py": "limits of single differences, beside the interval",
    "metrics/agreement/rating_variances.py": "bounds of one rating, closed by `intraclass`",
    "metrics/intervals/binomial.py": "published rules of shares, closed by `evaluate`",
    "metrics/intervals/interval.py": "closes",
    "metrics/intervals/share_and_rate_intervals.py": "published rules, closed by `evaluate`",
    "metrics/objects/evaluate.py": "on a logarithmic scale, closed by `close_interval`",
    "metrics/prevalence/corrected_share.py": "published rules of shares, on arrays of samples",
    "metrics/prevalence/savings.py": "a limit that plans an audit",
    "metrics/prevalence/textbook.py": "textbook rules that the page compares",
    "metrics/quantiles.py": "the quantiles themselves",
    "metrics/ranking/rank_sets.py": "t limits of clustered errors, closed by `close_bounds`",
    "metrics/replacement/judge_checks.py": "Wilson's bounds, closed by `CheckedItems.estimate`",
    "metrics/replacement/unit_checks.py": "bounds of ratios, closed by `CheckedItems.estimate`",
    "metrics/replacement/verdict.py": "the bounds that decide a verdict",
    "metrics/causes/jackknife.py": "simultaneous bounds, at levels where SciPy is more exact",
    "metrics/units/annotator_sample.py": "the standard error of a closed interval",
}
# Bands over simulated annotations and studies, plans, and errors of chance: no intervals of a value
_NO_INTERVALS = {
    "metrics/agreement/simulations/known_annotators.py",
    "metrics/causes/strata.py",
    "metrics/chance/chance_samples.py",
    "metrics/pace.py",
    "metrics/resampling/trial_means.py",
    "metrics/resampling/grids/reading_grid.py",
    "metrics/resampling/label_pilot.py",
    "metrics/resampling/planning.py",
    "metrics/resampling/synthetic/reading_table.py",
    "metrics/resampling/unit_planning.py",
    "metrics/units/gamma_from_counts.py",
    "reports/study/figures.py",
    "reports/views/series.py",
    "tasks/study/curves.py",
}
_OF_BOUNDS = {
    *("quantile", "nanquantile", "percentile", "nanpercentile", "sample_quantiles"),
    *("t_quantile", "normal_quantile", "two_sided_normal_quantile"),
    *("stdtrit", "ndtri"),
}


def quantiles_in(source: str) -> list[str]:
    """Calls that return quantiles of draws or of a distribution, as bounds of intervals are."""
    return [
        ast.unparse(node)
        for name, node in _calls(source)
        if name.rpartition(".")[2] in _OF_BOUNDS
        and not any(word.arg == "method" for word in node.keywords)  # parts of a sample
    ]


def test_every_interval_ends_in_one_place() -> None:
    """A module that computes bounds says here who closes them: it decides nothing by itself."""
    with_bounds = {
        file.relative_to(ROOT).as_posix()
        for file in _modules()
        if quantiles_in(file.read_text(encoding="utf-8"))
    }
    assert with_bounds == _BOUNDS.keys() | _NO_INTERVALS


def test_one_place_decides_whether_there_is_an_interval() -> None:
    decided = re.compile(r"ReasonCode\.(FEW_TO_DRAW|REPLICATES_UNDEFINED|UNITS_ALIKE)\b")
    found = {
        file.relative_to(ROOT).as_posix()
        for file in _modules()
        if decided.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"metrics/intervals/interval.py"}


@pytest.mark.parametrize(
    "line", ["np.quantile(x, 0.1)", "t_quantile(4, 0.9)", "scipy.special.ndtri(x)"]
)
def test_each_way_to_a_bound_is_seen(line: str) -> None:
    assert quantiles_in(line) != []


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


_IMPORT = re.compile(r"from (accordeur[.\w]*) import (?:\(([^)]*)\)|([\w, ]+))")
_ENTRY_POINT = re.compile(r"\b(accordeur[.][.\w]*):()([A-Za-z_]\w*)")  # module:function


def test_what_any_committed_text_imports_is_there(committed: list[Path]) -> None:
    """Neither mypy nor ruff look at benchmarks, pages, or code in a string for another process."""
    texts = [
        one
        for one in committed
        if one.suffix in (".py", ".md", ".toml", "") and "kept" not in one.parts
    ]
    found = {
        (module, name.split()[0], file.relative_to(ROOT).as_posix())
        for file in texts
        for pattern in (_IMPORT, _ENTRY_POINT)
        for module, inside, beside in pattern.findall(file.read_text(encoding="utf-8"))
        for name in (inside or beside).split(",")
        if name.split()
    }
    assert [one for one in sorted(found) if not _has(import_module(one[0]), one[1])] == []


@pytest.mark.long
def test_what_benchmarks_call_is_there() -> None:
    """`make types` looks at the package; benchmarks may be loose in types, but not stale."""
    command = [sys.executable, "-m", "mypy", "--config-file", "install/mypy-benchmarks.ini"]
    path = os.environ | {"MYPYPATH": "src:."}
    done = subprocess.run(command, cwd=ROOT, env=path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def _has(module: ModuleType, name: str) -> bool:
    is_module = _is_package(module) and find_spec(f"{module.__name__}.{name}")
    return hasattr(module, name) or bool(is_module)


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


def test_actions_of_workflows_are_pinned_by_commit() -> None:
    """A tag can be moved to other code; a commit cannot. The tag is the comment beside it."""
    files = [*(ROOT / ".github" / "workflows").glob("*.yml"), ROOT / "action.yml"]
    uses = re.compile(r"uses: *([\w./-]+)@(\S+)(.*)")
    found = [one for file in files for one in uses.findall(file.read_text(encoding="utf-8"))]
    assert len(found) > 10
    for name, commit, tag in found:
        assert re.fullmatch(r"[0-9a-f]{40}", commit), name
        assert re.fullmatch(r"\s+# v\d+(\.\d+)*", tag), name


def _capabilities() -> list[tuple[str, str]]:
    """Return each floor and name in the table of capabilities of the architecture page."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("## One word for a capability")[2].partition("\n## ")[0]
    head, _, *rows = [line.strip("| ").split("|") for line in table.splitlines() if line[:1] == "|"]
    floors = [cell.strip() for cell in head][1:]
    return [
        (floor, name)
        for row in rows
        for floor, cell in zip(floors, row[1:], strict=False)
        for name in re.findall(r"`([^`]+)`", cell)
    ]


def test_each_capability_is_where_the_table_says() -> None:
    named = _capabilities()
    missing = [
        f"{floor}/{name}"
        for floor, name in named
        if not (ROOT / floor / name).is_dir() and not (ROOT / floor / f"{name}.py").is_file()
    ]
    assert missing == []
    for floor in ("metrics", "tasks"):
        folders = {file.parent.name for file in (ROOT / floor).glob("*/__init__.py")}
        assert folders - {name.split("/")[0] for at, name in named if at == floor} == set()
