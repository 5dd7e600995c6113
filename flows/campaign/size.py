"""Estimate of a campaign's size before it is read."""

from __future__ import annotations

from itertools import accumulate

from ...data.intake.input_files import file_sizes
from ...data.store.manifest import UNFINISHED
from ...data.store.store import Store
from .file.campaign_config import Config


def is_small(config: Config) -> bool:
    """Whether the exports are too small to be worth starting a cluster.

    False if the last run did not finish: a document may have killed its process, and only separate
    worker processes survive that.
    """
    most = config.engine.in_process_mb * 1_000_000
    sizes = (size for source in config.sources for size in file_sizes(source.path))
    return all(total < most for total in accumulate(sizes, initial=0)) and not Store(
        config.store.url
    ).exists(UNFINISHED)
