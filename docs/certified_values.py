"""The page of certified values: digits by package and measure, from the collection's results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from accordeur.tasks.certification.cases import COLLECTION, Case, read_cases
from accordeur.tasks.certification.outcomes import Outcomes, our_outcomes, recorded

ENOUGH = 10.0
SHOWN_CASES = 4
KINDS = ("items", "ratings", "rankings", "units", "segmentations", "chains", "relations")


def page() -> Iterator[str]:
    cases, others = read_cases(), recorded()
    ours = our_outcomes(cases)
    readme = (COLLECTION / "README.md").read_text(encoding="utf-8")
    lead, heading, rest = readme.partition("## What a case states")
    yield lead
    yield "\n## Packages\n\n"
    yield "| package | version | run on | cases | with 10 digits or more |\n|---|---|---|---|---|\n"
    for one in (ours, *others):
        digits = one.digits(cases)
        good = sum(n >= ENOUGH for n in digits.values())
        yield f"| {one.package} | {one.version} | {one.date} | {len(digits)} | {good} |\n"
    yield from _digits_by_measure(cases, [ours, *others])
    yield from _differences()
    yield from _threads()
    yield f"\n{heading}{rest}"


def _digits_by_measure(cases: Sequence[Case], packages: Sequence[Outcomes]) -> Iterator[str]:
    cells = {
        (one.package, measure): _cell(one, [case for case in cases if case.measure == measure])
        for one in packages
        for measure in dict.fromkeys(case.measure for case in cases)
    }
    by_kind = {
        kind: dict.fromkeys(case.measure for case in cases if case.kind == kind) for kind in KINDS
    }
    yield (
        "\n## Digits by package and measure\n\n"
        "The lowest number of correct digits over all cases that the package can express, at most\n"
        "15. Where some have fewer than 10 digits: how many have 10 or more, of how many; the\n"
        "next section explains the others. An empty cell: the package does not have the measure.\n"
    )
    for kind, measures in by_kind.items():
        shown = [one.package for one in packages if any(cells[one.package, m] for m in measures)]
        yield f"\n### {kind.capitalize()}\n\n| measure | cases | {' | '.join(shown)} |\n"
        yield "|---" * (len(shown) + 2) + "|\n"
        for measure in measures:
            n = sum(case.measure == measure for case in cases)
            row = " | ".join(cells[package, measure] for package in shown)
            yield f"| `{measure}` | {n} | {row} |\n"


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


def _read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((COLLECTION / name).read_text(encoding="utf-8"))
    return found
