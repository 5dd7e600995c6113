"""Paths in a campaign file are relative to its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .config import Config


def path_from(folder: Path, path: str) -> str:
    """An absolute path; a URL and "" as they are."""
    return path if not path or "://" in path else str(folder / Path(path).expanduser())


def with_paths_from(folder: Path, config: Config) -> Config:
    """The same with every path absolute; a URL stays as it is, "" and None stay empty."""

    def anchored(path: str | None) -> str | None:
        return path and path_from(folder, path)

    reference, replacement, release = config.reference, config.replacement, config.release
    return config.model_copy(
        update={
            "sources": tuple(
                one.model_copy(update={"path": anchored(one.path)}) for one in config.sources
            ),
            "store": config.store.model_copy(update={"url": anchored(config.store.url)}),
            "report": config.report.model_copy(update={"index": anchored(config.report.index)}),
            "annotators": {
                name: one.model_copy(update={"distributions": anchored(one.distributions)})
                for name, one in config.annotators.items()
            },
            "groups": replace(config.groups, attributes=anchored(config.groups.attributes)),
            "reference": reference and replace(reference, decisions=anchored(reference.decisions)),
            "replacement": replacement
            and replace(replacement, lengths=anchored(replacement.lengths)),
            "release": release
            and replace(release, pseudonym_key=anchored(release.pseudonym_key) or ""),
        }
    )
