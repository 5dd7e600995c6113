"""Sources that are not files: an export at an address is kept as a file, and read from there."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from errno import EIO, ENOENT
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ....data.errors import DataError
from ....data.store.file_systems import open_file_system
from ....data.untrusted.budget import budget
from ....data.untrusted.documents import parse_json
from ....data.untrusted.files import read_file, sha256_of_file
from ...secret_settings import MissingSecretError, resolve_setting
from .campaign_config import Config
from .sources import Source

if TYPE_CHECKING:
    import httpx

MOST_SECONDS = 600.0
_SILENCE_SECONDS = 60.0
_CHUNK = 1 << 20
_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.+)")  # its name may stand before a token
_OF_ARGILLA = re.compile(r"/api/v1/datasets/[^/?]+/records\?")


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
        content = parse_json(read_file(record), record.name)
        files = {name: (one, two) for name, (one, two) in content["files"].items()}
        version = content["version"] if content["address"] == address else ""
    except (DataError, KeyError, TypeError, ValueError):  # none, or it is not ours
        return None
    return _Kept(address, version, files)


def _from_web(source: Source, path: Path, kept: _Kept) -> _Kept:
    import httpx

    headers, is_own_header = {"Accept": "*/*"}, False
    if source.authorization:
        value = resolve_setting(source.authorization)
        named = _HEADER.fullmatch(value)
        is_own_header = named is not None
        headers |= {named[1]: named[2]} if named else {"Authorization": value}
    if kept.version and path.is_file():
        headers["If-None-Match"] = kept.version
    try:
        with (
            # On its way to another host only the header Authorization is left out.
            httpx.Client(follow_redirects=not is_own_header, timeout=_SILENCE_SECONDS) as client,
            client.stream("GET", source.address, headers=headers) as answer,
        ):
            if answer.status_code == httpx.codes.NOT_MODIFIED:
                return kept
            answer.raise_for_status()
            if _OF_ARGILLA.search(source.address):
                first = b"".join(_limited(answer.iter_bytes(_CHUNK), path.name))
                pages = _pages_of_argilla(client, httpx.URL(source.address), headers, first)
                sha256 = _write(path, pages)
            else:
                sha256 = _write(path, answer.iter_bytes(_CHUNK))
            return _Kept(source.address, answer.headers.get("ETag", ""), {"": ("", sha256)})
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        hint = "; check `authorization`" if status in (401, 403) else ""
        raise OSError(EIO, f"it answered {status}{hint}") from None
    except httpx.HTTPError:
        raise TimeoutError from None


def _pages_of_argilla(
    client: httpx.Client, address: httpx.URL, headers: Mapping[str, str], first: bytes
) -> Iterator[bytes]:
    """Yield the records of all pages as one JSON list; `first` is the first page."""
    page, n = parse_json(first, "the first page"), 0
    while items := page.get("items"):
        for record in items:
            yield (b",\n" if n else b"[") + json.dumps(record, ensure_ascii=False).encode()
            n += 1
        if n >= page.get("total", n):
            break
        answer = client.get(address.copy_merge_params({"offset": n}), headers=dict(headers))
        answer.raise_for_status()
        page = parse_json(answer.content, f"the page from record {n} on")
    yield b"]" if n else b"[]"


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


def _limited(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield the chunks. Raises DataError if they are too much, TimeoutError if too slow."""
    size, began = 0, time.monotonic()
    for chunk in chunks:
        size += len(chunk)
        budget().require("file_bytes", size, name, "the export is too large")
        if time.monotonic() - began > MOST_SECONDS:
            raise TimeoutError
        yield chunk


def _write(path: Path, chunks: Iterator[bytes]) -> str:
    """Write a file at once, if it is complete in time and not too large; return its SHA-256."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            for chunk in _limited(chunks, path.name):
                file.write(chunk)
        os.replace(part, path)  # noqa: PTH105 - of one folder
    finally:
        part.unlink(missing_ok=True)
    return sha256_of_file(path)
