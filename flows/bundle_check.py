"""Does a release's bundle still say what was measured, and does measuring give it again?"""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from ..data.errors import DataError
from ..data.intake.inputs import hashed_files, input_hashes
from ..data.store.checksums import CHECKSUMS, broken_checksums
from ..data.store.store import Store
from ..metrics.signature import VERSION
from ..reports.language import LANGUAGES
from ..reports.render import render
from ..reports.results import Results
from ..reports.results.circumstances import FILE as CIRCUMSTANCES
from ..reports.results.circumstances import Circumstances, with_circumstances
from ..reports.summary import markdown_summary
from ..tasks.release.documents import altered_documents
from ..tasks.release.tables import FOLDER, without_pseudonyms
from ..tasks.reporting.values_table import values_table
from .campaign.file.config import StoreSection, load
from .campaign.measure import measure
from .campaign.run import RunRequest
from .release_audit import copy_decisions

SAME = 1e-9  # relative: what another order of the same additions may change
_NAMES = ("layer", "measure", "name", "document", "process", "system", "k", "run")
_OF_THE_RUN = ("run", "history")  # when it was measured, how long it took, what came before


def bundle_hash(bundle: Path) -> str:
    """SHA-256 of the bundle's `SHA256SUMS`. Raises DataError where there is none."""
    content = Store(str(bundle)).content(CHECKSUMS)
    if content is None:
        raise DataError(
            f"{bundle}: holds no {CHECKSUMS}: give the folder that `accordeur audit` wrote"
        )
    return hashlib.sha256(content).hexdigest()


def altered_files(bundle: Path, published: str | None = None) -> list[str]:
    """What differs from `SHA256SUMS`, or between the files that say the same thing.

    published  the hash that was published of `SHA256SUMS`: without it, a file that was changed
    together with its checksum is noticed only where another file says the same thing. Raises
    DataError for what is no bundle.
    """
    store = Store(str(bundle))
    if published is not None and bundle_hash(bundle) != published.strip().lower():
        return [f"{CHECKSUMS} does not have the published hash"]
    broken = broken_checksums(store, "")
    if broken:
        return broken
    results = read_results(bundle)
    found = []
    if results.run.version == VERSION:
        page = (bundle / "report.html").read_text(encoding="utf-8")
        if page not in (render(results, language=code) for code in LANGUAGES):
            found.append("report.html does not match results.json")
        if (bundle / "summary.md").read_text(encoding="utf-8") != markdown_summary(results):
            found.append("summary.md does not match results.json")
        found += [
            f"{path} does not match results.json and the files of the bundle"
            for path in altered_documents(store, "")
        ]
    if _rows(store.read_table("values.parquet")) != _rows(values_table(results)):
        found.append("values.parquet does not match results.json")
    return found


def _rows(table: pa.Table) -> list[str]:
    return [repr(row) for row in table.to_pylist()]  # nan is equal to itself here


def read_results(bundle: Path) -> Results:
    """What the report shows, of both files. Raises DataError when one of them is none."""
    path = bundle / "results.json"
    try:
        results = Results.model_validate_json(path.read_bytes())
        path = bundle / CIRCUMSTANCES
        return with_circumstances(results, Circumstances.model_validate_json(path.read_bytes()))
    except (OSError, ValidationError) as error:
        raise DataError(f"{path}: is not a results document of this version ({error})") from None


def altered_inputs(bundle: Path, campaign: Path) -> list[str]:
    """Which of the exports that the campaign file names are not those that were measured."""
    config = load(campaign)
    sources = [(one.path, hashed_files(one.path)) for one in config.sources]
    present = dict(input_hashes(campaign, sources, is_private=config.hides_people))
    measured = read_results(bundle).run.inputs
    found = [
        f"{name} is missing" if name not in present else f"{name} was changed"
        for name, digest in measured.items()
        if present.get(name) != digest
    ]
    return found + [f"{name} was added" for name in present if name not in measured]


def altered_numbers(bundle: Path, campaign: Path) -> list[str]:
    """Where the bundle and a new measurement of the exports, in a store of its own, differ.

    The numbers are compared, and the rows of every table that is published with them.
    """
    config = load(campaign)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        copy_decisions(Store(config.store.url), "", store, "")
        copy_decisions(Store(str(bundle)), "", store, "")
        again = config.model_copy(update={"store": StoreSection(url=folder)})
        measure(again, RunRequest(campaign, "again", fresh=True, is_release=True))
        measured = store.read_json("again/results.json")
        tables = altered_tables(Store(str(bundle)), store, "again/")
    released = read_results(bundle).model_dump(mode="json")
    for name in _OF_THE_RUN:
        del released[name], measured[name]
    return [
        f"{where} is {_shown(before)} in the bundle and {_shown(now)} when measured again"
        for where, before, now in differences(released, measured)
    ] + tables


def altered_tables(bundle: Store, again: Store, folder: str) -> list[str]:
    """Tables and files of the reference that differ from those of the new measurement.

    Pages, summary and results are compared elsewhere.
    """
    found = []
    measured = {path.removeprefix(folder): path for path in again.list(folder.rstrip("/"))}
    released = [path for path in bundle.list("") if _is_compared(path)]
    for name in dict.fromkeys((*released, *filter(_is_compared, measured))):
        if name not in measured or not bundle.exists(name):
            found.append(f"{name} is {'not in the bundle' if name in measured else 'not measured'}")
        elif name.endswith(".parquet"):
            both = bundle.read_table(name), again.read_table(measured[name])
            if name.startswith(f"{FOLDER}/"):  # another measurement may have another secret
                both = without_pseudonyms(both[0]), without_pseudonyms(both[1])
            rows = both[0].to_pylist(), both[1].to_pylist()
            if next(differences(*rows), None) is not None or len(rows[0]) != len(rows[1]):
                found.append(f"{name} has different rows when measured again")
        elif bundle.content(name) != again.content(measured[name]):
            found.append(f"{name} differs when measured again")
    return found


def _is_compared(path: str) -> bool:
    return path.endswith(".parquet") or path.startswith("reference/")


def differences(before: Any, now: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON documents differ by more than rounding: (place, before, now)."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*before, *now)):
            yield from differences(before.get(key), now.get(key), f"{where}.{key}".lstrip("."))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{where}[{_named(one, i)}]")
    elif not _same(before, now):
        yield where, before, now


def _named(entry: Any, number: int) -> str:
    names = [str(entry[key]) for key in _NAMES if key in entry] if isinstance(entry, dict) else []
    return " ".join(names[:2]) or str(number)


def _same(before: Any, now: Any) -> bool:
    if isinstance(before, (int, float)) and isinstance(now, (int, float)):
        if math.isnan(before) and math.isnan(now):
            return True
        return math.isclose(before, now, rel_tol=SAME, abs_tol=SAME)
    return bool(before == now)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "undefined" if value is None else str(value)


def differences_sentence(differing: list[str], checked: str) -> str:
    """One sentence: that nothing differs in what was checked, or what does."""
    if not differing:
        return f"nothing differs: {checked}"
    more = f", and {len(differing) - 3} more" if len(differing) > 3 else ""
    count = "1 thing differs" if len(differing) == 1 else f"{len(differing)} things differ"
    return f"{count}: {'; '.join(differing[:3])}{more}"
