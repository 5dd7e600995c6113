"""State hook of the flows that sends a notification when a run has ended and changed something.

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
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext
from prefect.logging import get_logger

from ...data.errors import DataError
from ...data.store.ownership import claim
from ...data.store.store import Store
from ...data.untrusted.documents import parse_toml
from ...data.untrusted.files import read_file
from ...tasks.wording import gate_line
from ..campaign.file.paths import path_from
from ..progress.json_log import log_json_where_requested
from .conditions import Change, Condition, Known, changes, conditions_of, read_known, write_known
from .notify_config import Email, Event, Notified, Notify

_SECONDS = 20.0
_URGENCY: tuple[Event, ...] = ("failed", "gate_failed", "gate_undecided", "recovered")


def notify(flow: Any, flow_run: Any, state: State[Any]) -> None:
    """State hook: send the notifications configured in the run's campaign or study file."""
    _notify(flow, flow_run, state)


def notify_of_changes(flow: Any, flow_run: Any, state: State[Any]) -> None:
    """State hook of a flow whose completion is no event, because a flow that it calls has one."""
    _notify(flow, flow_run, state, of_completion=False)


def _notify(flow: Any, flow_run: Any, state: State[Any], *, of_completion: bool = True) -> None:
    file = next(flow_run.parameters[k] for k in ("campaign", "study") if k in flow_run.parameters)
    try:
        settings = Notified.model_validate(_toml(Path(file)))
    except (OSError, ValueError) as error:  # no TOML, or no such section: the run itself reports it
        get_logger("accordeur.notify").debug("no notification: %s", type(error).__name__)
        return
    facts = _facts(state)
    store, known = _known_conditions(Path(file), settings)
    found = conditions_of(flow.name, facts.get("gates", []), is_error=_is_error(state))
    now = datetime.now(tz=UTC)
    changed = changes(found, known, now, settings.repeat_days())
    wanted = [one for one in changed if _is_wanted(one, settings.notify.on)]
    event: Event | None = min(map(event_of, wanted), key=_URGENCY.index, default=None)
    if event is None and of_completion and state.is_completed():
        event = "completed" if "completed" in settings.notify.on else None
    is_sent = event is not None and _is_sent(
        settings.notify, message_of(event, flow.name, flow_run.name, file, state, wanted), file
    )
    done = [one for one in changed if is_sent or one not in wanted]
    if store is not None and done:
        with suppress(DataError):  # of a store that is not ours: the run itself reports it
            claim(store, Path(file) if "campaign" in flow_run.parameters else None)
            write_known(store, known, done, now)


def _is_wanted(change: Change, events: Collection[Event]) -> bool:
    """Whether a change is to be notified of; what nobody was told of cannot be over."""
    if change.now == Condition.ok and change.before == Condition.undecided:
        return {"recovered", "gate_undecided"} <= {*events}
    return event_of(change) in events


def _known_conditions(file: Path, settings: Notified) -> tuple[Store | None, dict[str, Known]]:
    """Return the store and what was notified of; without a store every condition is new."""
    try:
        store = Store(path_from(file.resolve().parent, settings.store.url))
        return store, read_known(store)
    except DataError as error:
        get_logger("accordeur.notify").debug("no conditions: %s", type(error).__name__)
        return None, {}


def _is_sent(settings: Notify, message: Mapping[str, Any], file: str) -> bool:
    """Send the message in every configured way; return whether one succeeded, or there is none."""
    ways: dict[str, Callable[[], None]] = {}
    if settings.command:
        ways["command"] = lambda: run_command(settings.command, message, Path(file).parent)
    if settings.webhook:
        ways["webhook"] = lambda: post_message(settings.webhook, message)
    if settings.email is not None:
        to = settings.email
        ways["email"] = lambda: send_email(to, message)
    n_failed = 0
    for way, send in ways.items():
        try:
            send()
        except Exception as error:  # noqa: BLE001 - no error may affect the run
            n_failed += 1
            get_logger("accordeur.notify").warning(
                "notify.%s: the message could not be sent (%s)", way, _error_without_secrets(error)
            )
    return n_failed < len(ways) or not ways


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
    is_wanted = _has_notifications(Path(file))
    at_the_end = notify if of_completion else notify_of_changes
    context.flow.on_failure_hooks = [notify] if is_wanted else []
    context.flow.on_completion_hooks = [at_the_end] if is_wanted else []


def _toml(file: Path) -> dict[str, Any]:
    return parse_toml(read_file(file), file.name)


def _has_notifications(file: Path) -> bool:
    try:
        return "notify" in _toml(file)
    except (OSError, ValueError):  # the run itself reports it
        return False


def event_of(change: Change) -> Event:
    """Return the event of a change: of the flow itself, or of a gate."""
    if change.now == Condition.ok:
        return "recovered"
    if change.gate is None:
        return "failed"
    return "gate_failed" if change.now == Condition.failed else "gate_undecided"


def message_of(
    event: Event,
    flow: str,
    run: str,
    file: str,
    state: State[Any],
    changed: Sequence[Change] = (),
) -> dict[str, Any]:
    """Return the notification, made of facts about the run, without values of rows or settings."""
    facts = _facts(state)
    return {
        "event": event,
        "flow": flow,
        "run": run,
        "file": Path(file).name,
        "state": state.name,
        "message": (state.message or "")[:2000],
        "report": facts.get("report"),
        "gates": [dict(gate) for gate in facts.get("gates", [])],
        "changes": [
            {
                "gate": dict(one.gate) if one.gate else None,
                "before": one.before,
                "now": one.now,
                "since": one.since.isoformat(timespec="minutes"),
            }
            for one in changed
        ],
    }


def _facts(state: State[Any]) -> Mapping[str, Any]:
    outcome = state.result(raise_on_failure=False) if state.data is not None else None
    return outcome if isinstance(outcome, Mapping) else {}


def _is_error(state: State[Any]) -> bool:
    return not state.is_completed() and state.name != "GateFailed"


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
    lines += [_change_line(message["flow"], change) for change in message["changes"]]
    lines += [gate_line(gate) for gate in message["gates"]]
    if message["report"]:
        lines.append(f"report: {message['report']}")
    return "\n".join(line for line in lines if line)


def _change_line(flow: str, change: Mapping[str, Any]) -> str:
    gate = change["gate"]
    what = flow if gate is None else f"{gate['measure']} ({gate['layer'] or 'all layers'})"
    if change["before"] == change["now"]:
        return f"{what} is still {change['now']}, since {change['since']}"
    return f"{what} is {change['now']}, was {change['before']}"


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
