"""Keep messages short and free of secrets: one place for errors, rejected rows and warnings."""

from __future__ import annotations

import re

LONGEST = 400
_LONGEST_WORD = 80
_OMITTED = " … "
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
_URL = r"[A-Za-z][A-Za-z0-9+.-]{1,30}:/{1,2}"  # paths made of URLs have one slash
_SEARCHED = 20_000  # characters of a line in which URLs are searched, as this may take their square
_QUERY = re.compile(rf"({_URL}[^\s?#'\"<>]*)[?#](?:[^\s'\"<>)]*[^\s'\"<>):;,.])?")
_LOGIN = re.compile(rf"({_URL})[^\s/@?#]*@")


def shorten(text: str, most: int = LONGEST) -> str:
    """Return a message of one line, at most `most` characters long, without queries of URLs.

    Queries and logins of URLs may hold credentials. A long word, such as a path or a label, keeps
    its beginning and end; so does a line that is still too long. Bytes that are not UTF-8 and other
    lone surrogates become `\\xff` or `\\ud800`, so that every stream and file can hold the text.

    >>> shorten("s3://key:word@bucket/a.csv?token=abc: no such file")
    's3://…@bucket/a.csv?…: no such file'
    """
    return _brief_line(visible(text), most)


def printable(text: str) -> str:
    """Return text that UTF-8 can encode: a byte of a file's name that is not UTF-8 as `\\xff`.

    >>> printable("caf\\udce9")
    'caf\\\\xe9'
    """
    if text.isascii():
        return text
    return "".join(map(_escape_surrogate, text)) if _SURROGATE.search(text) else text


def visible(text: str) -> str:
    r"""Return text of one line in which no character acts on a terminal or hides another.

    Control and escape characters, line breaks, characters that change the direction of writing, and
    what UTF-8 cannot encode are shown as `\x1b`, `\u202e` or `\ud800`.

    >>> visible("a\x1b[2Jb\nc")
    'a\\x1b[2Jb\\x0ac'
    """
    return _ACTING.sub(_escaped, text)


_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else _escape_surrogate(found[0], always=True)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _escape_surrogate(character: str, *, always: bool = False) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python holds a byte of a name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if always or 0xD800 <= code <= 0xDFFF else character


def _brief_line(line: str, most: int) -> str:
    if ":/" in line:
        line = _ends(line)
        line = _LOGIN.sub(r"\1…@", _QUERY.sub(r"\1?…", line))
    if len(line) <= most:
        return line
    line = _LONG_WORD.sub(lambda word: _middle_omitted(word[0], _LONGEST_WORD, "…"), line)
    return _middle_omitted(line, most, _OMITTED)


def _ends(line: str) -> str:
    """Return the first and last whole words of a line that is too long to be searched for URLs."""
    if len(line) <= _SEARCHED:
        return line
    half = _SEARCHED // 2
    before, after = line[:half].rpartition(" ")[0], line[-half:].partition(" ")[2]
    return f"{before}{_OMITTED}{after}".strip()


def _middle_omitted(text: str, most: int, mark: str) -> str:
    """Return the beginning and the end of a text that is longer than `most` characters.

    Code between backticks is kept whole or omitted: half an option is worse than none.
    """
    if len(text) <= most:
        return text
    end = (most - len(mark)) // 2
    before, after = text[: most - len(mark) - end], text[len(text) - end :]
    if before.count("`") % 2:
        before = before.rpartition("`")[0].rstrip()
    if after.count("`") % 2:
        after = after.partition("`")[2].lstrip()
    return before + mark + after
