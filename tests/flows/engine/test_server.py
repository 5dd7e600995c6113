"""The Prefect server of a run: on loopback, behind a password, private, gone with its parent."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from accordeur.flows.engine.environment import VARIABLES, users_server
from accordeur.flows.engine.startup import RECORDING
from tests.flows.command_line import INSTALLED, alone
from tests.flows.small import write_small

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[3]
RECORDED = dict.fromkeys(RECORDING, "true")
START = """
import os, sys, time
from accordeur.flows.engine.server import start_server
server = start_server(scheduler=sys.argv[1:] == ["scheduler"])
fork = os.fork() if sys.argv[1:] == ["fork"] else None  # it holds the server's input open
if fork != 0:
    print(server.wait(), server.process.pid, fork or 0, server.password, flush=True)
time.sleep(600)
"""
TELL = """
import os
from pathlib import Path
from accordeur.flows.engine.private_folder import private_folder
from accordeur.flows.engine.startup import prepare_run

prepare_run(quiet=True)
from prefect import flow, get_run_logger, task
from accordeur.flows.engine.api import api_server

@task
def step():
    get_run_logger().info("said last")

@flow
def told():
    step()

with api_server():
    told()
    os.link(private_folder() / "prefect.db", Path.home() / "kept.db")
"""


@contextmanager
def started(
    folder: Path, beside: str = "alone", **environment: str
) -> Iterator[tuple[str, psutil.Process, str]]:
    """A server's URL, process and password; at the end its parent is killed."""
    parent = subprocess.Popen(
        [sys.executable, "-c", START, beside],
        cwd=ROOT,
        env={k: v for k, v in alone(folder, **environment).items() if k not in VARIABLES},
        stdout=subprocess.PIPE,
        text=True,
    )
    fork = 0
    assert parent.stdout is not None
    try:
        url, pid, forked, password = parent.stdout.readline().split()
        fork = int(forked)
        yield url, psutil.Process(int(pid)), password
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        try:
            psutil.wait_procs([psutil.Process(int(pid))], timeout=30)
        except psutil.NoSuchProcess:
            pass
        finally:
            if fork:
                os.kill(fork, signal.SIGKILL)


@pytest.mark.parametrize("beside", ["alone", "fork"])
@pytest.mark.long
def test_a_server_and_its_database_end_with_its_parent_however_that_ends(
    tmp_path: Path, beside: str
) -> None:
    with started(tmp_path, beside) as (url, server, _):
        addresses = [c.laddr.ip for c in server.net_connections() if c.status == "LISTEN"]
        assert addresses == ["127.0.0.1"]
        assert url.startswith("http://127.0.0.1:")
        [folder] = (tmp_path / "tmp").glob(".accordeur-*/*")
        assert (folder / "prefect.db").is_file()
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not server.is_running()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "home" / ".prefect").exists()


