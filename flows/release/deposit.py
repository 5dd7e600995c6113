"""Deposit of a bundle in a data repository: one zip file or a folder, names and sizes checked."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...data.errors import DataError
from ...data.store.checksums import CHECKSUMS
from ...data.untrusted.archives import unpack_archive
from ...data.untrusted.files import require_regular
from ..errors import UserError

GIGABYTE = 10**9
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_LONGEST_PATH = 200  # characters; Windows limits paths to 260, including the target folder
_EPOCH = (1980, 1, 1, 0, 0, 0)  # makes the zip file of a bundle reproducible byte by byte


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of a repository for ordinary uploads, according to its help pages in 2026."""

    repository: str
    file_bytes: float
    n_files: float = float("inf")


LIMITS = (
    Limit("Zenodo", 50 * GIGABYTE, 100),
    Limit("Figshare", 20 * GIGABYTE, 500),
    Limit("OSF", 5 * GIGABYTE),
    Limit("Dataverse (most installations)", 2.5 * GIGABYTE, 1000),
    Limit("Hugging Face", 50 * GIGABYTE),
)


def require_new(target: Path) -> None:
    """Raise UserError for a target that exists, or whose name repositories reject."""
    if target.exists():
        raise UserError(f"{target} already exists: give a new file or folder for the deposit")
    if not _NAME.fullmatch(target.name):
        raise UserError(
            f"{target.name!r}: repositories accept only names of ASCII letters, digits, '-', '_' "
            "and '.' that do not begin with '.' or '-': rename the deposit"
        )


def copy_bundle_for_deposit(bundle: Path, target: Path) -> list[str]:
    """Copy the files of a bundle into a new zip file (by its suffix) or folder.

    Returns a warning for each repository whose limits are exceeded. Raises DataError for a name in
    the bundle that repositories reject, UserError for such a target.
    """
    require_new(target)
    files = {
        path.relative_to(bundle).as_posix(): path
        for path in sorted(bundle.rglob("*"))
        if path.is_file()
    }
    for name in files:
        if len(name) > _LONGEST_PATH or not all(map(_NAME.fullmatch, name.split("/"))):
            raise DataError(
                f"{bundle}: {name!r} is a name that repositories refuse: use at most "
                f"{_LONGEST_PATH} characters, only ASCII letters, digits, '-', '_' and '.', and no "
                "'.' or '-' at the start of a name"
            )
    if target.suffix.lower() != ".zip":
        shutil.copytree(bundle, target)
        return exceeded_limits({name: path.stat().st_size for name, path in files.items()})
    with ZipFile(target, "x", ZIP_DEFLATED) as archive:
        for name, path in files.items():
            entry = ZipInfo(f"{target.stem}/{name}", _EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type, entry.file_size = ZIP_DEFLATED, path.stat().st_size
            with path.open("rb") as source, archive.open(entry, "w") as copy:
                shutil.copyfileobj(source, copy)
    return exceeded_limits({target.name: target.stat().st_size})


def exceeded_limits(sizes: Mapping[str, int]) -> list[str]:
    """Warn of repositories with limits below the number or size of the files (name → bytes)."""
    found = []
    for limit in LIMITS:
        if len(sizes) > limit.n_files:
            found.append(
                f"{len(sizes)} files: {limit.repository} takes {limit.n_files:.0f}; give a name "
                "that ends in .zip for a single file"
            )
        large = max(sizes, key=lambda name: sizes[name], default="")
        if large and sizes[large] > limit.file_bytes:
            found.append(
                f"{large} has {sizes[large] / GIGABYTE:.1f} GB: {limit.repository} takes "
                f"{limit.file_bytes / GIGABYTE:g} GB in a file"
            )
    return found


@contextmanager
def opened_bundle(place: Path) -> Iterator[Path]:
    """Yield the folder of a bundle; a zip file is unpacked temporarily.

    Raises DataError for a zip file that is damaged, contains duplicate names, or is too large.
    """
    require_regular(place)
    if not place.exists():
        raise DataError(f"{place}: no such folder or zip file")
    if place.is_dir():
        yield place
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        unpack_archive(place, root)
        inside = [path for path in root.iterdir() if path.is_dir()]
        if not (root / CHECKSUMS).exists() and len(inside) == 1 and len(list(root.iterdir())) == 1:
            root = inside[0]
        yield root
