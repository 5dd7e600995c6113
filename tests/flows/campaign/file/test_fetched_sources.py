"""Exports at addresses, from a web server and an S3 server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import ValidationError

from accordeur.data.errors import DataError
from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.campaign.file.fetched_sources import fetch_sources
from accordeur.flows.campaign.file.sources import Source

EXPORT = b"item,annotator,label\n1,a,x\n1,b,x\n2,a,x\n2,b,y\n3,a,y\n3,b,y\n"


class Tool(ThreadingHTTPServer):
    """A server that gives an export to who has the token, and knows its version."""

    content, version, status = EXPORT, '"1"', 200
    announced: int | None = None
    page: Callable[[int], object] | None = None  # what an address with offset gives
    asked: list[dict[str, str]]


@pytest.fixture
def tool() -> Iterator[Tool]:
    class Handler(BaseHTTPRequestHandler):
        server: Tool

        def do_GET(self) -> None:
            tool = self.server
            tool.asked.append(
                {"path": self.path, **{k.lower(): v for k, v in self.headers.items()}}
            )
            if self.path == "/moved":
                self.send_response(302)
                self.send_header("Location", f"http://localhost:{tool.server_address[1]}/export")
                self.end_headers()
                return
            if tool.page is not None:
                offset = parse_qs(urlsplit(self.path).query).get("offset", ["0"])[0]
                tool.content = json.dumps(tool.page(int(offset))).encode()
            is_known = self.headers.get("If-None-Match") == tool.version
            self.send_response(304 if is_known else tool.status)
            self.send_header("ETag", tool.version)
            self.send_header("Content-Length", str(tool.announced or len(tool.content)))
            self.end_headers()
            if not is_known:
                self.wfile.write(tool.content)

        def log_message(self, *positional: object) -> None:
            pass

    with Tool(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def campaign(folder: Path, address: str, more: str = "") -> Config:
    file = folder / "campaign.toml"
    source = f'[[sources]]\naddress = "{address}"\npath = "fetched/one.csv"\n{more}'
    file.write_text(f'[campaign]\nname = "x"\n{source}', encoding="utf-8")
    return load_campaign(file)


def at(tool: Tool, path: str = "export") -> str:
    return f"http://127.0.0.1:{tool.server_address[1]}/{path}"


def test_an_export_is_fetched_again_only_in_another_version(tool: Tool, tmp_path: Path) -> None:
    given, file = campaign(tmp_path, at(tool)), tmp_path / "fetched" / "one.csv"
    fetch_sources(given)
    assert file.read_bytes() == EXPORT
    before = file.stat().st_mtime_ns
    fetch_sources(given)
    assert [one.get("if-none-match") for one in tool.asked] == [None, '"1"']
    assert file.stat().st_mtime_ns == before
    tool.version, tool.content = '"2"', EXPORT + b"4,a,y\n4,b,y\n"
    fetch_sources(given)
    assert file.read_bytes() == tool.content
    assert [one.name for one in sorted(file.parent.iterdir())] == [
        ".one.csv.fetched.json",
        "one.csv",
    ]


def test_check_reads_what_it_fetched(
    tool: Tool, tmp_path: Path, main_in_process: Callable[..., str]
) -> None:
    campaign(tmp_path, at(tool))
    said = main_in_process("check", tmp_path / "campaign.toml", "--json", code=0)
    assert json.loads(said)["rows"]["read"] == 6


def test_verifying_a_bundle_contacts_no_address(
    tool: Tool, tmp_path: Path, main_in_process: Callable[..., str]
) -> None:
    campaign(tmp_path, at(tool))
    said = main_in_process("audit", tmp_path / "campaign.toml", "--verify", tmp_path)
    assert "no such file or folder" in said
    assert tool.asked == []


def test_a_token_is_sent_to_no_other_host(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL", "Token abc")
    fetch_sources(campaign(tmp_path, at(tool, "moved"), 'authorization = "$TOOL"\n'))
    assert [one.get("authorization") for one in tool.asked] == ["Token abc", None]


@pytest.mark.parametrize(
    ("status", "message"),
    [(403, "127.0.0.1: it answered 403; check `authorization`"), (500, "it answered 500")],
)
def test_what_the_server_refuses_is_said_and_the_last_export_stays(
    tool: Tool, tmp_path: Path, status: int, message: str
) -> None:
    given, file = campaign(tmp_path, at(tool, "export?token=abc")), tmp_path / "fetched" / "one.csv"
    fetch_sources(given)
    tool.version, tool.status = '"2"', status
    with pytest.raises(DataError, match=message) as refused:
        fetch_sources(given)
    assert "abc" not in str(refused.value)
    assert file.read_bytes() == EXPORT


def test_half_an_export_is_none(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, file = campaign(tmp_path, at(tool)), tmp_path / "fetched" / "one.csv"
    tool.announced = 10_000
    with pytest.raises(DataError, match="cannot be reached"):
        fetch_sources(given)
    tool.announced = None
    monkeypatch.setenv("ACCORDEUR_MAX_FILE_BYTES", "10")
    with pytest.raises(DataError, match="the export is too large"):
        fetch_sources(given)
    assert not list(file.parent.iterdir())


def test_a_file_that_was_not_fetched_is_not_overwritten(tool: Tool, tmp_path: Path) -> None:
    given, file = campaign(tmp_path, at(tool)), tmp_path / "fetched" / "one.csv"
    file.parent.mkdir()
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="was not fetched from an address"):
        fetch_sources(given)
    assert file.read_text(encoding="utf-8") == "mine"


def test_all_pages_of_argilla_are_one_export(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, main_in_process: Callable[..., str]
) -> None:
    """Five records of two users, two a page, as Argilla's server gives them."""
    records = [
        {
            "id": f"r{k}", "dataset_id": "d", "status": "completed", "fields": {"text": "so what"},
            "responses": [
                {"id": f"{k}{who}", "user_id": who, "status": "submitted",
                 "values": {"topic": {"value": "ab"[k % 2]}}}
                for who in ("u1", "u2")
            ],
        }
        for k in range(5)
    ]  # fmt: skip
    tool.page = lambda offset: {"items": records[offset : offset + 2], "total": 5}
    monkeypatch.setenv("ARGILLA", "X-Argilla-Api-Key: abc")
    place = at(tool, "api/v1/datasets/d/records?include=responses&limit=2")
    fetch_sources(campaign(tmp_path, place, 'authorization = "$ARGILLA"\nformat = "argilla"\n'))
    assert [one["x-argilla-api-key"] for one in tool.asked] == ["abc"] * 3
    assert all("include=responses" in one["path"] for one in tool.asked)
    kept = json.loads((tmp_path / "fetched" / "one.csv").read_bytes())
    assert [one["id"] for one in kept] == [f"r{k}" for k in range(5)]
    (tmp_path / "fetched" / "one.csv").rename(tmp_path / "argilla.json")
    found = main_in_process("agree", tmp_path / "argilla.json", "--json", code=0)
    first = json.loads(found[found.index("{") :])["results"][0]
    assert (first["measure"], first["value"], first["n_items"]) == ("krippendorff_alpha", 1.0, 5)