@pytest.mark.long
def test_the_database_that_is_kept_between_runs_holds_no_run(tmp_path: Path) -> None:
    with started(tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache")):
        pass
    [kept] = (tmp_path / "cache" / "accordeur").iterdir()
    with sqlite3.connect(kept) as database:
        for table in ("flow", "flow_run", "task_run", "log", "artifact"):
            assert database.execute(f"select count(*) from {table}").fetchone() == (0,)


@pytest.mark.long
def test_a_server_answers_who_knows_its_password_and_has_telemetry_off(tmp_path: Path) -> None:
    with started(tmp_path) as (url, server, password):
        asked = f"{url}/flows/count"
        assert httpx.post(asked, json={}).status_code == 401
        known = httpx.post(
            asked, json={}, auth=_credentials(password), headers={"Origin": "http://else.where"}
        )
        assert known.status_code == 200
        assert "access-control-allow-origin" not in known.headers
        assert password not in " ".join(server.cmdline())
        assert {"DO_NOT_TRACK": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}.items() <= (
            server.environ().items()
        )
    with started(tmp_path, "scheduler") as (url, _, other):  # which shows Prefect's interface
        assert other != password
        settings = httpx.get(f"{url.removesuffix('/api')}/ui-settings").json()
        page = httpx.get(url.removesuffix("/api"), follow_redirects=True)
    assert settings["api_url"] == url
    assert "<title>Prefect" in page.text


def _credentials(password: str) -> Callable[[httpx.Request], httpx.Request]:
    def sign(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Basic {b64encode(password.encode()).decode()}"
        return request

    return sign


def test_a_server_of_the_active_profile_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_PROFILE", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert users_server() == ""
    profiles = tmp_path / "profiles.toml"
    profiles.write_text(
        'active = "team"\n[profiles.team]\nPREFECT_API_URL = "http://prefect:4200/api"\n'
        '[profiles.alone]\n[profiles.other]\nPREFECT_API_URL = "http://other/api"\n'
    )
    assert users_server() == "http://prefect:4200/api"
    monkeypatch.setenv("PREFECT_PROFILE", "alone")
    assert users_server() == ""
    monkeypatch.setenv("PREFECT_API_URL", "http://mine/api")
    assert users_server() == "http://mine/api"
    monkeypatch.delenv("PREFECT_API_URL")
    monkeypatch.delenv("PREFECT_PROFILE")
    profiles.write_text("no TOML")
    assert users_server() == ""


def test_a_run_starts_no_server_beside_the_one_of_the_active_profile(tmp_path: Path) -> None:
    environment = alone(tmp_path)
    home = tmp_path / "home" / ".prefect"
    home.mkdir()
    (home / "profiles.toml").write_text(
        'active = "team"\n[profiles.team]\nPREFECT_API_URL = "http://127.0.0.1:9/api"\n'
    )
    begun = (
        "from accordeur.flows.engine.startup import prepare_run; prepare_run(quiet=True)\n"
        "import psutil; assert not psutil.Process().children()\n"
        "from accordeur.flows.engine.api import api_server\n"
        "with api_server() as url: print(url, psutil.Process().children())"
    )
    done = subprocess.run(
        [sys.executable, "-c", begun], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "http://127.0.0.1:9/api []\n"


@pytest.mark.parametrize("recorded", [{}, RECORDED])
@pytest.mark.long
def test_a_run_ends_after_all_that_its_server_is_to_record_is_in_the_database(
    tmp_path: Path, recorded: dict[str, str]
) -> None:
    """By default, the database has no tasks and no log."""
    environment = alone(tmp_path, **recorded)
    (tmp_path / "tell.py").write_text(TELL, encoding="utf-8")
    subprocess.run([sys.executable, "tell.py"], cwd=tmp_path, env=environment, check=True)
    completed = [("COMPLETED",)]
    with sqlite3.connect(tmp_path / "home" / "kept.db") as database:
        assert database.execute("select state_type from flow_run").fetchall() == completed
        tasks = database.execute("select state_type from task_run").fetchall()
        [(n_said,)] = database.execute("select count(*) from log where message = 'said last'")
        [(n_events,)] = database.execute("select count(*) from events")
    assert (tasks, n_said, n_events > 0) == (completed, 1, True) if recorded else ([], 0, False)


@pytest.mark.long
def test_nobody_behind_a_pseudonym_is_named_in_the_database_home_or_temporary_files(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("p")
    campaign = write_small(folder / "campaign")
    named = campaign.read_text().replace('name = "Small"', 'name = "Small"\nprivacy = true')
    for name, other, pseudonym in (("anna", "zebedee", "A1"), ("ben", "quillon", "A2")):
        named += f'[annotators.{other}]\npseudonym = "{pseudonym}"\n'
        for table in campaign.parent.glob("*.csv"):
            table.write_text(table.read_text().replace(name, other))
    campaign.write_text(named)
    run = subprocess.Popen(
        [*INSTALLED, "run", str(campaign)],
        env=alone(folder, **RECORDED),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    kept = folder / "kept.db"
    while run.poll() is None:
        for database in (folder / "tmp").glob(".accordeur-*/*/prefect.db"):
            if not kept.exists():
                os.link(database, kept)
        time.sleep(0.05)
    output = run.communicate()[0]
    assert run.returncode == 0, output
    with sqlite3.connect(kept) as database:
        assert database.execute("select count(*) from flow_run").fetchone() == (2,)
    files = [file for file in folder.rglob("*") if campaign.parent not in file.parents]
    written = [output, *(file.read_bytes() for file in files if file.is_file())]
    assert not [one for one in written if b"zebedee" in one or b"quillon" in one]


@pytest.mark.long
def test_a_server_that_cannot_start_is_one_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from accordeur.flows.engine import server\nserver.start_server().wait()",
        ],
        cwd=ROOT,
        env=alone(tmp_path, PREFECT_SERVER_API_DEFAULT_LIMIT="many"),
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(
        "accordeur.flows.errors.UserError: the Prefect server of this run did not start ("
    )
    assert "set PREFECT_API_URL" in last


@pytest.mark.long
def test_a_disk_without_room_for_temporary_files_is_named(tmp_path: Path) -> None:
    campaign = write_small(tmp_path / "campaign")

    def at_most_64_kb() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))

    done = subprocess.run(
        [*INSTALLED, "run", str(campaign)],
        env=alone(tmp_path),
        preexec_fn=at_most_64_kb,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    [sentence] = [line for line in done.stderr.splitlines() if line.startswith("accordeur:")]
    assert "no space is left for temporary files" in sentence
    assert "File too large" in sentence
