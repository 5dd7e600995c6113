"""The name of a pair of annotators in results, where reports find it again."""

from __future__ import annotations

import re

_BETWEEN = " – "
_NAME = "“(?:[^”]|””)*”|[^–]*"
_PAIR = re.compile(f"({_NAME}){_BETWEEN}({_NAME})", re.DOTALL)


def pair_name(one: str, other: str) -> str:
    """Return the name of the pair, in the order of the annotators.

    Different pairs have different names: a name that contains the sign between the two is quoted.

    >>> pair_name("anna", "ben")
    'anna – ben'
    >>> pair_name("team 1 – anna", "ben")
    '“team 1 – anna” – ben'
    """
    return f"{_quoted(one)}{_BETWEEN}{_quoted(other)}"


def members_of_pair(name: str) -> tuple[str, str]:
    """Return the annotators of a pair by its name.

    >>> members_of_pair("“team 1 – anna” – ben")
    ('team 1 – anna', 'ben')
    """
    found = _PAIR.fullmatch(name)
    one, other = found.groups() if found else (name, "")
    return _unquoted(one), _unquoted(other)


def _quoted(name: str) -> str:
    if _BETWEEN.strip() not in name and not name.startswith("“"):
        return name
    return f"“{name.replace('”', '””')}”"


def _unquoted(name: str) -> str:
    return name[1:-1].replace("””", "”") if name.startswith("“") else name
