"""A web server on which an annotation tool says that something changed, which starts a run.

A request proves itself by a token (`Authorization: Bearer TOKEN`, or `Token TOKEN` as Label Studio
sends it), or by a signature as in Standard Webhooks (`webhook-id`, `webhook-timestamp`,
`webhook-signature`), which cannot be sent again later. What it contains is not read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REPLAY_SECONDS = 300.0
_QUIET_SECONDS, _MOST_SECONDS = 1.0, 3.0  # a burst ends when no event followed for the first
_MOST_BYTES = 10_000_000
_MOST_IDS = 10_000


class Gatekeeper:
    """Decides whether a request may start a run."""

    def __init__(self, token: str, clock: Callable[[], float] = time.time) -> None:
        self._token, self._clock = token, clock
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    def admits(self, headers: dict[str, str], body: bytes) -> bool:
        """headers: with names in lower case"""
        if "webhook-signature" in headers:
            return self._is_signed(headers, body)
        scheme, _, given = headers.get("authorization", "").partition(" ")
        is_known = scheme.lower() in ("bearer", "token")
        return hmac.compare_digest(given.encode(), self._token.encode()) and is_known

    def _is_signed(self, headers: dict[str, str], body: bytes) -> bool:
        number, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
        now = self._clock()
        if not number or not stamp.isdecimal() or abs(now - float(stamp)) > REPLAY_SECONDS:
            return False
        key = self._token.encode()
        if self._token.startswith("whsec_"):
            key = base64.b64decode(self._token.removeprefix("whsec_"))
        signed = hmac.new(key, f"{number}.{stamp}.".encode() + body, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(signed)
        given = headers["webhook-signature"].split()
        if not any(hmac.compare_digest(one.encode(), expected) for one in given):
            return False
        with self._lock:
            self._seen = {k: t for k, t in self._seen.items() if now - t <= 2 * REPLAY_SECONDS}
            is_new = number not in self._seen and len(self._seen) < _MOST_IDS
            self._seen[number] = now
        return is_new


@contextmanager
def listening(
    address: tuple[str, int], gatekeeper: Gatekeeper, start: Callable[[], None]
) -> Iterator[int]:
    """Call `start` once for every burst of admitted requests; yield the port.

    address  host and port; port 0: a free one
    """
    due, over = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        timeout = 10  # seconds of silence
        server_version, sys_version = "Accordeur", ""

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "0")
            if not size.isdecimal() or int(size) > _MOST_BYTES:
                self._answer(413)
                return
            body = self.rfile.read(int(size))
            headers = {name.lower(): value for name, value in self.headers.items()}
            is_admitted = gatekeeper.admits(headers, body)
            if is_admitted:
                due.set()
            self._answer(202 if is_admitted else 401)

        def _answer(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *positional: object) -> None:
            pass  # a request may hold a secret

    def join_bursts() -> None:
        while not over.is_set():
            if not due.wait(0.2):
                continue
            began = time.monotonic()
            while due.is_set() and time.monotonic() - began < _MOST_SECONDS:
                due.clear()
                due.wait(_QUIET_SECONDS)
            due.clear()
            start()

    server = ThreadingHTTPServer(address, Handler)
    threads = [
        threading.Thread(target=one, daemon=True) for one in (server.serve_forever, join_bursts)
    ]
    for one in threads:
        one.start()
    try:
        yield server.server_address[1]
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        for one in threads:
            one.join()
