"""The `[notify]` section: recipients and channels of notifications. It contains no secrets."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..shared_sections import StoreSection

Event = Literal["gate_failed", "gate_undecided", "recovered", "failed", "completed"]
_ELSEWHERE = re.compile(r"^(\$[A-Za-z_][A-Za-z0-9_]*|block:[a-z0-9-]+)$")


class _Section(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)


class Email(_Section):
    """Mail server and recipients of a notification."""

    to: tuple[str, ...] = Field(min_length=1, description="addresses of the recipients")
    sender: str = Field(min_length=3, description="address of the sender")
    host: str = Field("localhost", min_length=1, description="SMTP server")
    port: int = Field(587, ge=1, le=65535, description="port of the SMTP server")
    encryption: Literal["starttls", "tls", "none"] = Field(
        "starttls",
        description="starttls (port 587), tls (port 465) or none (a server on this machine)",
    )
    user: str = Field("", description="user name for the SMTP server, if required")
    password: str = Field(
        "", description="$NAME (environment variable) or block:NAME (Secret block of Prefect)"
    )

    @field_validator("password")
    @classmethod
    def _is_elsewhere(cls, value: str) -> str:
        if value and not _ELSEWHERE.match(value):
            raise ValueError(
                "a password does not belong in this file: give $NAME (a variable of the "
                "environment) or block:NAME (a Secret block of Prefect)"
            )
        return value


class Notify(_Section):
    """Notifications when something changed: by a command, a webhook, an e-mail, or several."""

    on: tuple[Event, ...] = Field(
        ("gate_failed", "failed", "recovered"),
        description="events to notify about: a gate began to fail or to be undecided, runs began "
        "to end in an error (failed), either is over (recovered); completed: every completed run",
    )
    repeat: Literal["never", "daily", "weekly", "every run"] = Field(
        "never", description="how often to notify again while a gate or the runs stay as they are"
    )
    command: tuple[str, ...] = Field(
        (),
        description="program and its arguments; the program reads the message as JSON on "
        "standard input",
    )
    webhook: str = Field(
        "",
        description="URL to POST the message to as JSON; $NAME or block:NAME if the URL is secret",
    )
    email: Email | None = Field(None, description="e-mail settings")

    @field_validator("webhook")
    @classmethod
    def _is_a_place(cls, value: str) -> str:
        if value and not value.startswith(("https://", "http://")) and not _ELSEWHERE.match(value):
            raise ValueError("give an http(s) URL, $NAME (environment) or block:NAME (Prefect)")
        return value


class Notified(BaseModel):
    """The part of a campaign or study file that notifications need; the rest may be invalid."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="ignore")
    notify: Notify = Notify()
    store: StoreSection = StoreSection()  # where it is kept what was notified of

    def repeat_days(self) -> int | None:
        """Return after how many days an unchanged condition is repeated; None: never."""
        return {"never": None, "daily": 1, "weekly": 7, "every run": 0}[self.notify.repeat]
