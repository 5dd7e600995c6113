"""Parse JSON and TOML that others wrote, whatever they hold: any fault is one sentence."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import DataError
from .budget import budget
from .files import read_file

_MOST_DIGITS = 300  # a larger whole number is no floating-point number either
_LONG_NUMBER = re.compile(rf"\d{{{_MOST_DIGITS + 1}}}")
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_KEY_PART = r"""(?<![A-Za-z0-9_"'-])(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""


def read_json(path: Path, source: str | None = None) -> Any:
    """Read a JSON file. Raises DataError (`read_file`, `parse_json`)."""
    return parse_json(read_file(path, source), source or str(path))


def read_text(path: Path, source: str | None = None) -> str:
    """Read a text in UTF-8, or in UTF-16 with a byte order mark. Raises DataError."""
    return decode_text(read_file(path, source), source or str(path))


def decode_text(data: bytes, source: str) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark. Raises DataError."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source}: byte {error.start} is not {encoding.removesuffix('-sig').upper()}; convert "
            "the file to UTF-8"
        ) from None


def parse_json(data: bytes | str, source: str) -> Any:
    """Return the value of a JSON text.

    Raises DataError when it is not UTF-8 or not JSON, is nested too deeply, or has a number of too
    many digits or half of a surrogate pair, which no text can hold.
    """
    text = decode_text(data, source) if isinstance(data, bytes) else data
    integer = _integer if _LONG_NUMBER.search(text) else None  # None is faster
    found = _parsed(lambda one: json.loads(one, parse_int=integer), text, source, "JSON")
    if _ESCAPED_SURROGATE.search(text):
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise DataError(
                f"{source}: a text contains half of a surrogate pair, which is not a character"
            ) from None
    return found


def parse_toml(data: bytes, source: str) -> dict[str, Any]:
    """Return the table of a TOML file.

    Raises DataError when it is not UTF-8 or not TOML, is nested too deeply, or has a number of too
    many digits.
    """
    text, limits = decode_text(data, source).replace("\r\n", "\n"), budget()
    if re.search(f"(?:{_KEY_PART}){{{limits.depth}}}", text):
        raise limits.breach("depth", source, f"a key has more than {limits.depth} parts")
    found: dict[str, Any] = _parsed(tomllib.loads, text, source, "TOML")
    return found


def _parsed(parse: Callable[[str], Any], text: str, source: str, form: str) -> Any:
    try:
        return parse(text)
    except RecursionError:
        raise DataError(f"{source}: the {form} is nested too deeply") from None
    except DataError as error:
        raise DataError(f"{source}: {error}") from None
    except ValueError as error:
        reason = str(error).partition("; use sys.")[0]
        raise DataError(f"{source}: is not {form}: {reason}") from None


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise DataError(f"a number has {len(digits):,} digits: at most {_MOST_DIGITS} are read")
    return int(digits)
