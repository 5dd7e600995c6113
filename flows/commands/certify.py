"""`accordeur certify`: correct digits on the collection of certified values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .terminal import print_document, terminal
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...tasks.certified_cases.cases import Case
    from ...tasks.certified_cases.outcomes import Outcomes

ENOUGH = 10.0  # digits below which a case is listed


def certify(
    measures: Annotated[
        list[str] | None,
        typer.Argument(help="Measures to show case by case; without one, a summary of all."),
    ] = None,
    with_: Annotated[
        str,
        typer.Option(
            "--with", help="Another package to run in place of Accordeur, such as krippendorff."
        ),
    ] = "",
    python: Annotated[
        str, typer.Option(help="Interpreter in which that package is installed.")
    ] = "",
    json_: JsonOrTables = False,
) -> None:
    """Count the correct digits of Accordeur, or of another package, on certified values."""
    from ...metrics.close_names import did_you_mean
    from ...tasks.certified_cases.cases import read_cases
    from ...tasks.certified_cases.outcomes import our_outcomes, outcomes_of_package
    from ..errors import UserError

    cases = read_cases()
    known = {case.measure for case in cases}
    for name in measures or ():
        if name not in known:
            hint = did_you_mean(name, known)
            raise UserError(f"no certified value of {name!r}; {hint}see `accordeur certify`")
    if python and not with_:
        raise UserError("--python is the interpreter of another package: name it with --with")
    asked = [case for case in cases if not measures or case.measure in measures]
    found = outcomes_of_package(with_, asked, python) if with_ else our_outcomes(asked)
    if json_:
        held = found.as_json(asked).items()
        lines = (f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in held)
        print_document("{\n" + ",\n".join(lines) + "\n}")
    else:
        _print(found, asked, each=bool(measures))


def _print(found: Outcomes, cases: Sequence[Case], *, each: bool) -> None:
    from rich.table import Table

    console, digits = terminal(), found.digits(cases)
    table = Table(box=None, pad_edge=False)
    for heading in ("kind", "measure"):
        table.add_column(heading)
    for heading in ("cases", "lowest digits", "not run"):
        table.add_column(heading, justify="right")
    for kind, measure in dict.fromkeys((case.kind, case.measure) for case in cases):
        some = [case.id for case in cases if (case.kind, case.measure) == (kind, measure)]
        reached = [digits[one] for one in some if one in digits]
        if reached:
            rest = str(len(some) - len(reached) or "")
            table.add_row(kind, measure, str(len(reached)), f"{min(reached):.1f}", rest)
    console.print(f"{found.package} {found.version}: {len(digits)} of {len(cases)} cases")
    if digits:
        console.print(table)
    shown = [case for case in cases if each or digits.get(case.id, ENOUGH) < ENOUGH]
    for case in shown:
        console.print(_line(case, found, digits), markup=False, soft_wrap=True)
    if not each:
        n_low = sum(one < ENOUGH for one in digits.values())
        console.print(f"{n_low} of {len(digits)} cases with fewer than {ENOUGH:.0f} correct digits")
    for reason in dict.fromkeys(found.skipped.values()):
        n = sum(one == reason for one in found.skipped.values())
        console.print(f"not run, {n} cases: {reason}", markup=False, soft_wrap=True)


def _line(case: Case, found: Outcomes, digits: dict[str, float]) -> str:
    """Return case, conventions, certified value and what was found."""
    settings = " ".join(f"{key}={value}" for key, value in case.conventions.items())
    certified = f"undefined ({case.undefined})" if case.value is None else f"{float(case.value)!r}"
    if case.id in found.skipped:
        return f"{case.id}  {case.measure} {settings}  certified {certified}  not run"
    got = found.errors.get(case.id) or found.values.get(case.id)
    return (
        f"{case.id}  {case.measure} {settings}  certified {certified}  "
        f"found {'undefined' if got is None else got}  {digits[case.id]:.1f} digits"
    )
