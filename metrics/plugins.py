"""What other packages add: objects of their entry points, checked before anything uses them."""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import entry_points
from typing import Protocol, TypeVar

from .errors import MetricsError


class Named(Protocol):
    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind", bound=Named)


def load_plugins(group: str, kind: type[Kind], known: Collection[str]) -> dict[str, Kind]:
    """The objects of the entry points of a group, by their own names.

    known  names that are taken. Raises MetricsError for an object of another kind, or a name that
    is taken: it names the entry point.
    """
    found: dict[str, Kind] = {}
    for entry in entry_points(group=group):
        one = entry.load()
        if not isinstance(one, kind):
            raise MetricsError(
                f"entry point {entry.name!r} ({entry.value}) is not a {kind.__name__}"
            )
        if one.name in known or one.name in found:
            raise MetricsError(f"entry point {entry.name!r}: name {one.name!r} is already taken")
        found[one.name] = one
    return found
