"""Preservation of a run's own Prefect database, which is deleted with its server."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from accordeur.flows.engine.startup import RECORDING

RECORDED = dict.fromkeys(RECORDING, "true")
"""Environment of a run whose own database also has its tasks."""


def keep_database(home: Path) -> None:
    """Link the database of the current run, whose TMPDIR is `home`, to `home/prefect.db`."""
    for found in home.glob(".accordeur-*/*/prefect.db"):
        kept, link = home / "prefect.db", home / "link.db"
        with suppress(FileNotFoundError):
            if not kept.exists() or not kept.samefile(found):
                os.link(found, link)
                link.replace(kept)
