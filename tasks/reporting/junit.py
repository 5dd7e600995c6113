"""Quality gates as JUnit XML, which continuous-integration services display as tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from ...reports.results import GateOutcome
from ..wording import gate_line

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")


def junit_xml(campaign: str, gates: Sequence[Mapping[str, Any]]) -> bytes:
    """Return one test case for each gate of a run's outcome.

    A gate that fails the run is a failure with its value and threshold; an undecided gate that does
    not fail it is skipped, with its interval.
    """
    suite = ElementTree.Element("testsuite", name=_text(campaign), tests=str(len(gates)))
    n_failures = n_skipped = 0
    for gate in gates:
        over = gate.get("over", "campaign")  # absent in runs of earlier versions
        parts = (gate["layer"], gate["of"], "" if over == "campaign" else over)
        place = ", ".join(part for part in parts if part)
        where = f" ({place})" if place else ""
        on = f", {gate['on']}" if gate["on"] != "value" else ""
        name = f"{gate['measure']}{where}{on} " + (
            f"not below {gate['not_below']}"
            if gate.get("not_below")
            else f"{gate['operator']} {gate['threshold']:g}"
        )
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(campaign), name=_text(name)
        )
        line = _text(gate_line(gate))
        if gate["fails_run"]:
            n_failures += 1
            ElementTree.SubElement(case, "failure", message=line, type=gate["outcome"]).text = line
        elif gate["outcome"] != GateOutcome.passed:
            n_skipped += 1
            ElementTree.SubElement(case, "skipped", message=line)
    suite.set("failures", str(n_failures))
    suite.set("skipped", str(n_skipped))
    suite.set("errors", "0")
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)


def _text(text: str) -> str:
    """Replace the characters that XML 1.0 does not allow."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