@pytest.mark.services
def test_a_folder_of_an_object_store(object_store: str, tmp_path: Path) -> None:
    from accordeur.data.store.file_systems import open_file_system

    system, root = open_file_system(object_store)

    def put(name: str, content: bytes) -> None:
        with system.open_output_stream(f"{root}/{name}") as stream:
            stream.write(content)

    put("a.csv", EXPORT)
    put("more/b.csv", EXPORT)
    given, folder = campaign(tmp_path, object_store), tmp_path / "fetched" / "one.csv"
    fetch_sources(given)
    first = (folder / "a.csv").stat().st_mtime_ns
    put("more/b.csv", EXPORT + b"4,a,y\n")
    (folder / "mine.txt").write_text("kept", encoding="utf-8")
    fetch_sources(given)
    assert (folder / "a.csv").stat().st_mtime_ns == first
    assert (folder / "more" / "b.csv").read_bytes() == EXPORT + b"4,a,y\n"
    system.delete_file(f"{root}/a.csv")
    fetch_sources(given)
    assert sorted(one.name for one in folder.iterdir()) == ["mine.txt", "more"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"address": "https://u:p@example.org/x", "path": "a"}, "contains a password"),
        ({"address": "http://example.org/x", "path": "a", "authorization": "$T"}, "unencrypted"),
        ({"address": "https://example.org/x", "path": "*.csv"}, "name the file or folder"),
        ({"address": "ftp://example.org/x", "path": "a"}, "begins with https"),
        (
            {"address": "https://example.org", "path": "a", "authorization": "abc"},
            "does not belong",
        ),
    ],
)
def test_an_address_that_is_not_safe_is_refused(source: dict[str, str], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Source.model_validate(source)
