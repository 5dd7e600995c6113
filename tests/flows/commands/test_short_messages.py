"""No message of a command is long, whatever the data hold, and none repeats a secret of a URL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accordeur.data.sentences import LONGEST, shorten
from tests.flows.in_process import said

SECRET = "s3cr3t"
URL = f"https://me:{SECRET}@example.org/export.csv?token={SECRET}&x=1#{SECRET}"
LONG = "x" * 10_000
DEEP = "/".join(["d" * 100] * 30)
ROWS = "item,annotator,label\n1,anna,A\n1,ben,B\n2,anna,A\n2,ben,A\n"
COMMANDS: dict[str, list[str]] = {
    "agree": ["agree", "PATH"],
    "gamma": ["gamma", "PATH"],
    "resample": ["resample", "PATH"],
    "ratings": ["ratings", "PATH"],
    "plan": ["plan", "PATH"],
    "mistakes": ["mistakes", "PATH"],
    "calibrate": ["calibrate", "PATH"],
    "score": ["score", "--reference", "PATH", "--system", "PATH"],
    "replace": ["replace", "PATH", "PATH"],
    "check": ["check", "PATH"],
    "run": ["run", "PATH"],
    "audit": ["audit", "PATH"],
    "verify": ["audit", "--verify", "PATH"],
    "study": ["study", "PATH"],
    "next": ["next", "PATH"],
    "adjudicate": ["adjudicate", "PATH", "--decisions", "PATH"],
    "store": ["store", "PATH"],
}


def _require_short(output: str) -> None:
    assert SECRET not in output
    assert "Traceback" not in output
    longest = max(output.splitlines(), key=len, default="")
    assert len(longest) <= LONGEST, (len(longest), longest[:300], longest[-200:])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "path",
    [URL, LONG, "/".join(["d" * 100] * 30), "caf\udce9"],
    ids=["url", "long", "deep", "byte"],
)
def test_paths(command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = said(*(path if part == "PATH" else part for part in COMMANDS[command]))
    assert code != 0
    _require_short(output)


HEADS: dict[str, str] = {
    "label": f"item,annotator,label\n1,anna,{LONG}\n1,ben,B\n2,anna,A\n2,ben,{LONG}\n",
    "columns": ",".join(f"column_{k}" for k in range(500)) + "\n" + ",".join("a" * 500) + "\n",
    "column": f"{LONG},b,c\n1,2,3\n",
    "annotators": "item,annotator,label\n"
    + "".join(f"{i},annotator number {k},{'AB'[k % 2]}\n" for k in range(500) for i in range(2)),
    "names": "item,annotator,label\n"
    + "".join(f"{i},{LONG}{k},{'AB'[k % 2]}\n" for k in range(3) for i in range(2)),
    "item": f"item,annotator,label\n{LONG},anna,A\n{LONG},anna,B\n{URL},ben,B\n{URL},ben,A\n",
    "start": f"annotator,start,end,category\nanna,{LONG},3,A\nben,{URL},3,B\n",
    "units": f"annotator,start,end,category\nanna,0,3,{LONG}\nben,0,3,{URL}\nben,5,1,B\n",
    "category": f"annotator,start,end,category\nanna,0,3,{LONG}\nben,0,4,{LONG} \n",
}


@pytest.mark.parametrize(
    ("command", "strict"),
    [
        *((name, False) for name in ("agree", "gamma", "ratings", "mistakes", "plan", "replace")),
        *((name, True) for name in ("agree", "gamma")),  # of labels and of units
    ],
)
@pytest.mark.parametrize("data", HEADS)
def test_values(command: str, data: str, strict: bool, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(HEADS[data], encoding="utf-8")
    rest: list[Any] = ["--strict"] if strict else []
    code, output = said(*(path if part == "PATH" else part for part in COMMANDS[command]), *rest)
    if code:
        _require_short(output)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--option", f"{LONG}=1"),
        ("--option", f"exclude_annotators={LONG}"),
        ("--from", LONG),
        ("--layer", LONG),
        ("--categories", ",".join(f"tag{k}" for k in range(500))),
        ("--measure", LONG),
        ("--distance", LONG),
        ("--role", f"{LONG}=nobody"),
        ("--queue", URL),
    ],
)
def test_options(option: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(
        "item,annotator,label\n1,anna,A\n1,ben,B\n2,anna,A\n2,ben,A\n", encoding="utf-8"
    )
    code, output = said("agree", path, option, value)
    assert code != 0
    if "Usage:" not in output:
        _require_short(output)


CAMPAIGN = '[campaign]\nname = "x"\n[[sources]]\npath = "export.csv"\n'


@pytest.mark.parametrize(
    "text",
    [
        CAMPAIGN + f'[layers."{LONG}"]\ncategories = ["A"]\n',
        CAMPAIGN + f'[annotators."{LONG}"]\nrole = "{LONG}"\n',
        CAMPAIGN + f"{LONG} = 1\n",
        CAMPAIGN + f'[store]\nurl = "nowhere://{URL.removeprefix("https://")}"\n',
        CAMPAIGN.replace("export.csv", URL),
        CAMPAIGN.replace("export.csv", LONG),
        CAMPAIGN + f'format = "{LONG}"\n',
        CAMPAIGN + "".join(f'[annotators."a{k}"]\n' for k in range(500)),
    ],
)
def test_campaign_files(text: str, tmp_path: Path) -> None:
    (tmp_path / "export.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    _, output = said("check", tmp_path / "campaign.toml")
    _require_short(output)


def test_a_message_is_shortened_once() -> None:
    long = shorten(f"{LONG} {URL}: " + " ".join(["word"] * 200))
    assert shorten(long) == long
    assert len(long) <= LONGEST
    assert shorten("short: https://example.org/a.csv") == "short: https://example.org/a.csv"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("agree", "--level", "0.9"), "--level is called --scale or --confidence-level"),
        (("gamma", "--tagset=a,b"), "--tagset is called --categories"),
        (("score", "--distances", "d.csv"), "--distances is called --distance"),
        (("agree", "--crew", "a,b"), "--crew is called --group"),
        (("ratings", "--level", "0.9"), "--level is called --confidence-level"),
        (
            ("adjudicate", "--to=open.csv"),
            "the file to write has no option: accordeur adjudicate CAMPAIGN FILE.",
        ),
    ],
)
def test_an_old_option_is_answered_by_the_new_one(words: tuple[str, ...], sentence: str) -> None:
    code, text = said(words[0], "labels.csv", *words[1:])
    assert code == 2
    assert sentence in " ".join(text.replace("│", " ").split())


def test_a_value_that_is_no_choice_is_told_without_pydantics_words(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS, encoding="utf-8")
    code, output = said("agree", str(tmp_path / "t.csv"), "--by", "topic")
    assert code == 2
    assert "it must be one of category, pair, annotator, or a column" in output
    assert "Value error" not in output
