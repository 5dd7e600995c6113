"""What faults happen to: the folder, the servers, the unbroken run."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from accordeur.data.store.store import Store
from tests.faults.campaign import write_campaign
from tests.faults.runs import (
    Home,
    PrefectServer,
    fingerprint,
)


class NotHere(Exception):  # noqa: N818
    """The fault cannot be made on this machine: the message says why."""


@dataclass
class Scene:
    home: Home
    server: PrefectServer
    unbroken_store: Path = field(init=False)
    unbroken: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        campaign = self.campaign("unbroken")
        self.home.run(campaign)
        self.unbroken_store = campaign.parent / "store"
        self.unbroken = fingerprint(Store(str(self.unbroken_store)))

    def campaign(self, name: str, *, store: str = "store", without: str = "") -> Path:
        return write_campaign(self.home.folder / name, store=store, without=without)

    def copy(self, name: str) -> Path:
        """A campaign whose store is a copy of the unbroken run's, without its report."""
        campaign = self.campaign(name)
        shutil.copytree(self.unbroken_store, campaign.parent / "store")
        shutil.rmtree(campaign.parent / "store" / "reports")
        return campaign
