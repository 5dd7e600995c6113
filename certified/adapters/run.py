"""Run an adapter on cases: `python -I run.py ADAPTER < cases.json > outcomes.json`.

Runs with the interpreter in which the package is installed and needs nothing else. A case is a
JSON object with `id`, `kind`, `measure`, `conventions` and `given` (its input). An adapter is a
module of this folder:

    PACKAGE      name of the distribution, for its version
    value(case)  the value, nan or None where the package says that it is undefined; raises
                 NotImplementedError, with the reason, for a case that the package cannot express
    version()    optional, if the version is not that of a Python distribution
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import json
import math
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

LONGEST_MESSAGE = 120


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
    except ImportError as error:
        raise SystemExit(f"{adapter.PACKAGE} cannot be imported: {error}") from error
    except Exception as error:  # whatever the package raises is its outcome
        return {"error": f"{type(error).__name__}: {error}"[:LONGEST_MESSAGE]}
    number = math.nan if found is None else float(found)
    return {"value": None if math.isnan(number) else number}


def run_r(code: str) -> str:
    """Return what R prints for a piece of code; adapters of R packages import this function."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        raise SystemExit("Rscript is not installed")
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


def main() -> None:
    adapter = load(sys.argv[1])
    version = getattr(adapter, "version", lambda: importlib.metadata.version(adapter.PACKAGE))
    cases = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(sys.stderr):
        found = {"package": adapter.PACKAGE, "version": version()}
        found["outcomes"] = {case["id"]: outcome_of(adapter, case) for case in cases}
    json.dump(found, sys.stdout, allow_nan=True)


if __name__ == "__main__":
    main()
