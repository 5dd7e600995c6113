"""The page of certified values: digits by package and measure, from the collection's results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from accordeur.tasks.certified_cases.cases import COLLECTION, Case, read_cases
from accordeur.tasks.certified_cases.outcomes import (
    Outcomes,
    our_outcomes,
    recorded_outcomes,
)

ENOUGH = 10.0
SHOWN_CASES = 4


def page() -> Iterator[str]:
    cases, others = read_cases(), recorded_outcomes()
    ours = our_outcomes(cases)
    readme = (COLLECTION / "README.md").read_text(encoding="utf-8")
    lead, heading, rest = readme.partition("## What a case states")
    yield lead
    yield (
        "\n## Packages\n\n"
        "A package is run on the cases that it can express. Few cases are not a fault: many\n"
        "packages have a single measure.\n\n"
    )
    yield "| package | version | date | cases | with 10 digits or more |\n|---|---|---|---|---|\n"
    for one in (ours, *others):
        digits = one.digits(cases)
        good = sum(n >= ENOUGH for n in digits.values())
        yield f"| {one.package} | {one.version} | {one.date} | {len(digits)} | {good} |\n"
    yield from _digits_by_measure(cases, [ours, *others])
    yield from _differences()
    yield from _threads()
    yield f"\n{heading}{rest}"


def _digits_by_measure(cases: Sequence[Case], packages: Sequence[Outcomes]) -> Iterator[str]:
    yield (
        "\n## Digits by package and measure\n\n"
        "A number such as 14.2 is the lowest number of correct digits over the cases that the\n"
        "package can express, at most 15. A share such as 6/7 says that 6 of 7 cases have 10 or\n"
        "more; the next section explains the other. An empty cell: the package does not have the\n"
        "measure.\n"
    )
    for kind in _read("schema.json")["properties"]["kind"]["enum"]:
        of_kind = [case for case in cases if case.kind == kind]
        shown = [one for one in packages if _cell(one, of_kind)]
        names = " | ".join(one.package for one in shown)
        yield f"\n### {kind.capitalize()}\n\n| measure | cases | {names} |\n"
        yield "|---" * (len(shown) + 2) + "|\n"
        for measure in dict.fromkeys(case.measure for case in of_kind):
            some = [case for case in of_kind if case.measure == measure]
            row = " | ".join(_cell(one, some) for one in shown)
            yield f"| `{measure}` | {len(some)} | {row} |\n"


def _cell(found: Outcomes, cases: Sequence[Case]) -> str:
    digits = list(found.digits(cases).values())
    if not digits:
        return ""
    good = sum(n >= ENOUGH for n in digits)
    return f"{good}/{len(digits)}" if good < len(digits) else f"{min(digits):.1f}"


def _differences() -> Iterator[str]:
    yield (
        "\n## Where packages differ, and why\n\n"
        "| package | what should come out, and what does | cases | reported |\n|---|---|---|---|\n"
    )
    for one in sorted(_read("differences.json"), key=lambda one: str(one["package"]).casefold()):
        names, more = one["cases"][:SHOWN_CASES], len(one["cases"]) - SHOWN_CASES
        cases = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        threads = ", ".join(map(_link, one["threads"]))
        yield f"| {one['package']} | {one['why']} | {cases} | {threads} |\n"


def _threads() -> Iterator[str]:
    yield "\n## Questions of public threads, decided\n\n"
    yield "| thread | question | decision | cases |\n|---|---|---|---|\n"
    for one in _read("threads.json"):
        cases = ", ".join(one["cases"])
        yield f"| {_link(one['thread'])} | {one['question']} | {one['decision']} | {cases} |\n"


def _link(thread: str) -> str:
    repository, _, number = thread.partition("#")
    return f"[{thread}](https://github.com/{repository}/issues/{number})"


def _read(name: str) -> Any:
    return json.loads((COLLECTION / name).read_text(encoding="utf-8"))
