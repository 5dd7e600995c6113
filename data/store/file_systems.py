"""Open the file system of a store: a folder, or an object store by its URL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pyarrow import fs

from ..errors import DataError

URL = re.compile(r"^[a-z][a-z0-9+.-]+://")
_TRIES = 3  # of one request within Arrow: `retries` decides how long a silent store is waited for
_YES = ("true", "1")


def split_place(place: str) -> tuple[str, str]:
    """Split a place into the store's URL and the name in it; paths become absolute."""
    is_url = bool(URL.match(place))
    address, mark, query = place.partition("?") if is_url else (place, "", "")
    if not is_url:
        address = str(Path(address).expanduser().resolve())
    root, _, name = address.rstrip("/").rpartition("/")
    return f"{root or '/'}{mark}{query}", name


def open_file_system(url: str) -> tuple[Any, str]:
    """Return the file system of a folder or URL, and the root in it.

    Raises DataError for a URL that cannot be opened, or that holds a password.
    """
    if not URL.match(url):
        return fs.LocalFileSystem(), str(Path(url).expanduser().resolve())
    if urlsplit(url).password:
        raise DataError(
            "the store's URL holds a password: give credentials in the environment instead"
        )
    found, root = fs.FileSystem.from_uri(url)
    if isinstance(found, fs.S3FileSystem):
        found = _s3(found.region, parse_qs(urlsplit(url).query))
    return found, root


def _s3(region: str, query: dict[str, list[str]]) -> Any:
    """Return the file system of an S3 URL that writes a small file in one request.

    Arrow has checked the query, whose options from_uri cannot combine with these two.
    """
    given: dict[str, Any] = {name: values[-1] for name, values in query.items()}
    for name, text in given.items():
        if text.lower() in (*_YES, "false", "0"):
            given[name] = text.lower() in _YES
    return fs.S3FileSystem(
        **{
            **given,
            "region": region,
            "allow_delayed_open": True,
            "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=_TRIES),
        }
    )
