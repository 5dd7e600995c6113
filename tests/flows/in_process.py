"""The command in this process: faster than `command_line`, for what needs no process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from accordeur.flows.cli import app
from accordeur.flows.errors import error_sentence, is_user_error


def said(*arguments: str | Path) -> tuple[int, str]:
    """Exit code and output; of an error exit code 2 and its sentence."""
    done = CliRunner().invoke(app, [*map(str, arguments)], env={"COLUMNS": "200"})
    if isinstance(done.exception, Exception) and is_user_error(done.exception):
        return 2, error_sentence(done.exception)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def found(*arguments: str | Path) -> dict[str, Any]:
    """The JSON of a command that succeeds."""
    code, output = said(*arguments, "--json")
    assert code == 0, output
    plain: dict[str, Any] = json.loads(output)
    return plain


def values(*arguments: str | Path) -> dict[str, float]:
    """Measure → value."""
    return {row["measure"]: row["value"] for row in found(*arguments)["results"]}


def texts(result: dict[str, Any]) -> list[str]:
    """The sentences of its warnings."""
    return [one["text"] for one in result["warnings"]]
