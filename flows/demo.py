"""The demonstration campaign: real files in three formats, copied into a user's folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from .errors import UserError

SOURCE = Path(__file__).parent / "demo_campaign"
CAMPAIGN_FILE = "campaign.toml"


def write_demo(folder: Path) -> Path:
    """Copy the campaign and return its campaign file; an existing copy is kept.

    Raises UserError if the folder contains anything else.
    """
    campaign = folder / CAMPAIGN_FILE
    if campaign.is_file():
        return campaign
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty: give a new folder for the demonstration")
    try:
        shutil.copytree(SOURCE, folder, dirs_exist_ok=True)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise UserError(
            f"{folder}: {reason.lower()}: give a folder that you may write to"
        ) from error
    return campaign
