"""Plugins: objects from the entry points of other packages, checked before use.

What a plugin computes depends on its files, so that these count wherever Accordeur's own version
does: in the keys of stored results, in signatures, and in what a run writes about itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import Distribution, distributions, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zipimport import zipimporter

from .errors import MetricsError

GROUPS = "accordeur."  # begins the name of each group of entry points
_COMPILED = (".so", ".pyd")


class Named(Protocol):
    @property
    def name(self) -> str: ...


Kind = TypeVar("Kind", bound=Named)

_PACKAGE_OF: dict[str, str] = {}  # measures and distances of other packages → package and version


def load_plugins(group: str, kind: type[Kind], known: Collection[str]) -> dict[str, Kind]:
    """Load the objects of the entry points of a group, by their own names.

    known  names that are already used

    Raises MetricsError, naming the entry point, for an object of another type or a name that is
    already used.
    """
    plugin_files()  # as they are when they are imported
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
        if entry.dist is not None:
            _PACKAGE_OF[one.name] = f"{entry.dist.name} {entry.dist.version}"
    return found


def package_of(*names: str | None) -> str | None:
    """Return the package and version of the first measure or distance that a plugin adds."""
    return next((_PACKAGE_OF[name] for name in names if name in _PACKAGE_OF), None)


@cache
def plugin_files() -> dict[str, str]:
    """Return the packages that add objects, with their versions → a hash of their source files.

    They are hashed once in a process, before the first plugin is imported.
    """
    return _hashes_of_plugins()


def plugin_versions() -> dict[str, str]:
    """Return the packages that add objects, with their versions."""
    return dict(named.rsplit(" ", 1) for named in plugin_files())


def require_unchanged_plugins() -> None:
    """Raise MetricsError if files of a plugin are others than those that this process imported."""
    before, now = plugin_files(), _hashes_of_plugins()
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    if changed:
        raise MetricsError(
            f"the files of the plugin {changed[0]} changed after it was imported, so that results "
            "would not be its own: start this process (`accordeur serve`, a worker) again"
        )


def require_same_plugins(expected: dict[str, str]) -> None:
    """Raise MetricsError if a worker has other plugins than the process that gives it work."""
    own = plugin_files()
    other = sorted(name for name in {*expected, *own} if expected.get(name) != own.get(name))
    if other:
        raise MetricsError(
            f"a worker has another state of the plugin {other[0]} than the run: install the same "
            "packages on all machines, and start the workers again"
        )


def _hashes_of_plugins() -> dict[str, str]:
    if not any(group.startswith(GROUPS) for group in _entry_points().groups):
        return {}
    found = {}
    for package in distributions():
        modules = {
            entry.module.partition(".")[0]
            for entry in package.entry_points
            if entry.group.startswith(GROUPS)
        }
        if modules:
            digest = hashlib.sha256()
            for name, path in sorted(_source_files(package, modules)):
                content = path.read_bytes()
                digest.update(f"{name}\0{len(content)}\0".encode())
                digest.update(content)
            found[f"{package.name} {package.version}"] = digest.hexdigest()[:16]
    return found


def _source_files(package: Distribution, modules: set[str]) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of each source file of a package, or of the archive that holds them.

    modules  the modules and packages that its entry points name; others are known from its list of
             files, which an editable installation lacks
    """
    listed = {file.parts[0] for file in package.files or () if file.suffix == ".py"}
    for module in sorted(modules | {name.removesuffix(".py") for name in listed}):
        spec = find_spec(module) if module.isidentifier() else None
        if spec is None or spec.origin is None:
            continue
        if isinstance(spec.loader, zipimporter):
            yield module, Path(spec.loader.archive)
        elif spec.submodule_search_locations is None:
            yield module, Path(spec.origin)
        else:
            folder = Path(spec.origin).parent
            for path in folder.rglob("*"):
                if path.suffix in (".py", *_COMPILED):
                    yield f"{module}/{path.relative_to(folder).as_posix()}", path


@cache
def _entry_points() -> Any:
    """Return the entry points of all packages, whose type depends on the version of Python."""
    return entry_points()
