"""Parse a brat `.ann` file: text-bound annotations, relations, events, attributes, notes.

The format: https://brat.nlplab.org/standoff.html. Offsets are Unicode code points of the `.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from ..common.span_rules import Problem, parse_integer, span_problem

_ATTACHED = ("A", "M", "N", "#")  # rows that refer to units and relations, resolved last
_ARGUMENT = re.compile(r"([^:\s]+):([TE]\S+)")


@dataclass(slots=True)
class TextBound:
    line: int
    id: str
    category: str
    offsets: str  # as written: "326 334;349 367"
    pieces: list[tuple[int, int]]  # in the order of the file, in which the surface joins them
    surface: str
    attributes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Link:
    line: int
    id: str
    category: str
    source: str  # id of a text-bound annotation or an event
    target: str
    attributes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class AnnFile:
    """Rows of a `.ann` file.

    ids       ids of all rows, of invalid ones too
    attached  (line, id) of each attribute, normalisation, note and event without arguments, and of
              the unit or relation it describes ("" for a comment, or a note on an attribute)
    problems  (line, table, problem) of invalid rows
    """

    units: dict[str, TextBound] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    triggers: dict[str, str] = field(default_factory=dict)  # event id → id of its trigger
    ids: set[str] = field(default_factory=set)
    attached: list[tuple[int, str]] = field(default_factory=list)
    problems: list[tuple[int, str, Problem]] = field(default_factory=list)
    rows: int = 0

    def unit_of(self, id: str) -> str:
        """Return the text-bound annotation of an argument: itself, or the event's trigger."""
        return self.triggers.get(id, id)


def parse_ann(lines: Iterable[tuple[int, str | Problem]]) -> AnnFile:
    """Parse the rows of a `.ann` file and resolve references; invalid rows do not raise."""
    ann = AnnFile()
    later: list[tuple[int, list[str]]] = []
    for number, line in lines:
        if isinstance(line, Problem):
            ann.rows += 1
            ann.problems.append((number, "", line))
            continue
        if not line.strip():
            continue
        ann.rows += 1
        fields = line.split("\t")
        id = fields[0]
        if id != "*" and not id.startswith("#"):
            if id in ann.ids:
                ann.problems.append(
                    (number, "", Problem("duplicate_id", id, f"the id {id} occurs twice"))
                )
                continue
            ann.ids.add(id)
        if id[:1] == "T":
            _add_unit(ann, number, fields)
        elif id[:1] == "E":
            _add_event(ann, fields)
            later.append((number, fields))
        else:
            later.append((number, fields))
    for number, fields in sorted(later, key=lambda row: row[1][0][:1] in _ATTACHED):
        _add_reference_row(ann, number, fields)
    return ann


def _add_unit(ann: AnnFile, number: int, fields: list[str]) -> None:
    # columns after the third belong to the surface: a text may contain tabs
    head, surface = (fields[1] if len(fields) > 1 else ""), "\t".join(fields[2:])
    category, _, offsets = head.partition(" ")
    pieces: list[tuple[int, int]] = []
    for piece in offsets.split(";"):
        bounds = [parse_integer(bound) for bound in piece.split()]
        if len(bounds) != 2 or bounds[0] is None or bounds[1] is None:
            message = f"{offsets!r} must be pairs of whole numbers, `start end;start end`"
            ann.problems.append((number, "units", Problem("not_an_offset", offsets, message)))
            return
        pieces.append((bounds[0], bounds[1]))
    for start, end in pieces:
        problem = span_problem(start, end)
        if problem:
            ann.problems.append((number, "units", problem))
            return
    if any(left[1] > right[0] for left, right in pairwise(sorted(pieces))):
        problem = Problem("overlapping_fragments", offsets, "two pieces of the unit overlap")
        ann.problems.append((number, "units", problem))
        return
    ann.units[fields[0]] = TextBound(number, fields[0], category, offsets, pieces, surface)


def _add_event(ann: AnnFile, fields: list[str]) -> None:
    first = fields[1].split()[0] if len(fields) > 1 and fields[1].split() else ""
    found = _ARGUMENT.fullmatch(first)
    if found and found[2].startswith("T"):
        ann.triggers[fields[0]] = found[2]


def _add_reference_row(ann: AnnFile, number: int, fields: list[str]) -> None:
    """Add a row that refers to other rows, when all of these are known."""
    id, body = fields[0], fields[1] if len(fields) > 1 else ""
    words = body.split()
    kind = id[:1]
    if kind == "*" and len(words) > 2:
        for k, (left, right) in enumerate(pairwise(words[1:]), start=1):
            _add_link(ann, Link(number, f"*{number}.{k}", words[0], left, right))
    elif kind == "R" and len(words) == 3:
        ends = [word.partition(":")[2] for word in words[1:]]
        _add_link(ann, Link(number, id, words[0], ends[0], ends[1]))
    elif kind == "E" and id in ann.triggers:
        trigger = ann.units.get(ann.triggers[id])
        if trigger is None:
            _report_lost_id(ann, number, "relations", ann.triggers[id])
            return
        trigger.attributes.append(("event", id))
        if not words[1:]:
            ann.attached.append((number, trigger.id))
        for k, word in enumerate(words[1:], start=1):
            role, _, target = word.partition(":")
            name = f"{id}:{role}"
            name += f".{k}" if name in ann.links else ""
            _add_link(ann, Link(number, name, role, id, target))
    elif kind in ("A", "M") and len(words) >= 2:
        _attach_attribute(ann, number, words[1], words[0], " ".join(words[2:]) or "true")
    elif kind == "N" and len(words) >= 3:
        value = "\t".join([words[2], *fields[2:]])
        _attach_attribute(ann, number, words[1], words[0], value)
    elif kind == "#" and len(words) >= 2:
        _attach_attribute(ann, number, words[1], words[0], "\t".join(fields[2:]))
    elif kind == "#":
        ann.attached.append((number, ""))  # a comment that refers to nothing
    else:
        line = "\t".join(fields)
        problem = Problem("unknown_row", line, "not a row of the brat standoff format")
        ann.problems.append((number, "", problem))


def _add_link(ann: AnnFile, link: Link) -> None:
    for id in (link.source, link.target):
        if ann.unit_of(id) not in ann.units:
            _report_lost_id(ann, link.line, "relations", ann.unit_of(id))
            return
    link.source, link.target = ann.unit_of(link.source), ann.unit_of(link.target)
    ann.links[link.id] = link


def _attach_attribute(ann: AnnFile, number: int, target: str, name: str, value: str) -> None:
    """Attach an attribute, normalisation or note to the unit or relation it refers to."""
    owner = ann.units.get(ann.unit_of(target)) or ann.links.get(target)
    if owner is not None:
        owner.attributes.append((name, value))
        ann.attached.append((number, owner.id))
    elif target in ann.ids and target[0] in _ATTACHED:
        ann.attached.append((number, ""))
    else:
        _report_lost_id(ann, number, "", ann.unit_of(target))


def _report_lost_id(ann: AnnFile, number: int, table: str, id: str) -> None:
    """Report a row that refers to a rejected row, or to one that is not in the file."""
    problem = refers_to_rejected(id)
    if id not in ann.ids:
        message = f"it refers to {id or 'nothing'}, which is not in the file"
        problem = Problem("unknown_id", id, message)
    ann.problems.append((number, table, problem))


def refers_to_rejected(id: str) -> Problem:
    """Return why a row is rejected that refers to a rejected row."""
    return Problem("rejected_unit", id, f"it refers to {id}, which was rejected")
