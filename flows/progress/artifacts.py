"""Artifacts of a flow run in Prefect's interface: progress, verdict, a link to the report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from httpx import HTTPError
from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)

from ...data.store.store import Store


class ProgressArtifact:
    """Progress of a flow run, in percent. An unreachable server does not end the run."""

    def __init__(self) -> None:
        self._id: Any = None

    def begin(self, key: str) -> None:
        """Create the artifact at 0 %."""
        with suppress(HTTPError):
            self._id = create_progress_artifact(progress=0.0, key=key)

    def update(self, percent: float, description: str) -> None:
        if self._id is not None:
            with suppress(HTTPError):
                update_progress_artifact(self._id, percent, description)


def publish_outcome(campaign: str, store: Store, outcome: Mapping[str, Any]) -> None:
    """Attach the verdict with the gates, and where the report and the index are, to the flow run.

    A page on a web server gets a link of its own; browsers do not follow links to files from
    Prefect's pages, so other places are named in the verdict.

    campaign  name of the campaign; artifacts of its runs have the same keys, so that Prefect shows
              them as one history
    """
    key = artifact_key(campaign)
    report, index = outcome["report"], outcome.get("index")
    summary = store.content(f"{outcome['folder']}/summary.md")
    pages = [("report", f"Report of {campaign}", report)]
    pages += [("index", "All campaigns", index)] if index else []
    text = [(summary or b"").decode()]
    with suppress(HTTPError):
        for part, title, place in pages:
            if place.startswith(("https://", "http://")):
                create_link_artifact(place, title, f"{key}-{part}", place)
            else:
                text.append(f"{title}: `{place}`\n")
        create_markdown_artifact("\n".join(text), f"{key}-verdict", f"Verdict on {campaign}")


def artifact_key(campaign: str) -> str:
    """Convert the campaign's name to the characters allowed in keys; `campaign` if none remains."""
    plain = re.sub("['’]", "", campaign.lower())
    return re.sub("[^a-z0-9]+", "-", plain).strip("-") or "campaign"
