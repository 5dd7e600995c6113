"""What Accordeur or another package finds for certified cases, and how many digits are right."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...data.untrusted.documents import parse_json, read_json
from ...metrics.close_names import did_you_mean
from ...metrics.errors import MetricsError
from .cases import COLLECTION, FULL, Case

ADAPTERS = COLLECTION / "adapters"
RUNNER = ADAPTERS / "run.py"
_NOT_INSTALLED = 3  # exit code of the runner


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a package on cases, by case.

    values   None where the package says that the measure is undefined
    errors   message of what the package raised
    skipped  reason why the case was not given to the package
    """

    package: str
    version: str
    date: str
    values: Mapping[str, float | None]
    errors: Mapping[str, str]
    skipped: Mapping[str, str]

    def digits(self, cases: Sequence[Case]) -> dict[str, float]:
        """Return the correct digits of each case that was not skipped.

        To raise an error is to say that the measure is undefined.
        """
        found = {}
        for case in cases:
            if case.id in self.values:
                found[case.id] = case.digits(self.values[case.id])
            elif case.id in self.errors:
                found[case.id] = FULL if case.value is None else 0.0
        return found

    def as_json(self, cases: Sequence[Case]) -> dict[str, Any]:
        """Return plain values, as `certified/results` keeps them; cases are grouped by reason."""
        by_reason: dict[str, list[str]] = {}
        for case, reason in self.skipped.items():
            by_reason.setdefault(reason, []).append(case)
        return {
            "package": self.package,
            "version": self.version,
            "date": self.date,
            "values": dict(self.values),
            "errors": dict(self.errors),
            "skipped": by_reason,
            "digits": {case: round(found, 1) for case, found in self.digits(cases).items()},
        }

    @classmethod
    def from_json(cls, held: Mapping[str, Any]) -> Outcomes:
        """Inverse of `as_json`."""
        skipped = {case: reason for reason, some in held["skipped"].items() for case in some}
        return cls(
            held["package"], held["version"], held["date"], held["values"], held["errors"], skipped
        )


def our_outcomes(cases: Sequence[Case]) -> Outcomes:
    """Compute the cases with Accordeur."""
    from ...metrics.signature import VERSION

    return _outcomes("accordeur", VERSION, {case.id: _our_outcome(case) for case in cases})


def _our_outcome(case: Case) -> dict[str, Any]:
    from .our_values import OtherConventionError, our_value

    try:
        found = our_value(case)
    except OtherConventionError as reason:
        return {"skipped": str(reason)}
    except MetricsError as error:
        return {"error": str(error)}
    return {"value": None if math.isnan(found) else found}


def outcomes_of_package(name: str, cases: Sequence[Case], python: str = "") -> Outcomes:
    """Compute the cases with another package, by its adapter in a process of its own.

    python  the interpreter in which the package is installed; by default, the running one

    Raises MetricsError for an unknown adapter, or if the package cannot be run.
    """
    known = {adapter.replace("_", "-"): adapter for adapter in adapter_names()}
    if name not in known:
        hint = did_you_mean(name, known)
        raise MetricsError(f"no adapter for {name!r}; {hint}there are {', '.join(known)}")
    given = [
        {
            "id": case.id,
            "kind": case.kind,
            "measure": case.measure,
            "conventions": case.conventions,
            "given": case.given,
        }
        for case in cases
    ]
    done = _run(python or sys.executable, known[name], json.dumps(given))
    last = (done.stderr.strip() or "no message").splitlines()[-1]
    if done.returncode == _NOT_INSTALLED:
        other = "" if name.startswith("r-") else ", or name with --python the Python that has it"
        raise MetricsError(last + other)
    try:
        found = parse_json(done.stdout, name)
    except ValueError as error:
        raise MetricsError(f"the adapter of {name} failed in {done.args[0]}: {last}") from error
    return _outcomes(found["package"], found["version"], found["outcomes"])


def _run(python: str, adapter: str, given: str) -> subprocess.CompletedProcess[str]:
    wanted = "--python must be a Python interpreter, such as environment/bin/python"
    if Path(python).is_dir():
        raise MetricsError(f"{python} is a folder; {wanted}")
    try:
        return subprocess.run(  # noqa: S603 - the interpreter is the user's choice
            [python, "-I", str(RUNNER), adapter, "-"],
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    except OSError as error:
        raise MetricsError(f"{python} cannot be run: {error.strerror}; {wanted}") from error


def adapter_names() -> list[str]:
    """Return the names of the adapters."""
    return sorted(file.stem for file in ADAPTERS.glob("*.py") if file != RUNNER)


def recorded_outcomes(folder: Path = COLLECTION / "results") -> list[Outcomes]:
    """Read the outcomes of other packages that the collection keeps."""
    files = sorted(folder.glob("*.json"))
    return [Outcomes.from_json(read_json(file)) for file in files]


def _outcomes(package: str, version: str, found: Mapping[str, Mapping[str, Any]]) -> Outcomes:
    def those(key: str) -> dict[str, Any]:
        return {case: one[key] for case, one in found.items() if key in one}

    today = datetime.now(UTC).date().isoformat()
    return Outcomes(package, version, today, those("value"), those("error"), those("skipped"))
