"""Find the type system files of an XMI: the files of the nearest folder that has any.

Folders are searched from the XMI's own folder up to the root of the source, or of the zip. All type
systems of that folder are merged. The option `typesystem` names files (separated by commas) or a
folder instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated

from ....errors import DataError, OptionError
from ....option_names import format_options
from ....untrusted.archives import Archive
from ....untrusted.files import read_file
from ...base import SourceOptions
from ...common.files.text import is_type_system
from ...options import FormatOptions, Names, Option
from .types import TypeSystem, merged_type_system

TYPE_SYSTEM = "TypeSystem.xml"
_MARK = b"<typeSystemDescription"


@dataclass(frozen=True)
class TypeSystemOption(FormatOptions):
    typesystem: Annotated[
        Names,
        Option(
            "the type system's files, separated by commas, or their folder",
            unset=f"{TYPE_SYSTEM} in the folder of the XMI file or in a folder above it",
        ),
    ] = ()


def type_system_of_file(path: Path, source: str, options: SourceOptions) -> TypeSystem:
    """Return the type system. Raises DataError when there is none, or one cannot be read."""
    root = options.root if options.root is not None else path.parent
    if named := options.of_format(TypeSystemOption).typesystem:
        return _merged_type_system(
            [file for name in named for file in _type_system_files(name, root)]
        )
    for folder in path.parents:
        if files := _type_files_in_folder(folder, _modification_time(folder)):
            return _merged_type_system(files)
        if folder == root:
            break
    raise DataError(
        f"{source}: an XMI cannot be read without its type system: put {TYPE_SYSTEM} beside it, or "
        f"name the file with {format_options(typesystem='FILE')}"
    )


def _merged_type_system(files: Sequence[Path]) -> TypeSystem:
    return merged_type_system(tuple((read_file(file, file.name), file.name) for file in files))


def _type_system_files(name: str, root: Path) -> list[Path]:
    place = root / name if (root / name).exists() else Path(name)
    if place.is_dir():
        files = list(_type_files_in_folder(place, _modification_time(place)))
        if not files:
            raise OptionError(f"option typesystem = {name!r}: the folder holds no type system")
        return files
    return [place]


def _modification_time(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=256)
def _type_files_in_folder(folder: Path, changed: int) -> tuple[Path, ...]:
    """Read the type systems of a folder; its modification time `changed` is a cache key."""
    return tuple(sorted(file for file in folder.glob("*.[xX][mM][lL]") if is_type_system(file)))


def type_system_beside(archive: Archive, name: str) -> TypeSystem:
    """Return the type system of the XMI `name` in a zip. Raises DataError when there is none."""
    for folder in PurePosixPath(name).parents:
        files = tuple(_type_systems_in_archive(archive, folder))
        if files:
            return merged_type_system(files)
    raise DataError(
        f"{archive.source}/{name}: the zip has no type system ({TYPE_SYSTEM}) beside it"
    )


def _type_systems_in_archive(
    archive: Archive, folder: PurePosixPath
) -> Iterator[tuple[bytes, str]]:
    for each in archive.names:
        path = PurePosixPath(each)
        if path.parent == folder and path.suffix.lower() == ".xml":
            data = archive.read(each)
            if _MARK in data or path.name.casefold() == TYPE_SYSTEM.casefold():
                yield data, f"{archive.source}/{each}"
