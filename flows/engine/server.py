"""The Prefect API server of a run: a process of its own on loopback that ends with its parent.

It can be started before Prefect is imported here, so that the two imports go on side by side. The
socket is bound by the parent and handed over: no port is guessed, and the first request waits in
the socket's queue until the server answers it.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import IO, Any

from flows.errors import UserError

LOOPBACK = "127.0.0.1"
_START_SECONDS = 180  # the first start makes the database; on a busy machine it takes a minute
_STOP_SECONDS = 5
_LOOK_SECONDS = 2.0  # how long a server may outlive a parent whose fork still holds its input open
_RECORDER = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER"


@dataclass(slots=True)
class Server:
    """A server that was started here; `wait` until it answers, `stop` it at the end."""

    process: subprocess.Popen[bytes]
    port: int
    said: IO[bytes]

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/api"

    def wait(self) -> str:
        """The API's URL once it answers. Raises UserError when the server does not come up."""
        try:
            # a plain loopback address: a proxy of the environment has no business here
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            opener.open(f"{self.url}/health", timeout=_START_SECONDS).close()
        except OSError as error:
            self.stop()
            self.said.seek(0)
            told = self.said.read().decode(errors="replace").strip().splitlines()
            raise UserError(
                f"the Prefect server of this run did not start ({told[-1] if told else error}); "
                "set PREFECT_API_URL to use a server that is running already"
            ) from None
        return self.url

    def stop(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()  # what the server ends at
        try:
            self.process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_started: dict[bool, Server] = {}


def start_server(*, scheduler: bool = False) -> Server:
    """Start the server if it is not there yet; `scheduler`: with schedules, services and interface.

    Prefect's settings (its home, its database) are the environment's.
    """
    running = _started.get(scheduler)
    if running is not None and running.process.poll() is None:
        return running
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind((LOOPBACK, 0))
        listener.listen(128)
        said = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the server
        process = subprocess.Popen(  # noqa: S603 - this very module
            [sys.executable, "-m", "flows.engine.server", str(listener.fileno()), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # an interrupt at the terminal is the run's, not the server's
            env=_environment(scheduler),
        )
        _started[scheduler] = server = Server(process, listener.getsockname()[1], said)
    return server


def stop_servers(*, but: str | None = None) -> None:
    """Stop every server that was started here, except the one at the URL `but`."""
    for scheduler, server in list(_started.items()):
        if server.url != but:
            server.stop()
            del _started[scheduler]


def server_pids() -> set[int]:
    """The processes of the servers that were started here."""
    return {server.process.pid for server in _started.values()}


def _environment(scheduler: bool) -> dict[str, str]:
    environment = {**os.environ, "PREFECT__SERVER_FINAL": "1"}
    environment.pop("PREFECT_API_URL", None)
    # Types of blocks are registered when one is saved; at each start it would take a second.
    environment.setdefault("PREFECT_API_BLOCKS_REGISTER_ON_START", "false")
    if not scheduler:
        environment |= {"PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1"}
        # What tasks report is written together each second and at the end: half the server's time.
        environment.setdefault(f"{_RECORDER}_BATCH_SIZE", "100")
        environment.setdefault(f"{_RECORDER}_FLUSH_INTERVAL", "1")
    return environment


def _serve(descriptor: int, parent: int) -> None:
    """In the process of the server: answer on the socket until its input or its parent ends."""
    import uvicorn
    from prefect.server.api.server import create_app

    listener = socket.socket(fileno=descriptor)
    config: Any = uvicorn.Config(
        create_app, factory=True, log_level="error", lifespan="on", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)

    def end_with_the_parent() -> None:
        while not select.select([sys.stdin], [], [], _LOOK_SECONDS)[0]:
            if os.getppid() != parent:
                break
        server.should_exit = True

    threading.Thread(target=end_with_the_parent, daemon=True).start()
    server.run(sockets=[listener])
    os._exit(0)  # all is written; tearing down its thousands of modules takes a second


if __name__ == "__main__":
    _serve(int(sys.argv[1]), int(sys.argv[2]))
