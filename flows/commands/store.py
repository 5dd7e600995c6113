"""`accordeur store`: contents and integrity of a store, and removal of unused files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...reports.columns import number, text
from ...tasks.wording import counted
from .terminal import print_line, terminal

if TYPE_CHECKING:
    from ...data.store.store import Store


def store(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML).")],
    check: Annotated[
        bool, typer.Option("--check", help="Compare every file of the last run with its hash.")
    ] = False,
    clean: Annotated[
        bool, typer.Option("--clean", help="Delete files that the last runs do not use.")
    ] = False,
    keep: Annotated[
        int, typer.Option(min=1, help="Number of last runs that --clean keeps complete.")
    ] = 3,
) -> None:
    """Show what a campaign's store holds; check it against its manifest, or clean it."""
    from ...data.errors import DataError
    from ...data.store import manifest
    from ...data.store.store import open_store
    from ..campaign.file.campaign_config import load_campaign
    from ..errors import UserError

    where = open_store(load_campaign(campaign).store.url, campaign)
    known = [path for path in manifest.manifest_paths(where) if manifest.is_of_run(path)]
    if not known:
        raise DataError(f"the store {where.url} holds no finished run (accordeur run)")
    if clean:
        with where.lock(campaign):
            n_files, n_bytes = manifest.delete_stale(where, keep_runs=keep)
        kept = min(keep, len(known))
        print_line(
            f"deleted {counted(n_files, 'file')} ({_size_text(n_bytes)}) not used by the last "
            f"{counted(kept, 'run')}, nor by an audit"
        )
    if check:
        found = manifest.manifest_damage(where, known[-1])
        if found:
            raise UserError(*found, "run the campaign again to recompute the damaged files")
        print_line(f"every file of {known[-1].split('/')[1]} matches its hash")
    if not check and not clean:
        _print_content(where, len(known))


def _print_content(where: Store, n_runs: int) -> None:
    from .printing.tables import print_table

    of_folder: dict[str, list[str]] = {}
    for path in where.list(""):
        folder, _, name = path.rpartition("/")
        if name and folder:
            of_folder.setdefault(path.partition("/")[0], []).append(path)
    console = terminal()
    print_table(
        console, of_folder.items(),
        text("folder", lambda row: row[0]),
        number("files", lambda row: len(row[1])),
        text("size", lambda row: _size_text(sum(map(where.size, row[1])))),
    )  # fmt: skip
    console.print(f"{counted(n_runs, 'finished run')} in {where.location('reports')}")


def _size_text(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else f"{n_bytes / 1e3:.1f} kB"
