"""State hook of the flows that sends a notification when a run has ended.

A notification never changes the state of a run: an error in sending it is one line in the run's
log, without the address or the secret used.
"""

from __future__ import annotations

import json
import os
import smtplib
import ssl
import subprocess
import urllib.request
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext
from prefect.logging import get_logger

from ...data.untrusted.documents import parse_toml
from ...data.untrusted.files import read_file
from ...tasks.wording import gate_line
from ..progress.json_log import log_json_where_requested
from .notify_config import Email, Event, Notified

_SECONDS = 20.0


def notify(flow: Any, flow_run: Any, state: State[Any]) -> None:
    """State hook: send the notifications configured in the run's campaign or study file."""
    file = next(flow_run.parameters[k] for k in ("campaign", "study") if k in flow_run.parameters)
    try:
        settings = Notified.model_validate(_toml(Path(file))).notify
    except (OSError, ValueError) as error:  # no TOML, or no such section: the run itself reports it
        get_logger("accordeur.notify").debug("no notification: %s", type(error).__name__)
        return
    event = next((one for one in events_of(state) if one in settings.on), None)
    if event is None:
        return
    message = message_of(event, flow.name, flow_run.name, file, state)
    ways: dict[str, Callable[[], None]] = {}
    if settings.command:
        ways["command"] = lambda: run_command(settings.command, message, Path(file).parent)
    if settings.webhook:
        ways["webhook"] = lambda: post_message(settings.webhook, message)
    if settings.email is not None:
        to = settings.email
        ways["email"] = lambda: send_email(to, message)
    for way, send in ways.items():
        try:
            send()
        except Exception as error:  # noqa: BLE001 - no error may affect the run
            get_logger("accordeur.notify").warning(
                "notify.%s: the message could not be sent (%s)", way, _error_without_secrets(error)
            )


def begin_run(file: str, *, of_completion: bool = True) -> None:
    """Attach notifications to the current flow run if its file has a section `[notify]`.

    If the process that serves the flow was asked for JSON lines, the run logs them too. Prefect
    logs every hook, so a run without the section has none. A crash leaves no time to attach one:
    flows declare `on_crashed=[notify]`.

    of_completion  whether the completion of the flow is also an event
    """
    log_json_where_requested()
    context = FlowRunContext.get()
    if context is None or context.flow is None:
        return
    hooks = [notify] if _has_notifications(Path(file)) else []
    context.flow.on_failure_hooks = list(hooks)
    context.flow.on_completion_hooks = list(hooks) if of_completion else []


def _toml(file: Path) -> dict[str, Any]:
    return parse_toml(read_file(file), file.name)


def _has_notifications(file: Path) -> bool:
    try:
        return "notify" in _toml(file)
    except (OSError, ValueError):  # the run itself reports it
        return False


def events_of(state: State[Any]) -> tuple[Event, ...]:
    """Return the events of a state, most specific first: an undecided gate also means completed."""
    if state.is_completed():
        return ("gate_undecided", "completed") if state.name == "GateUndecided" else ("completed",)
    return ("gate_failed",) if state.name == "GateFailed" else ("failed",)


def message_of(event: Event, flow: str, run: str, file: str, state: State[Any]) -> dict[str, Any]:
    """Return the notification, made of facts about the run, without values of rows or settings."""
    outcome = state.result(raise_on_failure=False) if state.data is not None else None
    facts: Mapping[str, Any] = outcome if isinstance(outcome, Mapping) else {}
    return {
        "event": event,
        "flow": flow,
        "run": run,
        "file": Path(file).name,
        "state": state.name,
        "message": (state.message or "")[:2000],
        "report": facts.get("report"),
        "gates": [dict(gate) for gate in facts.get("gates", [])],
    }


def run_command(command: tuple[str, ...], message: Mapping[str, Any], folder: Path) -> None:
    """Run the program in `folder`, with the user's environment. Raises CalledProcessError."""
    subprocess.run(  # noqa: S603 - the campaign file's own command, without a shell
        list(command),
        input=json.dumps(message, ensure_ascii=False).encode(),
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"},
        check=True,
        timeout=_SECONDS,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def post_message(webhook: str, message: Mapping[str, Any]) -> None:
    """POST the message as JSON, with a `text` for chat services. Raises OSError."""
    body = json.dumps({"text": message_text(message), **message}, ensure_ascii=False).encode()
    request = urllib.request.Request(  # noqa: S310 - http(s) only, checked by the file and below
        resolve_setting(webhook),
        data=body,
        headers={"Content-Type": "application/json"},
        method="POST",
    )
    if request.type not in ("http", "https"):
        raise ValueError("the webhook is not an http(s) URL")
    with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310
        pass


def send_email(settings: Email, message: Mapping[str, Any]) -> None:
    """Send the message by e-mail. Raises OSError and SMTPException."""
    mail = EmailMessage()
    mail["Subject"] = f"Accordeur: {message['file']}: {message['state']}"
    mail["From"] = settings.sender
    mail["To"] = ", ".join(settings.to)
    mail.set_content(message_text(message))
    context = ssl.create_default_context()
    if settings.encryption == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.host, settings.port, timeout=_SECONDS, context=context
        )
    else:
        server = smtplib.SMTP(settings.host, settings.port, timeout=_SECONDS)
    with server:
        if settings.encryption == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, resolve_setting(settings.password))
        server.send_message(mail)


def message_text(message: Mapping[str, Any]) -> str:
    lines = [f"{message['flow']} of {message['file']}: {message['state']}", message["message"]]
    lines += [gate_line(gate) for gate in message["gates"]]
    if message["report"]:
        lines.append(f"report: {message['report']}")
    return "\n".join(line for line in lines if line)


def resolve_setting(setting: str) -> str:
    """Return the setting, or the value of `$NAME` (environment) or `block:NAME` (Prefect).

    Raises ValueError if the value does not exist.
    """
    if setting.startswith("$"):
        value = os.environ.get(setting[1:])
        if not value:
            raise ValueError(f"the variable {setting[1:]} is not set in the run's environment")
        return value
    if setting.startswith("block:"):
        from prefect.blocks.system import Secret

        loaded: Any = Secret.load(setting.removeprefix("block:"))
        return str(loaded.get())
    return setting


def _error_without_secrets(error: Exception) -> str:
    """Describe an error without the address and the secret that it may contain."""
    if isinstance(error, ValueError):
        return str(error) if "environment" in str(error) else "bad setting"
    code = getattr(error, "code", None) or getattr(error, "smtp_code", None)
    return type(error).__name__ + (f" {code}" if code else "")
