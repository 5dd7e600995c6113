"""`accordeur certify`: our digits, and those of another package through an adapter."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.agreement.intraclass import intraclass_correlations
from accordeur.tasks.certified_cases import outcomes
from accordeur.tasks.certified_cases.cases import COLLECTION, Case, read_cases
from tests.flows.command_line import accordeur

ADAPTER = """
PACKAGE = "pytest"

def value(case):
    if case["measure"] == "icc_1_k":
        raise NotImplementedError("means are not offered")
    if case["measure"] == "icc_2_1":
        raise ZeroDivisionError("division by zero")
    return float("nan") if case["measure"] == "icc_3_1" else 0.25
"""


ALONE = """
PACKAGE = "a-stub"
version = lambda: "1.0"

def value(case):
    if case["measure"] != "icc_2_1":
        raise NotImplementedError("has ICC(2,1) only")
    return 0.25
"""
OF_R = """
from __main__ import run_r

PACKAGE = "psych (R)"

def version():
    return run_r("packageVersion('psych')")
"""
README = (COLLECTION / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection with the cases of ratings, and adapters that need no package."""
    folder = tmp_path / "adapters"
    folder.mkdir()
    shutil.copy(outcomes.RUNNER, folder)
    (tmp_path / "cases").mkdir()
    shutil.copy(COLLECTION / "cases/ratings.json", tmp_path / "cases")
    adapters = {
        "a_stub": ADAPTER,
        "alone": ALONE,
        "r_psych": OF_R,
        "missing": 'PACKAGE = "a-package-for-tests"\n',
    }
    for name, text in adapters.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(outcomes, "ADAPTERS", folder)
    monkeypatch.setattr(outcomes, "RUNNER", folder / outcomes.RUNNER.name)
    return folder


def test_a_measure_is_printed_case_by_case() -> None:
    printed = accordeur("certify", "kendall_w", "finn_r").stdout
    assert "  finn_r missing=paired  certified " in printed
    assert "15.0 digits" in printed
    assert "not run, 2 cases: corrects W for ties" in printed


def test_json_has_values_digits_and_what_was_skipped() -> None:
    found = json.loads(accordeur("certify", "light_kappa", "--json").stdout)
    assert found["package"] == "accordeur"
    assert set(found["values"]) == set(found["digits"])
    assert min(found["digits"].values()) >= 10


@pytest.mark.usefixtures("stubs")
def test_another_package_is_run_by_its_adapter() -> None:
    cases = [case for case in read_cases() if case.kind == "ratings" and "icc" in case.measure]
    found = outcomes.outcomes_of_package("a-stub", cases)
    digits = found.digits(cases)
    by_measure = {case.measure: case.id for case in cases[:6]}
    assert set(found.skipped.values()) == {"means are not offered"}
    assert by_measure["icc_1_k"] not in digits
    assert found.errors[by_measure["icc_2_1"]] == "ZeroDivisionError: division by zero"
    assert digits[by_measure["icc_2_1"]] == digits[by_measure["icc_3_1"]] == 0
    assert 0 < digits[by_measure["icc_1_1"]] < 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("kendal_w",), "no certified value of 'kendal_w'; did you mean kendall_w?"),
        (("--with", "krippendorf"), "no adapter for 'krippendorf'; did you mean krippendorff?"),
        (("--python", "python3"), "--python is the interpreter of another package"),
        (("--with", "nltk", "--python", "/nowhere/python"), "/nowhere/python cannot be run"),
        (("--with", "a-package-for-tests", "gwet_ac1"), "no adapter for 'a-package-for-tests'"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = accordeur("certify", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


@pytest.mark.usefixtures("stubs")
def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def reported(*arguments: str | Path) -> str:
        done = accordeur("certify", "icc_2_1", "--with", *arguments)
        assert done.returncode == 2
        return done.stderr

    monkeypatch.setenv("PATH", str(tmp_path))
    missing = reported("missing")
    assert f"a-package-for-tests is not installed for {sys.executable}: run `" in missing
    assert "-m pip install a-package-for-tests`, or name with --python the Python" in missing
    assert "R is not installed: no program Rscript is on the path" in reported("r-psych")
    assert f"{tmp_path} is a folder; --python" in reported("alone", "--python", tmp_path)
    other = shutil.copy("/bin/echo", tmp_path)
    assert f"the adapter of alone failed in {other}" in reported("alone", "--python", other)


def test_an_adapter_runs_without_accordeur(stubs: Path) -> None:
    def run(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", str(stubs / "run.py"), name]  # -S: Python's own modules
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    *wrong, last = run("alone").stdout.splitlines()
    assert last == "a-stub 1.0: 0 of 8 cases are right to ten digits; 56 cannot be expressed"
    assert all("  icc_2_1   certified " in line and "found 0.25" in line for line in wrong)
    assert "a-package-for-tests is not installed" in run("missing").stderr
    assert "no program Rscript" in run("r-psych").stderr or shutil.which("Rscript")
    assert "invalid choice: 'other'" in run("other").stderr


def test_the_readme_describes_every_kind_and_convention() -> None:
    cases = read_cases()
    explained = "".join(line.partition("|")[2] for line in README.splitlines())
    names = {case.kind for case in cases} | {key for case in cases for key in case.conventions}
    assert [name for name in names if name not in explained] == []


def test_the_commands_of_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    skipped = {case.id: "for this test" for case in read_cases()}
    nothing = outcomes.Outcomes("a-package", "1.0", "2026-01-01", {}, {}, skipped)
    ran = []

    def run(name: str, *_: object) -> outcomes.Outcomes:
        ran.append(name.replace("-", "_"))
        return nothing

    monkeypatch.setattr(outcomes, "outcomes_of_package", run)
    monkeypatch.setattr(outcomes, "our_outcomes", lambda cases: nothing)
    lines = [line for line in README.splitlines() if line.startswith("accordeur ")]
    commands = [shlex.split(line, comments=True) for line in lines]
    assert [accordeur(*words[1:]).returncode for words in commands] == [0] * 4
    assert set(ran) <= set(outcomes.adapter_names())


def test_the_example_of_the_readme_tests_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def my_icc(ratings: list[list[float]]) -> float:
        found = intraclass_correlations(np.array(ratings, dtype=np.float64))
        return next(one.value for one in found if one.measure == "icc_2_1")

    example = README.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(COLLECTION.parent)
    exec(example, {"my_icc": my_icc})
    with pytest.raises(AssertionError):
        exec(example, {"my_icc": lambda ratings: 0.25})


@pytest.mark.parametrize(
    ("certified", "found", "digits"),
    [("1/3", 1 / 3, 15), ("1/3", 0.3333, 4), ("0", 1e-12, 12), ("1/3", -1.0, 0), ("1/3", None, 0)],
)
def test_digits_are_of_the_relative_error(
    certified: str, found: float | None, digits: float
) -> None:
    from fractions import Fraction

    case = Case("x-001", "items", "", {}, {}, Fraction(certified), "", "")
    assert case.digits(found) == pytest.approx(digits, abs=0.01)


def test_an_undefined_value_is_right_if_nothing_is_returned() -> None:
    case = Case("x-001", "items", "", {}, {}, None, "single category used", "")
    assert [case.digits(found) for found in (None, float("nan"), 1.0)] == [15, 15, 0]
