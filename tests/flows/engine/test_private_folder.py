"""A run deletes what runs made, and nothing else of the temporary folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flows.command_line import alone

MAKE = (
    "import sys\n"
    "from accordeur.flows.engine.private_folder import delete_private_folder, private_folder\n"
    "print(private_folder(), flush=True)\n"
)


def make(temporary: Path, then: str = "") -> Path:
    """The private folder of a process that does this and has ended."""
    done = subprocess.run(
        [sys.executable, "-c", MAKE + then],
        env=alone(temporary.parent, TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL)
    return Path(done.stdout.strip())


KILLED = "import os; os.kill(os.getpid(), 9)"


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    place = tmp_path / "tmp"
    place.mkdir()
    return place


@pytest.fixture
def in_use(temporary: Path) -> Iterator[Path]:
    """The folder of a process that goes on."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{MAKE}input()"],
        env=alone(temporary.parent),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield Path(process.stdout.readline().strip())
    process.communicate("\n")


def test_folders_of_killed_runs_are_deleted_and_those_in_use_are_not(
    temporary: Path, in_use: Path
) -> None:
    left = make(temporary, KILLED)
    assert left.is_dir()
    make(temporary)
    assert not left.exists()
    assert in_use.is_dir()
    assert in_use.parent.stat().st_mode & 0o777 == 0o700


def test_nothing_remains_of_runs_that_ended(temporary: Path) -> None:
    make(temporary)
    assert list(temporary.iterdir()) == []


def test_folders_that_no_run_made_are_never_deleted(temporary: Path) -> None:
    """An unpacked sdist, results of a user, a live folder of a notebook, whatever its name."""
    parent = make(temporary, KILLED).parent
    names = ("accordeur-0.1.0", "accordeur-results", "accordeur-a1b2c3d4", f"{parent.name}-more")
    own = [temporary / name for name in names] + [parent / "abcd1234"]
    for folder in own:
        folder.mkdir(mode=0o700)
        (folder / "mine.txt").write_text("mine", encoding="utf-8")
    make(temporary)
    assert all((folder / "mine.txt").is_file() for folder in own)


@pytest.mark.parametrize("kind", ["readable", "link", "file"])
def test_a_name_that_is_taken_by_something_else_is_not_used(temporary: Path, kind: str) -> None:
    taken = temporary / f".accordeur-{os.geteuid()}"
    if kind == "file":
        taken.touch()
    else:
        place = taken if kind == "readable" else temporary / "elsewhere"
        place.mkdir(mode=0o755 if kind == "readable" else 0o700)
        child = place / "abcd1234"
        child.mkdir(mode=0o700)
        (child / ".made-by-a-run").touch()
        if kind == "link":
            taken.symlink_to(place)
    before = sorted(temporary.rglob("*"))
    assert make(temporary).parent != taken
    assert sorted(temporary.rglob("*")) == before


def test_only_folders_of_runs_can_be_deleted(temporary: Path) -> None:
    own = temporary / "own"
    own.mkdir(mode=0o700)
    make(temporary, f"delete_private_folder(__import__('pathlib').Path({str(own)!r}))")
    assert own.is_dir()


def test_a_long_name_of_the_temporary_folder_leaves_room_for_sockets(tmp_path: Path) -> None:
    temporary = tmp_path / ("long" * 20)
    temporary.mkdir()
    assert make(temporary).parent.parent == Path("/tmp")
