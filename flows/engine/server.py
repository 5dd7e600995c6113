"""The Prefect API server of a run: a separate process on loopback that ends with its parent.

It can be started before Prefect is imported in this process, so that both imports run in parallel.
The parent binds the socket and passes it on: no port has to be guessed, and the first request waits
in the socket's queue until the server answers.

Other processes have no access: the API requires a password created for this run, and its database
is in the private folder of the run.
"""

from __future__ import annotations

import os
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from ..errors import UserError
from .environment import VARIABLES
from .private_folder import check_room, delete_private_folder, private_folder

LOOPBACK = "127.0.0.1"
_START_SECONDS = 180  # the first start creates the database; takes a minute on a busy machine
_STOP_SECONDS = 60  # time to write received data; has taken over five seconds on a busy machine
_LOOK_SECONDS = 2.0  # interval for detecting a dead parent whose fork still holds the input open
_RECORDER = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER"
_PASSWORD = "PREFECT_SERVER_API_AUTH_STRING"  # noqa: S105 - the name of a variable
_SERVING = [sys.executable, "-P", "-m", "accordeur.flows.engine.server"]
_DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"


@dataclass(slots=True)
class Server:
    """A server started by this process; call `wait` before use and `stop` at the end."""

    process: subprocess.Popen[bytes]
    url: str
    said: IO[bytes]
    password: str = field(repr=False)

    def wait(self) -> str:
        """Return the API's URL once it answers. Raises UserError if the server does not start."""
        try:
            # a loopback address needs no proxy
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            opener.open(f"{self.url}/health", timeout=_START_SECONDS).close()
        except OSError as error:
            self.stop()
            check_room()
            self.said.seek(0)
            lines = self.said.read().decode(errors="replace").strip().splitlines()
            raise UserError(
                f"the Prefect server of this run did not start ({lines[-1] if lines else error}); "
                "set PREFECT_API_URL to use a server that is running already"
            ) from None
        return self.url

    def stop(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()  # makes the server exit
        try:
            self.process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_started: dict[bool, Server] = {}


def start_server(*, scheduler: bool = False) -> Server:
    """Start the server if necessary; `scheduler`: with schedules, services and interface.

    Its password is taken from the environment, else random.
    """
    running = _started.get(scheduler)
    if running is not None and running.process.poll() is None:
        return running
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind((LOOPBACK, 0))
        listener.listen(128)
        folder = private_folder()
        said = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - open as long as the server
        url = f"http://{LOOPBACK}:{listener.getsockname()[1]}/api"
        environment = _server_environment(folder, url, scheduler=scheduler)
        descriptor, parent = str(listener.fileno()), str(os.getpid())
        process = subprocess.Popen(  # noqa: S603 - this module
            [*_SERVING, descriptor, parent, *(["scheduler"] if scheduler else [])],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # an interrupt at the terminal goes to the run only
            env=environment,
        )
        server = Server(process, url, said, environment[_PASSWORD])
        _started[scheduler] = server
    return server


def stop_servers() -> None:
    """Stop every server started by this process."""
    while _started:
        _started.popitem()[1].stop()


def _server_environment(folder: Path, url: str, *, scheduler: bool) -> dict[str, str]:
    environment = VARIABLES | os.environ
    environment.pop("PREFECT_API_URL", None)
    environment.pop("PREFECT_API_DATABASE_CONNECTION_URL", None)
    environment |= {
        "PREFECT_HOME": str(folder / "prefect"),
        _DATABASE: f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
        _PASSWORD: os.environ.get(_PASSWORD)
        or os.environ.get("PREFECT_API_AUTH_STRING")
        or secrets.token_urlsafe(32),
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": "",  # no access for pages of other sites
    }
    # Block types are registered when one is saved; doing so at each start would take a second, and
    # remembering which are registered imports every package of blocks, such as Dask's.
    environment.setdefault("PREFECT_API_BLOCKS_REGISTER_ON_START", "false")
    environment.setdefault("PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION", "false")
    if scheduler:
        environment["PREFECT_UI_API_URL"] = url  # instead of Prefect's default port
    else:
        environment["PREFECT_UI_ENABLED"] = "0"
        # Write events of tasks once per second and at the end, which halves the server's time.
        environment.setdefault(f"{_RECORDER}_BATCH_SIZE", "100")
        environment.setdefault(f"{_RECORDER}_FLUSH_INTERVAL", "1")
    return environment


def empty_database() -> Path | None:
    """Return an empty Prefect database, created once per Prefect version and cached for the user.

    Creating one takes seconds because of its migrations. None if nothing can be cached.
    """
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "accordeur"
        kept = cache / f"prefect-{version('prefect')}.db"
        if kept.is_file():
            return kept
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            made = Path(folder) / "prefect.db"
            subprocess.run(
                [sys.executable, "-P", "-m", "prefect", "server", "database", "upgrade", "--yes"],
                cwd=folder,
                env={
                    **os.environ,
                    "PREFECT_HOME": folder,
                    _DATABASE: f"sqlite+aiosqlite:///{made}",
                    "PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false",
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_START_SECONDS,
                check=True,
            )
            made.replace(kept)
    except (OSError, RuntimeError, subprocess.SubprocessError):
        return None
    return kept


def _serve_until_parent_ends(descriptor: int, parent: int, *, scheduler: bool) -> None:
    """Run the server process: serve on the socket until its input or its parent ends.

    scheduler  whether to include schedules, services and interface
    """
    folder = Path.cwd()
    if empty := empty_database():
        shutil.copyfile(empty, folder / "prefect.db")

    import uvicorn
    from prefect.server.api.server import create_app

    listener = socket.socket(fileno=descriptor)
    config: Any = uvicorn.Config(
        create_app(ephemeral=not scheduler, final=True),
        log_level="error",
        lifespan="on",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    def end_with_the_parent() -> None:
        while not select.select([sys.stdin], [], [], _LOOK_SECONDS)[0]:
            if os.getppid() != parent:
                break
        server.should_exit = True

    threading.Thread(target=end_with_the_parent, daemon=True).start()
    server.run(sockets=[listener])
    if os.getppid() != parent:  # the parent was killed, and can no longer delete it
        delete_private_folder(folder)
    os._exit(0)  # skips a teardown of its many modules, which takes a second


if __name__ == "__main__":
    _serve_until_parent_ends(
        int(sys.argv[1]), int(sys.argv[2]), scheduler="scheduler" in sys.argv[3:]
    )
