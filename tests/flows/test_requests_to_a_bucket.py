"""How many requests a run makes to an object store, counted by the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication as Server

from tests.flows.runs import campaign_run
from tests.flows.small import write_quick_demo

pytestmark = pytest.mark.services
MOST = 340  # of the whole demonstration 470, and 2,700 before files were held and written at once


def test_a_campaign_of_twelve_documents_makes_few_requests(
    tmp_path: Path, object_store: str, prefect_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []
    answer = Server.__call__

    def counted(self: Any, environ: dict[str, Any], start: Any) -> Any:
        seen.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        return answer(self, environ, start)

    monkeypatch.setattr(Server, "__call__", counted)
    campaign = write_quick_demo(tmp_path)
    text = campaign.read_text(encoding="utf-8").replace('url = "store"', f'url = "{object_store}"')
    campaign.write_text(text, encoding="utf-8")
    campaign_run(campaign)
    of_run = [one for one in seen if "/locks/" not in one[1]]  # the claim is renewed in time
    written = [path for method, path in of_run if method == "PUT"]
    assert len(of_run) <= MOST
    assert len(written) > 50
    assert len(set(written)) > len(written) - 5, "a file is written once"
