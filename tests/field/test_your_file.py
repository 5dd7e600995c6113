"""The page *Your file*: `look` prints each of its lines, and each of them runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.flows.in_process import said

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "your-file.md"
_FILE = re.compile(r"^`([\w.]+)`:\n\n```text\n(.*?)```$", re.M | re.S)
_LINE = re.compile(r"^```sh\naccordeur (.*?)\n```$", re.M)
EXAMPLES = {
    title: part
    for title, _, part in (
        one.partition("\n") for one in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    )
    if _LINE.search(part)
}


@pytest.mark.parametrize("title", EXAMPLES)
def test_look_prints_the_line_and_the_line_runs(title, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = dict(_FILE.findall(EXAMPLES[title]))
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    [line] = _LINE.findall(EXAMPLES[title])
    code, output = said("look", *files)
    assert code == 0, output
    printed = [one for one in output.splitlines() if one.startswith("accordeur ")]
    assert printed[0] == f"accordeur {line}"
    code, output = said(*shlex.split(line), "--replicates", "0")
    assert code == 0, output


@pytest.mark.parametrize("title", EXAMPLES)
def test_the_campaign_file_that_look_prints_is_run(title, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in _FILE.findall(EXAMPLES[title]):
        Path(name).write_text(text, encoding="utf-8")
    code, toml = said("look", *dict(_FILE.findall(EXAMPLES[title])), "--toml")
    assert code == 0, toml
    Path("campaign.toml").write_text(f'[campaign]\nname = "tones"\n\n{toml}', encoding="utf-8")
    code, output = said("check", "campaign.toml")
    assert code == 0, output
