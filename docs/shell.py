"""Commands of tutorials: shown as a shell takes them, run when the site is built.

A block ```` ```{shell} ```` holds commands; a number after the name is their exit status (0 if none
is given). Below it stands everything that they print. A block ```` ```{append} FILE ```` is shown
as TOML and added to the file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipapp
from pathlib import Path
from tempfile import TemporaryDirectory

BLOCK = re.compile(r"^```\{(shell|append)\}(?: (\S+))?\n(.*?)^```$", re.S | re.M)
LIFE = Path("tests/flows/life")  # the planted people of a tutorial
HIDDEN = (
    "```{{code-cell}} ipython3\n:tags: [remove-input]\nimport sys\n\n"
    f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    "import shell\n\nshell.{call}\n```"
)


def as_cells(text: str) -> str:
    """Return the page with each block as code to show and a cell that runs it."""
    return BLOCK.sub(_cell, text)


def _cell(found: re.Match[str]) -> str:
    kind, argument, body = found.groups()
    if kind == "append":
        hidden = HIDDEN.format(call=f"append({argument!r}, {body!r})")
        return f"```toml\n{body}```\n\n{hidden}"
    hidden = HIDDEN.format(call=f"run({body!r}, status={int(argument or 0)})")
    return f"```sh\n{body}```\n\n{hidden}"


def run(commands: str, *, status: int = 0) -> None:
    """Run `commands` and print what they print; progress is not shown, errors only if alone.

    The folder of the page stands as `~`, because it is another one at every build.
    """
    done = subprocess.run(  # noqa: S603 - the commands of our own pages
        ["bash", "-e", "-c", commands],  # noqa: S607
        env={**os.environ, "COLUMNS": "88"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != status:
        raise RuntimeError(f"exit status {done.returncode}: {commands}\n{done.stderr}")
    printed = done.stdout or done.stderr
    print(printed.replace(str(Path.cwd()), "~"), end="")  # noqa: T201


def append(name: str, text: str) -> None:
    """Add `text` to the end of a file of the tutorial."""
    with Path(name).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}")


def write_letters(to: Path) -> None:
    """Write the planted people of *A weekly campaign* as a program that needs no checkout."""
    checkout = Path(__file__).resolve().parents[1]
    with TemporaryDirectory() as folder:
        inside = Path(folder, LIFE)
        inside.mkdir(parents=True)
        for name, place in (("planted_life", inside), ("group", inside), ("__main__", folder)):
            shutil.copy(checkout / LIFE / f"{name}.py", place)
        zipapp.create_archive(folder, to)
