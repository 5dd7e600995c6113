"""What an installation of the built wheel takes, and what each first value costs.

    python benchmarks/installation.py                   # Python 3.11, 3.12 and 3.13
    python benchmarks/installation.py --python 3.13     # one of them; or paths of interpreters

Each environment is made from nothing in a temporary folder, with bytecode, as `pip install` writes
it. Then every demonstration runs once, in an environment whose caches are empty. Seconds are of
the processor, memory is that of the largest process. The rows are written into
docs/how-to/install.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/how-to/install.md"
UV = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
PYTHONS = ("3.11", "3.12", "3.13")
_VERSION = "import platform; print(platform.python_version())"
KINDS = ("light", "full")
# The first of them compiles the kernels of γ, and only the full installation runs campaigns.
DEMONSTRATIONS = ("crowd", "judge", "rank", "letters")


def install(wheel: Path, folder: Path, python: str, kind: str) -> Path:
    """Make an environment with the wheel. Returns its interpreter."""
    environment = Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=folder))
    interpreter = environment / "bin/python"
    add = [UV, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(interpreter)]
    subprocess.run(
        [UV, "venv", "--quiet", "--clear", "--python", python, str(environment)], check=True
    )
    if kind == "light":
        lock = ROOT / "install/requirements-light.lock"
        subprocess.run([*add, "--require-hashes", "-r", str(lock)], check=True)
        add.append("--no-deps")
    subprocess.run([*add, str(wheel)], check=True)
    return interpreter


def size(interpreter: Path) -> tuple[int, float]:
    """Return the number of packages and the megabytes of site-packages, bytecode included."""
    [packages] = (interpreter.parent.parent / "lib").glob("python3*/site-packages")
    files = [one for one in packages.rglob("*") if one.is_file() and not one.is_symlink()]
    return len([*packages.glob("*.dist-info")]), sum(one.stat().st_size for one in files) / 1e6


def cost(interpreter: Path, demonstration: str, folder: Path) -> tuple[float, float]:
    """Run a demonstration with empty caches. Returns seconds of the processor and megabytes."""
    home = Path(tempfile.mkdtemp(dir=folder))
    command = [str(interpreter.with_name("accordeur")), "demo", demonstration]
    log = (folder / f"{interpreter.parent.parent.name}-{demonstration}.log").open("w")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CACHE_HOME": str(home)}
    with log:
        process = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)
        _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)} failed: {log.name}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1000


def measured(wheel: Path, folder: Path, python: str, kind: str) -> str:
    """Return the row of an environment in the table of the page."""
    interpreter = install(wheel, folder, python, kind)
    version = subprocess.run(
        [str(interpreter), "-c", _VERSION], check=True, capture_output=True, text=True
    ).stdout.strip()
    n_packages, megabytes = size(interpreter)
    costs = [
        "–"
        if (kind, name) == ("light", "letters")
        else "{:.1f} s, {:.0f} MB".format(*cost(interpreter, name, folder))
        for name in DEMONSTRATIONS
    ]
    shutil.rmtree(interpreter.parent.parent)
    return f"| {version} | {kind} | {n_packages} | {megabytes:,.0f} MB | {' | '.join(costs)} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", action="append", help="may be repeated")
    folder = Path(tempfile.mkdtemp(prefix="installation-"))
    subprocess.run([UV, "build", "--quiet", "--wheel", "-o", str(folder), str(ROOT)], check=True)
    [wheel] = folder.glob("*.whl")
    for python in parser.parse_args().python or PYTHONS:
        for kind in KINDS:
            row = measured(wheel, folder, python, kind)
            print(row, end="", flush=True)
            begin = "| ".join(row.split("| ")[:3])  # Python and kind
            text = PAGE.read_text(encoding="utf-8")
            text = re.sub(rf"^{re.escape(begin)}.*\n", lambda _: row, text, flags=re.MULTILINE)  # noqa: B023
            PAGE.write_text(text, encoding="utf-8")
    print(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB; logs: {folder}")


if __name__ == "__main__":
    main()
