"""Sources that are not files: an export at an address is kept as a file, and read from there."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from errno import EIO, ENOENT
from pathlib import Path
from urllib.parse import urlsplit

from ....data.errors import DataError
from ....data.store.file_systems import open_file_system
from ....data.untrusted.budget import budget
from ....data.untrusted.files import sha256_of_file
from ...secret_settings import MissingSecretError, resolve_setting
from .campaign_config import Config
from .sources import Source

MOST_SECONDS = 600.0
_SILENCE_SECONDS = 60.0
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was fetched from an address: it alone is written again, and deleted.

    version  what the server calls the version of the file (its ETag)
    files    name below the path, "" for the path itself → size and time, and SHA-256
    """

    address: str
    version: str = ""
    files: dict[str, tuple[str, str]] = field(default_factory=dict)


def fetch_sources(config: Config) -> None:
    """Bring the path of each source that has an address up to date.

    A file is transferred if it is new or its version changed. Raises DataError if an address does
    not answer in time, refuses, or holds more than the budget of one file allows; then what was
    fetched before stays as it was.
    """
    for number, source in enumerate(config.sources):
        if source.address:
            try:
                _fetch(source)
            except (OSError, MissingSecretError) as error:  # no address, which may hold a token
                host = urlsplit(source.address).hostname
                said = str(error) if isinstance(error, MissingSecretError) else error.strerror
                reason = said or "it cannot be reached, or does not answer in time"
                raise DataError(f"sources[{number}].address: {host}: {reason}") from None


def _fetch(source: Source) -> None:
    path = Path(source.path)
    record = path.with_name(f".{path.name}.fetched.json")
    kept = _read(record, source.address)
    if kept is None and path.exists():
        raise DataError(
            f"{path}: this file was not fetched from an address, so it is not overwritten: give "
            "the source another path"
        )
    kept = kept or _Kept(source.address)
    path.parent.mkdir(parents=True, exist_ok=True)
    web = source.address.startswith(("https://", "http://"))
    now = _from_web(source, path, kept) if web else _from_objects(source.address, path, kept)
    if now != kept:
        part = record.with_name(f"{record.name}.part")
        part.write_text(json.dumps(asdict(now), ensure_ascii=False, indent=1), encoding="utf-8")
        part.replace(record)


def _read(record: Path, address: str) -> _Kept | None:
    """Return what the record says; of another address, that its files may be overwritten."""
    try:
        content = json.loads(record.read_bytes())
        files = {name: (one, two) for name, (one, two) in content["files"].items()}
        version = content["version"] if content["address"] == address else ""
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return _Kept(address, version, files)


def _from_web(source: Source, path: Path, kept: _Kept) -> _Kept:
    import httpx

    headers = {"Accept": "*/*"}
    if source.authorization:
        headers["Authorization"] = resolve_setting(source.authorization)
    if kept.version and path.is_file():
        headers["If-None-Match"] = kept.version
    try:
        with (
            httpx.Client(follow_redirects=True, timeout=_SILENCE_SECONDS) as client,
            client.stream("GET", source.address, headers=headers) as answer,
        ):
            if answer.status_code == httpx.codes.NOT_MODIFIED:
                return kept
            answer.raise_for_status()
            sha256 = _write(path, answer.iter_bytes(_CHUNK))
            return _Kept(source.address, answer.headers.get("ETag", ""), {"": ("", sha256)})
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        hint = "; check `authorization`" if status in (401, 403) else ""
        raise OSError(EIO, f"it answered {status}{hint}") from None
    except httpx.HTTPError:
        raise TimeoutError from None


def _from_objects(address: str, path: Path, kept: _Kept) -> _Kept:
    from pyarrow import fs

    system, root = open_file_system(address)
    found = system.get_file_info(root)
    if found.type == fs.FileType.NotFound:
        raise FileNotFoundError(ENOENT, "there is no such file or folder")
    if found.type == fs.FileType.Directory:
        listed = system.get_file_info(fs.FileSelector(root, recursive=True))
    else:
        listed = [found]
    files: dict[str, tuple[str, str]] = {}
    for one in listed:
        name = one.path.removeprefix(root).strip("/")
        if one.type != fs.FileType.File or ".." in name.split("/"):
            continue
        version, target = f"{one.size} {one.mtime_ns}", path / name if name else path
        if name in kept.files and kept.files[name][0] == version and target.is_file():
            files[name] = kept.files[name]
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with system.open_input_stream(one.path) as stream:
            files[name] = version, _write(target, iter(lambda: stream.read(_CHUNK), b""))
    for name in kept.files.keys() - files.keys():
        gone = path / name if name else path
        if gone.is_file() and sha256_of_file(gone) == kept.files[name][1]:
            gone.unlink()
    return _Kept(address, "", files)


def _write(path: Path, chunks: Iterator[bytes]) -> str:
    """Write a file at once, if it is complete in time and not too large; return its SHA-256."""
    part, size, began = path.with_name(f".{path.name}.part"), 0, time.monotonic()
    try:
        with part.open("wb") as file:
            for chunk in chunks:
                size += len(chunk)
                budget().require("file_bytes", size, path.name, "the export is too large")
                if time.monotonic() - began > MOST_SECONDS:
                    raise TimeoutError
                file.write(chunk)
        os.replace(part, path)  # noqa: PTH105 - of one folder
    finally:
        part.unlink(missing_ok=True)
    return sha256_of_file(path)
