"""How large a campaign is, before it is read."""

from __future__ import annotations

from itertools import accumulate

from ...data.intake.inputs import file_sizes
from ...data.store.manifest import UNFINISHED
from ...data.store.store import Store
from .file.config import Config


def is_small(config: Config) -> bool:
    """Whether a cluster is not worth its start: the exports have few bytes.

    Not where the last run did not end: a document may have killed its process, which only workers
    that are processes of their own survive.
    """
    most = config.engine.in_process_mb * 1_000_000
    sizes = (size for source in config.sources for size in file_sizes(source.path))
    return all(total < most for total in accumulate(sizes, initial=0)) and not Store(
        config.store.url
    ).exists(UNFINISHED)
