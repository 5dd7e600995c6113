"""Whatever the operating system refuses, a command says so in one sentence."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from accordeur.flows import cli
from accordeur.flows.engine import runner
from accordeur.flows.errors import UserError
from accordeur.flows.shared_sections import Engine

NUMBERS = (
    errno.EACCES, errno.EROFS, errno.ESTALE, errno.EDQUOT, errno.EMFILE, errno.EIO, errno.ENOENT,
)  # fmt: skip
COMMANDS = {
    "run": ["run", "campaign.toml"],
    "store": ["store", "campaign.toml"],
    "document": ["document", "campaign.toml", "d1"],
    "adjudicate": ["adjudicate", "campaign.toml", "out.csv"],
    "next": ["next", "campaign.toml"],
    "compare": ["compare", "campaign.toml"],
    "index": ["index", "runs", "--to", "index"],
}


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("document,item,annotator,label\nd,i,a,x\n", encoding="utf-8")
    text = '[campaign]\nname = "x"\n[[sources]]\npath = "x.csv"\n'
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    return tmp_path


def told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> str:
    """What the command prints on standard error when it ends with bad input."""
    monkeypatch.setattr(sys, "argv", ["accordeur", *arguments])
    monkeypatch.setattr(cli, "watch_signals", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("number", NUMBERS, ids=errno.errorcode.get)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_that_cannot_be_used_is_one_sentence(
    campaign: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    number: int,
) -> None:
    def fail(*_: object, **__: object) -> object:
        raise OSError(number, os.strerror(number), "runs")

    class Broken:
        """A file system on which nothing works."""

        get_file_info = open_input_stream = open_output_stream = create_dir = fail
        move = delete_dir = delete_file = fail

    listing = "accordeur.data.store.store.entries_below"
    monkeypatch.setattr(listing, lambda *_, **__: map(fail, [None]))  # fails when it is read
    monkeypatch.setattr(Store, "is_local", True)
    make = Store.__init__

    def broken(store: Store, url: str) -> None:
        make(store, url)
        store._fs = Broken()

    monkeypatch.setattr(Store, "__init__", broken)
    sentence = told(monkeypatch, capsys, *COMMANDS[command])
    assert sentence.startswith("accordeur: the store")
    assert os.strerror(number) in sentence
    assert sentence.count("\n") == 1
    assert len(sentence) <= 400


def test_an_error_that_no_reader_expected_is_one_sentence(
    campaign: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> object:
        raise OSError(errno.ESTALE, "Stale file handle", "labels.csv")

    monkeypatch.setattr(cli, "app", lambda *_, **__: fail())
    assert told(monkeypatch, capsys, "agree", "labels.csv") == (
        "accordeur: labels.csv: Stale file handle: check the disk or the connection\n"
    )
    line = told_as_json(monkeypatch, capsys)
    assert line["message"].startswith("labels.csv: Stale file handle")


def told_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, str]:
    found: dict[str, str] = json.loads(told(monkeypatch, capsys, "run", "c.toml", "--log-json"))
    return found


def test_workers_that_cannot_be_started_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Dask reports a full /dev/shm: with its own error, whose cause is that of the system."""

    def start() -> object:
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        except OSError as error:
            raise RuntimeError("Nanny failed to start.") from error

    monkeypatch.setattr(runner, "cluster_of", lambda _: start)
    with (
        pytest.raises(UserError, match=r"workers .* \(No space left on device\).*/dev/shm"),
        runner.task_runner(Engine()),
    ):
        pass
