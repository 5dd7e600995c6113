"""Bars: what a judge must reach, stated in a file before the labels are looked at.

A bar is a gate on a value of `accordeur judge`. That the file was written beforehand cannot be
enforced; its hash is recorded, so that a change of the bars is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...data.errors import DataError
from ...data.untrusted.documents import parse_toml
from ...data.untrusted.files import read_file
from ...metrics.estimate import Estimate
from ...reports.results.judges import BarOutcome, JudgeVerdict
from ...reports.results.run import GateOutcome
from ..reporting.gates import GateSpec

_KEYS = ("measure", "of", "at_least", "at_most", "on")
_ON = ("value", "lower bound", "upper bound")


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of a file, with its name and the SHA-256 of its bytes."""

    file: str
    digest: str
    bars: tuple[GateSpec, ...]


def read_bars(path: Path) -> Bars:
    """Read bars from a TOML file of sections `[[bars]]`.

    Raises DataError for a file that is no such TOML, naming the section and the key.
    """
    content = read_file(path)
    found = parse_toml(content, path.name)
    sections = found.get("bars")
    if not isinstance(sections, list) or not sections or set(found) != {"bars"}:
        raise DataError(
            f"{path.name}: state each bar in a section [[bars]] with measure and at_least or "
            "at_most"
        )
    bars = tuple(_bar(path.name, number, one) for number, one in enumerate(sections, 1))
    return Bars(path.name, sha256(content).hexdigest(), bars)


def _bar(file: str, number: int, section: Any) -> GateSpec:
    where = f"{file}: bar {number}"
    if not isinstance(section, dict):
        raise DataError(f"{where} is no section [[bars]]")
    unknown = [key for key in section if key not in _KEYS]
    if unknown:
        raise DataError(f"{where}: {unknown[0]} is no key of a bar; there are {', '.join(_KEYS)}")
    measure, of, on = section.get("measure"), section.get("of"), section.get("on", "value")
    if not isinstance(measure, str) or not measure:
        raise DataError(f"{where}: measure must be the name of a measure, such as recall")
    if of is not None and (isinstance(of, bool) or not isinstance(of, str | int | float)):
        raise DataError(f"{where}: of must be the name of a category")
    if on not in _ON:
        raise DataError(f"{where}: on is {on!r}; it must be one of {', '.join(_ON)}")
    bounds = {key: section[key] for key in ("at_least", "at_most") if key in section}
    if len(bounds) != 1 or not all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in bounds.values()
    ):
        raise DataError(f"{where}: give either at_least or at_most, as a number")
    return GateSpec(
        measure,
        None,
        bounds.get("at_least"),
        bounds.get("at_most"),
        on=on,
        of=None if of is None else str(of),
    )


def judge_by_bars(
    bars: Sequence[GateSpec], values: Sequence[tuple[str, str, Estimate]], system: str
) -> JudgeVerdict:
    """Compare the values of a system with all bars.

    values  of all systems: system, category or "", and value

    The verdict is failed if a bar is, passed if all are, else undecided. Raises DataError for a bar
    on a value that is not computed.
    """
    outcomes = [one for bar in bars for one in _outcomes(bar, values, system)]
    found = {one.outcome for one in outcomes}
    verdict = next(
        (one for one in (GateOutcome.failed, GateOutcome.undecided) if one in found),
        GateOutcome.passed,
    )
    return JudgeVerdict(system=system, outcome=verdict, by="bars", bars=outcomes)


def _outcomes(
    bar: GateSpec, values: Sequence[tuple[str, str, Estimate]], system: str
) -> Iterator[BarOutcome]:
    own = [(of, value) for name, of, value in values if name == system]
    matching = [
        (of, value) for of, value in own if value.measure == bar.measure and of == (bar.of or "")
    ]
    if not matching:
        categories = [of for of, value in own if of and value.measure == bar.measure]
        if bar.of and categories:
            raise DataError(
                f"a bar is on {bar.measure} of {bar.of!r}, which is no category; there are "
                f"{', '.join(categories)}"
            )
        known = dict.fromkeys(value.measure for of, value in own if bool(of) == bool(bar.of))
        of_category = f" of {bar.of}" if bar.of else ""
        raise DataError(
            f"a bar is on {bar.measure}{of_category}, which is not computed for {system}; there "
            f"are {', '.join(known)}"
        )
    for of, value in matching:
        yield BarOutcome(
            system=system,
            measure=bar.measure,
            of=of,
            operator=bar.operator,
            threshold=bar.threshold,
            on=bar.on,
            value=value,
            outcome=GateOutcome.undecided if value.reason else bar.outcome(value),
        )
