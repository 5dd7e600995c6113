"""`--log-json`: what a run says is one JSON object a line, and says which run, stage and part."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.flows.progress.json_log import json_log
from tests.flows.small import write_small

ROOT = Path(__file__).resolve().parents[3]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_stages_tasks_notes_and_logs_are_lines() -> None:
    stream = io.StringIO()
    with json_log(stream) as log:
        log.stage("align units", 2)
        log.advance("units, shards 0, 8")
        log.note("rows: 3 in")
        logging.getLogger("some.library").warning("%d of them", 3)
        logging.getLogger("some.library").info("too much")
        logging.getLogger("prefect.flow_runs").propagate = True
    said = lines(stream.getvalue())
    assert [one["event"] for one in said] == ["stage", "task", "note", "log"]
    assert said[0]["tasks"] == 2
    assert (said[1]["what"], said[1]["done"], said[1]["tasks"]) == ("units, shards 0, 8", 1, 2)
    assert {one["stage"] for one in said} == {"align units"}
    assert (said[3]["logger"], said[3]["message"]) == ("some.library", "3 of them")
    assert all(one["time"].endswith("+00:00") for one in said)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [(DataError("a\nb"), 2, "a\\x0ab"), (KeyError("x"), 3, "KeyError: 'x'")],
)
def test_an_error_is_the_last_line(error: Exception, code: int, message: str) -> None:
    stream = io.StringIO()
    before = logging.getLogger().handlers[:]
    with pytest.raises(SystemExit) as ended, json_log(stream):
        raise error
    assert ended.value.code == code
    [said] = lines(stream.getvalue())
    assert (said["event"], said["level"], said["message"]) == ("error", "ERROR", message)
    assert ("traceback" in said) == (code == 3)
    assert logging.getLogger().handlers == before


@pytest.mark.parametrize("passes_on", [True, False])
def test_a_record_is_one_line_whether_or_not_the_logger_passes_it_on(passes_on: bool) -> None:
    stream, logger = io.StringIO(), logging.getLogger("prefect")
    before = logger.propagate
    logger.propagate = passes_on
    try:
        with json_log(stream):
            logging.getLogger("prefect.flow_runs").warning("first")
            logging.getLogger("prefect.flow_runs").warning("first")
    finally:
        logger.propagate = before
    assert [one["message"] for one in lines(stream.getvalue())] == ["first", "first"]


def command(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PREFECT_HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "accordeur.flows.cli", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_mistake_in_the_campaign_file_is_a_line_too(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text("[campaign]\nnam = 'x'\n", encoding="utf-8")
    ended = command("run", str(campaign), "--log-json", home=tmp_path)
    assert ended.returncode == 2
    [said] = lines(ended.stderr)
    assert said["event"] == "error"
    assert "campaign.toml" in said["message"]


@pytest.mark.services
@pytest.mark.long
def test_a_whole_run_is_lines_of_one_run(tmp_path: Path) -> None:
    campaign = write_small(tmp_path)
    ended = command("run", str(campaign), "--log-json", home=tmp_path / "prefect")
    assert ended.returncode == 0, ended.stderr
    assert "report: " in ended.stdout
    said = lines(ended.stderr)
    assert len({one["run_id"] for one in said if one["run_id"]}) == 1
    tasks = {(one["stage"], one.get("what")) for one in said if one["event"] == "task"}
    assert {
        ("ingest", "source 1"),
        ("validate", "shard 0"),
        ("align units", "shard 0"),
    } < tasks
    text = campaign.read_text(encoding="utf-8") + '[layers.nowhere]\ndistance = "nominal"\n'
    campaign.write_text(text, encoding="utf-8")
    ended = command("run", str(campaign), "--log-json", home=tmp_path / "prefect")
    assert ended.returncode == 2
    last = lines(ended.stderr)[-1]
    assert (last["event"], last["level"]) == ("error", "ERROR")
    assert "no export holds this layer" in last["message"]
    assert last["run_id"]
