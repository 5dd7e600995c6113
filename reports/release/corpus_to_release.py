"""The input of the documents of a release."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..language import PASSPORT, Code, Language
from ..results import Results
from ..results.release import REDISTRIBUTABLE, Release, ReleaseMetadata

DATA = "data"  # folder of the published tables
FORMATS = {
    ".parquet": "application/x-parquet",  # as in Croissant
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".html": "text/html",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".toml": "application/toml",
    ".cff": "application/yaml",
}


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A file of the bundle: path below its folder, bytes, SHA-256 in hexadecimal digits."""

    path: str
    size: int
    sha256: str

    @classmethod
    def of(cls, path: str, content: bytes) -> BundleFile:
        return cls(path, len(content), hashlib.sha256(content).hexdigest())

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def format(self) -> str:
        """Return its media type."""
        end = "." + self.name.rpartition(".")[2]
        return FORMATS.get(
            end, "text/plain" if end in (".txt", ".ann") else "application/octet-stream"
        )


@dataclass(frozen=True)
class Corpus:
    """Results of an audit with a section [release], and the files of the bundle."""

    results: Results
    files: tuple[BundleFile, ...]
    code: Code = "en"

    @cached_property
    def say(self) -> Language:
        return Language(self.code, PASSPORT)

    @cached_property
    def json(self) -> dict[str, Any]:
        """Return the results as in `results.json`."""
        return self.results.model_dump(mode="json")

    @property
    def release(self) -> Release:
        if self.results.release is None:
            raise ValueError("these results are not from a release audit")
        return self.results.release

    @property
    def metadata(self) -> ReleaseMetadata:
        return self.release.metadata or ReleaseMetadata()

    @property
    def title(self) -> str:
        return self.metadata.title or self.results.campaign.name

    @property
    def spdx(self) -> str:
        """Return the licence if it is a known SPDX identifier, else ""."""
        licence = self.results.campaign.licence.strip()
        return licence if REDISTRIBUTABLE.fullmatch(licence) else ""

    @property
    def licence_url(self) -> str:
        """Return the licence's address in the SPDX list, or the licence as given."""
        return licence_url(self.results.campaign.licence)

    def column_text(self, table: str, column: str) -> str:
        """Describe a column: as it is in this table, else as it is in every table."""
        own = f"passport.column_of.{table}.{column}"
        return self.say(own if self.say.knows(own) else f"passport.column.{column}")

    @property
    def identifier(self) -> str:
        """Return the address that identifies the release: of its DOI, else of its page; or ""."""
        return f"https://doi.org/{self.metadata.doi}" if self.metadata.doi else self.metadata.url

    @property
    def data_files(self) -> tuple[BundleFile, ...]:
        """Return the tables of the release, in both formats, with the table of measured values."""
        return tuple(file for file in self.files if file.path.startswith(f"{DATA}/"))


def licence_url(licence: str) -> str:
    """Return the address of a known SPDX identifier; any other licence unchanged.

    >>> licence_url("CC-BY-4.0")
    'https://spdx.org/licenses/CC-BY-4.0'
    """
    known = REDISTRIBUTABLE.fullmatch(licence.strip())
    return f"https://spdx.org/licenses/{licence.strip()}" if known else licence.strip()
