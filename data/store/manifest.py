"""The manifest of a run: every artefact it used or wrote, with its hash; also stale artefacts.

`manifest.json` is beside the report and is written last. It lists files by their hash, finished
places by the hash of their receipt (which lists the files of the place), and series by the count of
their numbers used, because their files may be joined later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..errors import DataError
from .hashes import Digest
from .ownership import NAMES, Folder
from .receipts import RECEIPT, parts_of_place, read_kept
from .sealed_json import read_sealed, write_sealed
from .series import Series
from .store import Store

MANIFEST = "manifest.json"
UNFINISHED = "unfinished.json"  # exists while a run is under way, and after a run that did not end
SAMPLE, TRIAL = "sample", "trial"  # what numbers the rows of a series
_ENTRY = re.compile(r"[a-z]+/(?:[a-z]+-)?[0-9a-f]{16}(?:\.json)?")  # named by a hash, as ours are


def write_run_manifest(
    store: Store,
    folder: str,
    facts: Mapping[str, Any],
    *,
    places: Mapping[str, str],
    series: Mapping[str, int],
    files: Sequence[str],
) -> str:
    """Write the manifest of the run whose report is in `folder`; return its path.

    places: finished place → hash of its receipt; series: folder → count of numbers used; files:
    further files that the run used. The folder's own files are added.
    """
    path = f"{folder}/{MANIFEST}"
    listed = {*files, *store.list(folder)} - {path}
    digests = {one: store.digest(one) for one in sorted(listed)}
    content = {
        **facts,
        "files": {one: asdict(digest) for one, digest in digests.items() if digest},
        "places": dict(places),
        "series": dict(series),
    }
    return write_sealed(store, path, content)


def manifest_paths(store: Store) -> list[str]:
    """Return the paths of all manifests: of runs in order, then of studies, then of audits."""
    found = [
        path
        for folder in ("reports", "audits")
        for path in store.list(folder)
        if path.endswith(f"/{MANIFEST}")
    ]
    return sorted(found, key=lambda path: (path.startswith("audits/"), not is_of_run(path), path))


def is_of_run(manifest: str) -> bool:
    """Return whether the path belongs to a campaign's run rather than a study or an audit."""
    return re.match(r"reports/run-\d+/", manifest) is not None


def manifest_damage(store: Store, manifest: str) -> list[str]:
    """Return the differences from the manifest, each in a few words; empty when there are none."""
    sealed = read_sealed(store, manifest)
    if sealed is None:
        return [f"{manifest} is missing or damaged"]
    content = sealed.content
    found = []
    for path, digest in content["files"].items():
        now = store.digest(path)
        if now is None:
            found.append(f"{path} is missing")
        elif now != Digest(**digest):
            found.append(f"{path} is damaged")
    for place, sha256 in content["places"].items():
        state = read_kept(store, place)
        if state.damaged:
            found += [f"{path} is missing or damaged" for path in state.damaged]
        elif state.receipt is None:
            found.append(f"{place}/{RECEIPT} is missing")
        elif state.receipt.digest.sha256 != sha256:
            found.append(f"{place}/{RECEIPT} does not belong to the run")
    for folder, count in content["series"].items():
        column = TRIAL if folder.startswith("studies/") else SAMPLE
        series = Series(store, folder, column)
        if series.read(0, count) is None:
            found.append(f"{folder} lacks some of the first {count} {column}s")
        found += [f"{path} is damaged" for path in series.damaged]
    return found


def stale_entries(store: Store, *, keep_runs: int) -> list[str]:
    """Return folders and files that neither the last `keep_runs` runs nor any audit use.

    Reports, audits and decisions are never included; of folders that only older versions wrote,
    the files that a manifest lists are, unless they have changed since. Raises DataError while a
    run has not ended, because no manifest lists its results yet.
    """
    if store.exists(UNFINISHED):
        raise DataError(
            f"the last run on the store {store.url} did not finish, and its results are needed; "
            "start it again first, or delete unfinished.json to discard it"
        )
    known = manifest_paths(store)
    of_runs = [path for path in known if is_of_run(path)]
    used_files: set[str] = set()
    used_folders: set[str] = set()
    for path in [*of_runs[max(0, len(of_runs) - keep_runs) :], *set(known).difference(of_runs)]:
        sealed = read_sealed(store, path)
        if sealed is None:  # these results are recomputed where they are needed
            continue
        content = sealed.content
        used_files.update(content["files"])
        used_folders.update(content["places"])
        used_folders.update(content["series"])
    used_folders |= {part for place in used_folders for part in parts_of_place(store, place)}
    entries = {
        path if path.count("/") == 1 else path.rpartition("/")[0]
        for folder in Folder
        for path in store.list(folder)
    }
    in_use = used_files | {path.rpartition("/")[0] for path in used_files} | used_folders
    found = {entry for entry in entries - in_use if _ENTRY.fullmatch(entry)}
    return sorted(found | _listed_files_of_older_versions(store, known).difference(in_use))


def _listed_files_of_older_versions(store: Store, known: Sequence[str]) -> set[str]:
    """Return files in folders that only older versions wrote, which are as a manifest lists them.

    Anything else in such a folder may be the user's.
    """
    sealed = (read_sealed(store, path) for path in known)
    return {
        path
        for one in sealed
        if one is not None
        for path, digest in one.content["files"].items()
        if path.partition("/")[0] not in NAMES and store.digest(path) == Digest(**digest)
    }


def read_if_intact(store: Store, folder: str, name: str) -> bytes | None:
    """Return a file beside a report; None unless it matches the hash in the manifest."""
    sealed = read_sealed(store, f"{folder}/{MANIFEST}")
    content = store.content(f"{folder}/{name}")
    if sealed is None or content is None:
        return None
    listed = sealed.content["files"].get(f"{folder}/{name}")
    return content if listed == asdict(Digest.of(content)) else None


def delete_stale(store: Store, *, keep_runs: int) -> tuple[int, int]:
    """Delete stale entries; return the numbers of files and bytes deleted."""
    n_files = n_bytes = 0
    for entry in stale_entries(store, keep_runs=keep_runs):
        files = _written_files(store, entry)
        n_files += len(files)
        n_bytes += sum(store.size(path) for path in files)
        for path in files:
            store.delete(path)
        if not store.list(entry):
            store.delete_folder(entry)
    return n_files, n_bytes


def _written_files(store: Store, entry: str) -> list[str]:
    """Return the files of an entry that runs wrote: listed by its receipt or, without one, ours."""
    if store.exists(entry):
        return [entry]
    receipt = f"{entry}/{RECEIPT}"
    sealed = read_sealed(store, receipt)
    return [
        path
        for path in store.list(entry)
        if (
            path.endswith((".parquet", ".json"))
            if sealed is None
            else path == receipt or path in sealed.content["files"]
        )
    ]


def delete_pages_of_old_runs(store: Store, *, keep_runs: int) -> int:
    """Delete the pages of all runs but the last `keep_runs`; return the number deleted.

    Only pages that are as their run wrote them are deleted. Results and tables are kept. Manifests
    still list the pages, but only the last run's manifest is checked.
    """
    of_runs = [path for path in manifest_paths(store) if is_of_run(path)]
    pages = [
        page
        for path in of_runs[: max(0, len(of_runs) - keep_runs)]
        if (sealed := read_sealed(store, path)) is not None
        for page, digest in sealed.content["files"].items()
        if page.endswith(".html") and store.digest(page) == Digest(**digest)
    ]
    for page in pages:
        store.delete(page)
    return len(pages)
