"""True runs for the faults: the command in a process of its own, and what must not change."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from accordeur.data.store.receipts import RECEIPT
from accordeur.data.store.store import Store

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 1500.0  # on a machine that is busy with other things


@dataclass
class Command:
    """`accordeur run` under way; `output` is what it printed, on both streams."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def end(self, *, expected: int = 0) -> str:
        """Wait for the end; its output. Fails when the exit code is another one."""
        try:
            code = self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(f"not done after {LONGEST:.0f} s:\n{self.output}") from None
        assert code == expected, f"exit code {code}:\n{self.output[-4000:]}"
        return self.output

    def workers(self) -> list[psutil.Process]:
        """The Dask workers of the run."""
        below = psutil.Process(self.process.pid).children(recursive=True)
        words = {one: " ".join(one.cmdline()) for one in below}
        servers = {one.pid for one, line in words.items() if "forkserver" in line}
        return [
            one
            for one, line in words.items()
            if "spawn_main" in line or ("forkserver" in line and one.ppid() in servers)
        ]


@dataclass
class Home:
    """A folder for runs, and a Prefect server for all of them."""

    folder: Path
    api_url: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, campaign: Path, **environment: str) -> Command:
        number = len(list(self.folder.glob("run-*.log")))
        log = self.folder / f"run-{number:02d}.log"
        found = {**os.environ, "PYTHONPATH": str(ROOT), "DO_NOT_TRACK": "1", **self.environment}
        found["PREFECT_API_URL"] = self.api_url
        found |= environment
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "accordeur.flows.cli", "run", str(campaign)],
                cwd=ROOT,
                env=found,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Command(process, log)

    def run(self, campaign: Path, *, expected: int = 0, **environment: str) -> str:
        return self.start(campaign, **environment).end(expected=expected)


def until(
    condition: Callable[[], Any], command: Command | None = None, *, every: float = 0.02
) -> Any:
    """The condition's value once it is true. Fails when the command ends before."""
    deadline = time.monotonic() + LONGEST
    while not (found := condition()):
        if command is not None and command.process.poll() is not None:
            raise AssertionError(f"the run ended too early:\n{command.output[-4000:]}")
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(every)
    return found


def n_places(store: Path, kind: str) -> int:
    return len(list(store.glob(f"{kind}/*/receipt.json")))


def results(store: Store) -> dict[str, Any]:
    """`results.json` of the last run in the store."""
    paths = [path for path in store.list("reports") if path.endswith("/results.json")]
    return json.loads(store.read_bytes(paths[-1]))


def circumstances(store: Store) -> dict[str, Any]:
    """`run.json` of the last run in the store."""
    paths = [path for path in store.list("reports") if path.endswith("/run.json")]
    return json.loads(store.read_bytes(paths[-1]))


def fingerprint(store: Store) -> dict[str, str]:
    """Hashes of all that must be the same bit for bit, whatever happened on the way.

    Left out: clock and timings, the campaign file's own hash (the store's place is in it), earlier
    runs, and the alerts, which tell what happened.
    """
    found = results(store)
    for name in ("run", "history", "alerts"):
        found.pop(name)
    last = [path for path in store.list("reports") if path.endswith("/results.json")][-1]
    folder = last.rpartition("/")[0]
    tables = [path for path in store.list(folder) if path.endswith(".parquet")]
    parts = {path.removeprefix(folder): store.read_bytes(path) for path in tables}
    ledger = store.read_table(f"{folder}/ledger.parquet")  # codes, secret, runs are of the store
    work = ledger.drop_columns(["code", "exported", "run", "arrived", "corrected"]).to_pylist()
    parts["/ledger.parquet"] = repr(sorted(work, key=repr)).encode()
    parts["results"] = json.dumps(found, sort_keys=True).encode()
    return {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class PrefectServer:
    """A Prefect server on loopback that can be killed and started again with its database."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/api"
        home.mkdir(parents=True, exist_ok=True)
        self._log = (home / "server.log").open("ab")
        self._environment = {
            **os.environ,
            "PREFECT_HOME": str(home),
            "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{home}/prefect.db",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
        }
        self._environment.pop("PREFECT_API_URL", None)

    def start(self) -> None:
        from urllib.request import urlopen

        arguments = ["server", "start", "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "prefect", *arguments],
            env=self._environment,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

        def answers() -> bool:
            try:
                with urlopen(f"{self.url}/health", timeout=2) as answer:
                    return bool(answer.status == 200)
            except OSError:
                return False

        until(answers, every=0.5)

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Door:
    """A TCP door before a server: while it is shut, connections are cut and rejected."""

    def __init__(self, port: int) -> None:
        self.port, self._behind = free_port(), port
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    def open(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def shut(self) -> None:
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._behind))
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while content := one.recv(1 << 16):
                other.sendall(content)
        except OSError:
            pass
        for end in (one, other):
            self._open.discard(end)
            end.close()


@contextmanager
def s3_server() -> Iterator[int]:
    """An S3 server on loopback with the bucket `corpora`; its port."""
    import logging

    import boto3
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    try:
        client = boto3.client(
            "s3",
            endpoint_url=f"http://{host}:{port}",
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        client.create_bucket(Bucket="corpora")
        yield port
    finally:
        server.stop()


S3_CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


def s3_url(port: int, folder: str = "campaign") -> str:
    where = f"scheme=http&endpoint_override=127.0.0.1:{port}&region=us-east-1"
    return f"s3://corpora/{folder}?{where}"


def finished_places(store: Store) -> list[str]:
    """The places of the store in which a computation was finished."""
    return [p.removesuffix(f"/{RECEIPT}") for p in store.list("") if p.endswith(f"/{RECEIPT}")]
