"""`accordeur certify`: our digits, and those of another package through an adapter."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from accordeur.tasks.certification import outcomes
from accordeur.tasks.certification.cases import Case, read_cases
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


@pytest.fixture
def _stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(outcomes.RUNNER, tmp_path)
    (tmp_path / "a_stub.py").write_text(ADAPTER, encoding="utf-8")
    monkeypatch.setattr(outcomes, "ADAPTERS", tmp_path)
    monkeypatch.setattr(outcomes, "RUNNER", tmp_path / outcomes.RUNNER.name)


def test_a_measure_is_printed_case_by_case() -> None:
    printed = accordeur("certify", "kendall_w", "finn_r").stdout
    assert "  finn_r missing=paired  certified " in printed
    assert "15.0 digits" in printed
    assert "skipped 2: corrects W for ties" in printed


def test_json_has_values_digits_and_what_was_skipped() -> None:
    found = json.loads(accordeur("certify", "light_kappa", "--json").stdout)
    assert found["package"] == "accordeur"
    assert set(found["values"]) == set(found["digits"])
    assert min(found["digits"].values()) >= 10


@pytest.mark.usefixtures("_stub")
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
