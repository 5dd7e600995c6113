"""The Prefect API server of a run: a process of its own on loopback that ends with its parent.

It can be started before Prefect is imported here, so that the two imports go on side by side. The
socket is bound by the parent and handed over: no port is guessed, and the first request waits in
the socket's queue until the server answers it.

No other process gets in: the API wants a password made for this run, and its database lies in the
private folder of the run.
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
import tomllib
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from ..errors import UserError
from .environment import VARIABLES
from .private_folder import check_room, delete, private_folder

LOOPBACK = "127.0.0.1"
_START_SECONDS = 180  # the first start makes the database; on a busy machine it takes a minute
_STOP_SECONDS = 60  # it writes what it received; on a busy machine that once took over five
_LOOK_SECONDS = 2.0  # how long a server may outlive a parent whose fork still holds its input open
_RECORDER = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER"
_PASSWORD = "PREFECT_SERVER_API_AUTH_STRING"  # noqa: S105 - the name of a variable
_SERVING = [sys.executable, "-P", "-m", "accordeur.flows.engine.server"]
_DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"


@dataclass(slots=True)
class Server:
    """A server that was started here; `wait` until it answers, `stop` it at the end."""

    process: subprocess.Popen[bytes]
    url: str
    said: IO[bytes]
    password: str = field(repr=False)

    def wait(self) -> str:
        """The API's URL once it answers. Raises UserError when the server does not come up."""
        try:
            # a plain loopback address: a proxy of the environment has no business here
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
            self.process.stdin.close()  # what the server ends at
        try:
            self.process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_started: dict[bool, Server] = {}


def users_server() -> str:
    """The API's URL that the environment or Prefect's active profile names; "" where neither does.

    Prefect's own rule, without the seconds that its import takes.
    """
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    with suppress(OSError, RuntimeError, ValueError, KeyError, TypeError):
        home = os.environ.get("PREFECT_HOME") or Path.home() / ".prefect"
        file = os.environ.get("PREFECT_PROFILES_PATH") or Path(home) / "profiles.toml"
        profiles = tomllib.loads(Path(file).read_text(encoding="utf-8"))
        active = os.environ.get("PREFECT_PROFILE") or profiles["active"]
        return str(profiles["profiles"][active]["PREFECT_API_URL"])
    return ""


def start_server(*, scheduler: bool = False) -> Server:
    """Start the server if it is not there yet; `scheduler`: with schedules, services and interface.

    Its password is the one that the environment gives, else a random one.
    """
    running = _started.get(scheduler)
    if running is not None and running.process.poll() is None:
        return running
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.bind((LOOPBACK, 0))
        listener.listen(128)
        folder = private_folder()
        said = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - as long as the server
        url = f"http://{LOOPBACK}:{listener.getsockname()[1]}/api"
        environment = _server_environment(folder, url, scheduler=scheduler)
        descriptor, parent = str(listener.fileno()), str(os.getpid())
        process = subprocess.Popen(  # noqa: S603 - this very module
            [*_SERVING, descriptor, parent, *(["scheduler"] if scheduler else [])],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            pass_fds=[listener.fileno()],
            start_new_session=True,  # an interrupt at the terminal is the run's, not the server's
            env=environment,
        )
        server = Server(process, url, said, environment[_PASSWORD])
        _started[scheduler] = server
    return server


def stop_servers() -> None:
    """Stop every server that was started here."""
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
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": "",  # pages of other sites may not ask it anything
    }
    # Types of blocks are registered when one is saved; at each start it would take a second.
    environment.setdefault("PREFECT_API_BLOCKS_REGISTER_ON_START", "false")
    if scheduler:
        environment["PREFECT_UI_API_URL"] = url  # else the interface asks at Prefect's default port
    else:
        environment["PREFECT_UI_ENABLED"] = "0"
        # What tasks report is written together each second and at the end: half the server's time.
        environment.setdefault(f"{_RECORDER}_BATCH_SIZE", "100")
        environment.setdefault(f"{_RECORDER}_FLUSH_INTERVAL", "1")
    return environment


def empty_database() -> Path | None:
    """Prefect's database without any rows, made once per version of Prefect and kept for the user.

    Its migrations take seconds; a copy of the file takes none. None where nothing can be kept.
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
    """In the process of the server: answer on the socket until its input or its parent ends.

    scheduler  with schedules, services and interface
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
    if os.getppid() != parent:  # it was killed, and can no longer delete it
        delete(folder)
    os._exit(0)  # all is written; tearing down its thousands of modules takes a second


if __name__ == "__main__":
    _serve_until_parent_ends(
        int(sys.argv[1]), int(sys.argv[2]), scheduler="scheduler" in sys.argv[3:]
    )
