"""Run an adapter: the collection's cases on another package, without Accordeur.

    python run.py krippendorff                         lists the cases that differ
    python run.py krippendorff - < cases > outcomes    as `accordeur certify` calls it

Runs with the interpreter in which the package is installed and needs nothing else. A case that is
read from the standard input is a JSON object with `id`, `kind`, `measure`, `conventions` and
`given` (its input). An adapter is a module of this folder:

    PACKAGE      name of the distribution, for its version
    value(case)  the value, nan or None where the package says that it is undefined; raises
                 NotImplementedError, with the reason, for a case that the package cannot express
    version()    optional, if the version is not that of a Python distribution

Exits with 3 and a sentence on the standard error if the package, or R, is not installed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import math
import shutil
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parents[1] / "cases"
LONGEST_MESSAGE = 120
NOT_INSTALLED = 3


class NotInstalledError(Exception):
    """The package or R is missing; the sentence says what to install where."""


def load(name: str) -> Any:
    """Load an adapter under a name that hides no package."""
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"adapter_of_{name}", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"no adapter {name!r}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome_of(adapter: Any, case: dict[str, Any]) -> dict[str, Any]:
    """Return `value` (None if undefined), `skipped` with a reason, or `error`."""
    try:
        found = adapter.value(case)
    except NotImplementedError as reason:
        return {"skipped": str(reason)}
    except NotInstalledError:
        raise
    except ImportError as error:
        raise NotInstalledError(
            f"{adapter.PACKAGE} cannot be imported by {sys.executable}: {error}"
        ) from error
    except Exception as error:  # whatever the package raises is its outcome
        return {"error": f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]}
    number = math.nan if found is None else float(found)
    return {"value": None if math.isnan(number) else number}


def run_r(code: str) -> str:
    """Return what R prints for a piece of code; adapters of R packages import this function."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise NotInstalledError("R is not installed: no program Rscript is on the path")
    done = subprocess.run([rscript, "-e", code], capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or "R failed").splitlines()[-1])
    return done.stdout.strip()


def r_table(rows: list[list[Any]]) -> str:
    """Write a table of numbers, None for NA, as an R matrix with these rows."""
    cells = ", ".join("NA" if x is None else repr(float(x)) for row in rows for x in row)
    return f"matrix(c({cells}), nrow = {len(rows)}, byrow = TRUE)"


def two_trees(case: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """Return the trees of a case of one sentence and two annotators, as (relation, children).

    The artificial root has no relation. Adapters of tree edit distances import this function.
    """
    if case["kind"] != "trees" or case["conventions"]["distance"] != "tree_edit":
        raise NotImplementedError("has the tree edit distance only")
    rows = case["given"]["objects"]
    if case["measure"] != "mean_distance" or len(rows) > 1:
        raise NotImplementedError("has the distance of two trees, not measures over several")

    def nested(text: str) -> tuple[str, list[Any]]:
        tokens = [token.split(":", 1) for token in text.split()]

        def below(head: int) -> list[Any]:
            return [(name, below(k)) for k, (h, name) in enumerate(tokens, 1) if int(h) == head]

        return "", below(0)

    return [nested(text) for text in rows[0]]


def version_of(adapter: Any) -> str:
    """Return the version of the package. Raises NotInstalledError."""
    of_r = getattr(adapter, "version", None)
    try:
        return of_r() if of_r else importlib.metadata.version(adapter.PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise NotInstalledError(
            f"{adapter.PACKAGE} is not installed for {sys.executable}: run "
            f"`{sys.executable} -m pip install {adapter.PACKAGE}`"
        ) from error
    except RuntimeError as error:
        raise NotInstalledError(f"{adapter.PACKAGE} is not installed: {error}") from error


def outcomes_of(name: str, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return package, version and the outcome of each case. Raises NotInstalledError."""
    adapter = load(name)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(sys.stderr):
        found = {"package": adapter.PACKAGE, "version": version_of(adapter)}
        found["outcomes"] = {case["id"]: outcome_of(adapter, case) for case in cases}
    return found


def read_collection() -> list[dict[str, Any]]:
    """Read all cases, each with its kind and its input as `given`."""
    files = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(CASES.glob("*.json"))]
    return [
        case | {"kind": held["kind"], "given": held["inputs"][case["input"]]}
        for held in files
        for case in held["cases"]
    ]


def is_right(case: dict[str, Any], outcome: dict[str, Any]) -> bool:
    """Whether ten digits are right; an undefined value may be None or an error."""
    found = outcome.get("value")
    if "value" not in case or found is None:
        return "value" not in case and found is None
    certified = float(Fraction(case["value"]))
    return math.isclose(found, certified, rel_tol=1e-10, abs_tol=0 if certified else 1e-10)


def differences(cases: list[dict[str, Any]], found: dict[str, Any]) -> list[str]:
    """Return a line for each case that is not right, and the numbers of cases."""
    outcomes = found["outcomes"]
    run = [case for case in cases if "skipped" not in outcomes[case["id"]]]
    wrong = [case for case in run if not is_right(case, outcomes[case["id"]])]
    lines = []
    for case in wrong:
        one = outcomes[case["id"]]
        settings = " ".join(f"{key}={value}" for key, value in case["conventions"].items())
        certified = case.get("value") or f"undefined ({case['undefined']})"
        got = one.get("error") or one["value"]
        lines.append(
            f"{case['id']}  {case['measure']} {settings}  certified {certified}  found {got}"
        )
    lines.append(
        f"{found['package']} {found['version']}: {len(run) - len(wrong)} of {len(run)} cases are "
        f"right to ten digits; {len(cases) - len(run)} cannot be expressed"
    )
    return lines


def main() -> None:
    folder = Path(__file__).resolve().parent
    sys.path[:] = [one for one in sys.path if Path(one).resolve() != folder]  # it hides packages
    names = sorted(file.stem for file in folder.glob("*.py") if file.stem != "run")
    parser = argparse.ArgumentParser(description="Run a package on certified values.")
    parser.add_argument("adapter", choices=names, type=lambda name: name.replace("-", "_"))
    parser.add_argument("source", nargs="?", choices=["-"], help="cases on the standard input")
    given = parser.parse_args()
    try:
        if given.source:
            found = outcomes_of(given.adapter, json.load(sys.stdin))
            json.dump(found, sys.stdout, allow_nan=True)
        else:
            cases = read_collection()
            lines = differences(cases, outcomes_of(given.adapter, cases))
            sys.stdout.write("\n".join(lines) + "\n")
    except NotInstalledError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(NOT_INSTALLED)


if __name__ == "__main__":
    main()
