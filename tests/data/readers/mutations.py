"""Seeded damage to the bytes of an export: the same seed makes the same file on every machine."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_KEY = re.compile(rb'"[^"\n]{1,40}"\s*:\s*|\s[\w:]{1,30}="[^"\n]{0,60}"')
_FIELD = re.compile(rb"[^\s\"<>,;=|{}\[\]()]+")
_VALUES = [
    b"",
    b"0",
    b"-1",
    b"true",
    b"NaN",
    b"9" * 400,
    b"x" * 100_000,
    b"\xed\xa0\xbd",
    b"a/../b",
]
_NUMBERS = [b"-1", b"0", b"999999999999", b"9" * 40, b"9" * 5000, b"1e400", b"NaN", b"1.5", b"-0"]
_PIECES = [
    *[b"\x00", b"\xff", b"\xfe\xff", b"\x1b[2J", b"\r", b"\x0b", b"\x85", b"\x1f", b"\\ud83d"],
    *[b'"', b"<", b"&x;", b"]]>", b"\\", b"\t", b"|", b"{", b"null", b"true", b"../", b"'"],
    *["👑".encode(), "é".encode("latin-1"), "\u202e".encode(), b"\xed\xa0\xbd", b"=1+1"],
]
_ENCODINGS = ["utf-16", "utf-32", "latin-1", "cp500"]


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(changed))
        changed[at] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _double_block(data: bytes, rng: random.Random) -> bytes:
    at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[at:end] * rng.randint(1, 3) + data[end:]


def _drop_block(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 60) :]


def _swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def _other_number(data: bytes, rng: random.Random) -> bytes:
    found = [match.span() for match in _NUMBER.finditer(data)]
    if not found:
        return _flip(data, rng)
    start, end = rng.choice(found)
    return data[:start] + rng.choice(_NUMBERS) + data[end:]


def _without_key(data: bytes, rng: random.Random) -> bytes:
    found = [match.span() for match in _KEY.finditer(data)]
    if not found:
        return _drop_block(data, rng)
    start, end = rng.choice(found)
    return data[:start] + data[end:]


def _swap_fields(data: bytes, rng: random.Random) -> bytes:
    """Two values change places: the form of the file stays."""
    found = [match.span() for match in _FIELD.finditer(data)]
    if len(found) < 2:
        return _flip(data, rng)
    (start, end), (first, last) = sorted(rng.sample(found, 2))
    return b"".join([data[:start], data[first:last], data[end:first], data[start:end], data[last:]])


def _other_value(data: bytes, rng: random.Random) -> bytes:
    """A value becomes another that the format may not expect there, in one place or everywhere."""
    found = [match.span() for match in _FIELD.finditer(data)]
    if not found:
        return _flip(data, rng)
    start, end = rng.choice(found)
    value = rng.choice(_VALUES)
    if rng.random() < 0.3 and len(value) < 1000:
        return data.replace(data[start:end], value)
    return data[:start] + value + data[end:]


def _nest(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    mark = rng.choice([b"[", b'{"a":', b"<a>", b'["', b"(("])
    return data[:at] + mark * rng.choice([1, 50, 3000]) + data[at:]


def _put_in(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(_PIECES) * rng.choice([1, 1, 2, 200]) + data[at:]


def _other_encoding(data: bytes, rng: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(rng.choice(_ENCODINGS), "replace")


_MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [
    *[_flip, _cut, _double_block, _drop_block, _swap_lines, _other_number, _without_key],
    *[_nest, _put_in, _other_encoding, _swap_fields, _other_value, _swap_fields, _other_value],
]


def mutated(data: bytes, seed: str) -> bytes:
    """One to three mutations; of a zip, every second time of what is in it."""
    rng = random.Random(seed)
    if data.startswith(b"PK") and rng.random() < 0.6:
        return _in_zip(data, rng)
    return _mutated(data, rng)


def _mutated(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice([1, 1, 2, 3])):
        data = rng.choice(_MUTATIONS)(data, rng) if data else b"\x00"
    return data


def _in_zip(data: bytes, rng: random.Random) -> bytes:
    """The same zip with one of its members damaged, missing, or there twice."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    at = rng.randrange(len(members))
    name, content = members[at]
    what = rng.random()
    if what < 0.1:
        del members[at]
    elif what < 0.2:
        members.append((f"again/{name}", content))
    elif content.startswith(b"PK") and what < 0.8:
        members[at] = (name, _in_zip(content, rng))
    else:
        members[at] = (name, _mutated(content, rng))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()
