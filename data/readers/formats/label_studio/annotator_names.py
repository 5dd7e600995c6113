"""Annotators of an export: one name per annotator, however the export refers to them.

An export refers to an annotator by a number, an e-mail address, a user name, or an object with
several of these. The name is the number if the export gives it anywhere, else the user name, else
the part of the address before the @. If two addresses begin alike, or the short name belongs to
another user, six digits of the address's SHA-256 are appended (`anna-1f2e3d`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from ....errors import DataError
from ...common.files.json_stream import JsonObject, iter_objects
from ...common.files.lines import open_binary
from ...common.records.unit_maker import json_name

MADE = ("annotations", "completions")  # completions: before Label Studio 1.0
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
# matches exports that name a user by more than a number, or use escapes
_OTHER_NAMES = re.compile(
    rb'"(?:completed_by|aggregated_completed_by|user|annotator)"\s*:\s*\[?\s*["{]|^(?:\xff\xfe|\xfe\xff)'
)
_CHUNK, _LONGEST = 1 << 20, 100  # bytes per read


@dataclass(frozen=True, slots=True)
class AnnotatorNames:
    """`known`: address (case-folded) or user name → the annotator's name."""

    known: dict[str, str] = field(default_factory=dict)
    keeps_addresses: bool = False

    def name_of(self, by: object) -> str:
        """Return the name of the user that `completed_by` or `user` refers to; "" without one."""
        names = _names_of_user(by)
        if not names:
            return ""
        found = next((self.known[key] for key in names if key in self.known), names[0])
        return (
            _name_with_digest(found) if _is_address(found) and not self.keeps_addresses else found
        )

    def names_of(self, annotation: JsonObject) -> list[str]:
        """Return the annotator, or all of an aggregated completion; [""] without names."""
        return [self.name_of(by) for by in _annotators_of(annotation)]


def annotator_names(path: Path, *, keeps_addresses: bool = False) -> AnnotatorNames:
    """Return the users of an export; read fully only if it names a user by more than a number."""
    if not _has_other_names(path):
        return AnnotatorNames({}, keeps_addresses)
    groups: dict[tuple[str, ...], None] = {}
    with suppress(DataError):  # damage is reported when the file is read
        for _, task in iter_objects(path):
            if isinstance(task, dict):
                groups.update((tuple(_names_of_user(by)), None) for by in _user_references(task))
    known: dict[str, str] = {}
    for names in sorted(filter(None, groups), key=lambda names: not names[0].isdigit()):
        found = next((known[each] for each in names if each in known), names[0])
        for other in names:
            known.setdefault(other, found)
    if not keeps_addresses:
        short = _short_names({*known.values()})
        known = {key: short.get(found, found) for key, found in known.items()}
    return AnnotatorNames(known, keeps_addresses)


def _short_names(names: set[str]) -> dict[str, str]:
    """Return address → shown short name, different from every other name."""
    addresses = sorted(filter(_is_address, names))
    taken = Counter([*names.difference(addresses), *map(_before_at_sign, addresses)])
    return {
        address: _before_at_sign(address)
        if taken[_before_at_sign(address)] == 1
        else _name_with_digest(address)
        for address in addresses
    }


def _names_of_user(by: object) -> list[str]:
    """Return number, user name and address of a user; addresses are case-folded."""
    if isinstance(by, dict):
        found = [json_name(by.get(key)) for key in ("id", "username", "email")]
        found.sort(key=_is_address)
    else:
        found = [json_name(by)]
    return [each.casefold() if _is_address(each) else each for each in found if each]


def _annotators_of(annotation: JsonObject) -> list[object]:
    aggregated = annotation.get("aggregated_completed_by")
    return aggregated if isinstance(aggregated, list) else [annotation.get("completed_by")]


def _user_references(task: JsonObject) -> Iterator[object]:
    for key in MADE:
        for annotation in json_objects(task.get(key)):
            yield from _annotators_of(annotation)
    for draft in json_objects(task.get("drafts")):
        yield draft.get("user")
    yield task.get("annotator")  # of JSON-MIN


def json_objects(value: object) -> list[JsonObject]:
    """Return the objects in a JSON list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _has_other_names(path: Path) -> bool:
    with open_binary(path) as stream:
        end = b""
        while chunk := stream.read(_CHUNK):
            if _OTHER_NAMES.search(end + chunk):
                return True
            end = chunk[-_LONGEST:]
    return False


def _is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None


def _before_at_sign(address: str) -> str:
    return address.partition("@")[0]


def _name_with_digest(address: str) -> str:
    return f"{_before_at_sign(address)}-{sha256(address.encode()).hexdigest()[:6]}"
