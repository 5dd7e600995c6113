"""Plugins: objects from the entry points of other packages, checked before use."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeVar

from .errors import MetricsError


class Named(Protocol):
    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind", bound=Named)


def load_plugins(group: str, kind: type[Kind], known: Collection[str]) -> dict[str, Kind]:
    """Load the objects of the entry points of a group, by their own names.

    known  names that are already used

    Raises MetricsError, naming the entry point, for an object of another type or a name that is
    already used.
    """
    found: dict[str, Kind] = {}
    for entry in _entry_points().select(group=group):
        one = entry.load()
        if not isinstance(one, kind):
            raise MetricsError(
                f"entry point {entry.name!r} ({entry.value}) is not a {kind.__name__}"
            )
        if one.name in known or one.name in found:
            raise MetricsError(f"entry point {entry.name!r}: name {one.name!r} is already taken")
        found[one.name] = one
    return found


@cache
def _entry_points() -> Any:
    """Return the entry points of all packages, whose type depends on the version of Python."""
    return entry_points()
