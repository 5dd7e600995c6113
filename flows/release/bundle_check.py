"""Verification of a release's bundle: integrity, consistency, and reproduction of its values.

Each difference names the file and the kind of change.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from pydantic import ValidationError

from ...data.errors import DataError
from ...data.intake.input_files import hashed_files, source_hashes
from ...data.option_names import in_campaign_file
from ...data.store.checksums import CHECKSUMS, SIGNATURE, Change, broken_checksums
from ...data.store.hashes import Digest
from ...data.store.manifest import MANIFEST
from ...data.store.ownership import claim
from ...data.store.store import Store
from ...data.untrusted.documents import parse_json
from ...data.untrusted.files import read_file
from ...data.untrusted.parquet import open_parquet
from ...metrics.signature import VERSION
from ...reports.language import LANGUAGES, Code
from ...reports.release.corpus_to_release import DATA
from ...reports.render import AUDIT_PAGE, render, render_audit, render_document
from ...reports.results import Results
from ...reports.results.circumstances import FILE as CIRCUMSTANCES
from ...reports.results.circumstances import Circumstances, with_circumstances
from ...reports.summary import markdown_summary
from ...tasks.annotator_codes import STORED_KEY
from ...tasks.release.release_documents import altered_documents, release_document_paths
from ...tasks.release.release_tables import json_lines, with_row_hashes
from ...tasks.reporting.reported_values import values_table
from ..campaign.file.campaign_config import Config, load_campaign
from ..campaign.file.run_sections import CampaignEngine
from ..campaign.measure import measure
from ..campaign.run import RunRequest
from ..release_audit import CAMPAIGN_FILE, copied_files, copy_decisions
from ..schedule.notify_config import Notify
from ..shared_sections import StoreSection
from .json_differences import json_differences, shortened_value
from .software import FILE as SOFTWARE
from .software import code_hash, code_hash_in

_ELSEWHERE = (  # compared with results.json or its values, or not produced by a measurement
    *("results.json", CIRCUMSTANCES, "report.html", AUDIT_PAGE, "summary.md"),
    *(CHECKSUMS, SIGNATURE, MANIFEST, CAMPAIGN_FILE, SOFTWARE),
)
_IN_BUNDLE = re.compile(r"audits/[^/]+/(.+)")  # a file of the bundle by its path in the store
_OF_THE_RUN = ("run", "history")  # dates, durations, and earlier runs


def checksum_file_hash(bundle: Path) -> str:
    """Return the SHA-256 of the bundle's `SHA256SUMS`. Raises DataError if it is missing."""
    content = Store(str(bundle)).content(CHECKSUMS)
    if content is None:
        raise DataError(
            f"{bundle}: holds no {CHECKSUMS}: give the folder that `accordeur audit` wrote"
        )
    return hashlib.sha256(content).hexdigest()


def altered_files(bundle: Path, published: str | None = None) -> list[str]:
    """List differences from `SHA256SUMS`, and between files with the same content.

    published  published hash of `SHA256SUMS`; without it, a file that was changed together with its
               checksum is detected only if another file has the same content

    A file that cannot be read is a difference, and the others are compared nevertheless. Raises
    DataError for a folder that is not a bundle.
    """
    store = Store(str(bundle))
    found: list[str] = []
    if published is not None and checksum_file_hash(bundle) != published.strip().lower():
        found.append(f"{CHECKSUMS} was changed: it does not have the published hash")
    broken = broken_checksums(store, "")
    listed: dict[str, Digest] = {}
    unreadable: list[str] = []
    try:
        listed = listed_files(store)
    except DataError as error:
        unreadable.append(str(error))
    found += [
        f"the checksum of {name} was changed in {CHECKSUMS}"
        if change is Change.changed and listed.get(name) == store.digest(name)
        else f"{name} {change}"
        for name, change in broken.items()
    ]
    try:
        results = read_results(bundle)
    except DataError as error:
        return [*found, *unreadable, str(error)]
    if not unreadable:
        found += _manifest_differences(store, listed, results, without=broken.keys())
    return found + unreadable + _unlike_results(store, results)


def listed_files(store: Store) -> dict[str, Digest]:
    """Return the files listed in the manifest: all except itself and the checksums."""
    try:
        content = parse_json(store.content(MANIFEST) or b"{}", store.location(MANIFEST))
        listed = content.get("files", {})
        return {
            found[1]: Digest(**digest)
            for path, digest in listed.items()
            if (found := _IN_BUNDLE.match(path))
        }
    except DataError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{store.location(MANIFEST)}: is not a manifest ({error})") from None


def _manifest_differences(
    store: Store, listed: Mapping[str, Digest], results: Results, *, without: Set[str]
) -> list[str]:
    """List differences between the manifest and the files, even if the checksums match.

    without  files whose difference is known
    Documents that describe the release list the manifest, so they are written after it.
    """
    if not listed:
        return [f"{MANIFEST} is missing or lists no file of the bundle"]
    present = {name: store.digest(name) for name in store.list("")}
    found = [
        f"{name} is missing: {MANIFEST} lists it"
        if name not in present
        else f"{name} was changed: it does not match {MANIFEST}"
        for name, digest in listed.items()
        if present.get(name) != digest and name not in without
    ]
    later = {MANIFEST, CHECKSUMS, SIGNATURE, *release_document_paths(results)}
    unlisted = present.keys() - listed.keys() - later - without
    return found + [f"{name} was added: {MANIFEST} does not list it" for name in sorted(unlisted)]


def _unlike_results(store: Store, results: Results) -> list[str]:
    """List files that contradict others; pages and documents only for bundles of this code."""
    found = []
    documents: list[str] = []
    maker = maker_of_other_code(store, results)
    if not maker:
        pages = _pages(results, _language_of(store.content("report.html") or b""))
        for name, made in pages.items():
            if store.content(name) not in (None, made.encode()):
                found.append(name)
        documents = altered_documents(store, "")
    unreadable = []
    unsure = f", or {maker} writes it in another way" if maker else ""
    try:
        if _rows_as_text(_table(store, "values.parquet")) != _rows_as_text(values_table(results)):
            found.append("values.parquet")
    except DataError as error:
        unreadable.append(str(error))
    campaign = store.content(CAMPAIGN_FILE)
    if campaign is not None and not hashlib.sha256(campaign).hexdigest().startswith(
        results.run.config_hash
    ):
        found.append(CAMPAIGN_FILE)
    return [
        *unreadable,
        *(f"{name} does not match results.json{unsure}" for name in found),
        *(
            f"{name} does not match results.json and the files of the bundle"
            if store.exists(name)
            else f"{name} is missing: the release has this document"
            for name in documents
        ),
        *_unlike_tables(store),
    ]


def compared_files(bundle: Path) -> str:
    """Name the files of the bundle, besides pages, that are compared with its results."""
    has = {
        "the tables as JSON lines": any((bundle / DATA).glob("**/*.jsonl")),
        "the campaign file": (bundle / CAMPAIGN_FILE).exists(),
    }
    *before, last = ["values.parquet", *(name for name, is_there in has.items() if is_there)]
    return f"{', '.join(before)} and {last}" if before else last


def maker_of_other_code(bundle: Store, results: Results) -> str:
    """Say which Accordeur made a bundle, if its pages are not to be compared; "" for this code.

    Commits of one development version make other pages, so its own files count, too.
    """
    if results.run.version != VERSION:
        return f"Accordeur {results.run.version}"
    stated = code_hash_in(bundle.content(SOFTWARE) or b"{}", bundle.location(SOFTWARE))
    return "" if stated == code_hash() else f"another state of Accordeur {VERSION}"


def _unlike_tables(store: Store) -> Iterator[str]:
    """Yield files of JSON lines that differ from the Parquet file beside them."""
    for path in store.list(DATA):
        table = path.removesuffix(".jsonl") + ".parquet"
        if not path.endswith(".jsonl") or not store.exists(table):
            continue
        try:
            if store.content(path) != b"".join(json_lines(_table(store, table))):
                yield f"{path} does not match {table}"
        except DataError as error:
            yield str(error)


def _pages(results: Results, language: Code) -> dict[str, str]:
    """Map each page to its contents, including pages of the documents drawn in the report."""
    pages = {
        "report.html": render(results, language=language),
        AUDIT_PAGE: render_audit(results, language=language),
        "summary.md": markdown_summary(results),
    }
    return pages | {
        one.link: render_document(results, layer.layer, one.document, language=language)
        for layer in results.units
        for one in layer.alignments
        if one.link
    }


def _language_of(report: bytes) -> Code:
    return next((code for code in LANGUAGES if f'<html lang="{code}">'.encode() in report), "en")


def _table(bundle: Store, name: str) -> pa.Table:
    """Read a table of a bundle, which others may have written, within the budget."""
    return open_parquet(bundle.local_path(name)).table()


def _rows_as_text(table: pa.Table) -> list[str]:
    return [repr(row) for row in table.to_pylist()]  # makes nan equal to itself


def read_results(bundle: Path) -> Results:
    """Read results and run metadata from both files. Raises DataError if one is invalid."""
    path = bundle / "results.json"
    try:
        results = Results.model_validate_json(read_file(path))
        path = bundle / CIRCUMSTANCES
        return with_circumstances(results, Circumstances.model_validate_json(read_file(path)))
    except ValidationError as error:
        raise DataError(f"{path}: is not a results document of this version ({error})") from None


def altered_inputs(bundle: Path, campaign: Path) -> list[str]:
    """List the exports that differ from the measured ones, and the campaign file if it does."""
    run = read_results(bundle).run
    if not hashlib.sha256(read_file(campaign)).hexdigest().startswith(run.config_hash):
        return [f"{campaign.name} is not the campaign file that was measured: its hash differs"]
    config = load_campaign(campaign)
    sources = [(one.path, hashed_files(one.path)) for one in config.sources]
    present = dict(source_hashes(campaign, sources, is_private=config.hides_annotators))
    measured = run.inputs
    found = [
        f"{name} is missing" if name not in present else f"{name} was changed"
        for name, digest in measured.items()
        if present.get(name) != digest
    ]
    return found + [f"{name} was added" for name in present if name not in measured]


@in_campaign_file()
def altered_numbers(bundle: Path, campaign: Path) -> list[str]:
    """Compare the bundle with a new measurement of the exports, in a temporary store.

    All values are compared, with their signatures up to the version that computed them, and all
    other files that a measurement writes. Nothing that the campaign file names is run or contacted,
    as others may have written it.
    """
    config, published = load_campaign(campaign), read_results(bundle)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        claim(store)
        if Path(config.store.url).is_dir():  # decisions that the bundle omits to hide their authors
            own = Store(config.store.url)
            copy_decisions(own, "", store, "")
            if (key := own.content(STORED_KEY)) is not None:
                store.write_bytes(STORED_KEY, key)
        copy_decisions(Store(str(bundle)), "", store, "")
        again = without_side_effects(config, folder)
        request = RunRequest(
            campaign, "again", fresh=True, is_release=True, started=published.run.started
        )
        measure(again, request)
        measured = store.read_json("again/results.json")
        elsewhere = release_document_paths(published)
        if maker_of_other_code(Store(str(bundle)), published):
            elsewhere |= set(Store(str(bundle)).list("documents"))
        others = altered_other_files(Store(str(bundle)), store, "again/", elsewhere)
    released = published.model_dump(mode="json")
    for name in _OF_THE_RUN:
        del released[name], measured[name]
    return [
        f"results.json: {where} is {shortened_value(before)} in the bundle and "
        f"{shortened_value(now)} when measured again"
        for where, before, now in json_differences(released, measured)
    ] + others


def without_side_effects(config: Config, folder: str) -> Config:
    """Return the campaign without what runs programs, contacts others or writes elsewhere.

    The default engine measures, and `folder` is the store. None of this changes a value.
    """
    release = config.release and replace(config.release, pseudonym_key="")
    return config.model_copy(
        update={
            "engine": CampaignEngine(documents_per_batch=config.engine.documents_per_batch),
            "notify": Notify(),
            "store": StoreSection(url=folder),
            "report": config.report.model_copy(update={"index": ""}),
            "release": release,
        }
    )


def altered_other_files(
    bundle: Store, again: Store, folder: str, documents: Set[str] = frozenset()
) -> list[str]:
    """List files besides results and their pages that differ from the new measurement.

    documents  generated documents, which are compared elsewhere
    """
    found = []
    copied = {*copied_files(bundle), *copied_files(again)}
    measured = {path.removeprefix(folder): path for path in again.list(folder.rstrip("/"))}
    for name in dict.fromkeys((*bundle.list(""), *measured)):
        if name in _ELSEWHERE or name in documents or name in copied:
            continue
        if name not in measured or not bundle.exists(name):
            found.append(f"{name} is {'missing' if name in measured else 'not measured'}")
        elif name.endswith(".parquet"):
            try:
                released = _table(bundle, name)
            except DataError as error:
                found.append(str(error))
                continue
            both = released, again.read_table(measured[name])
            if name.startswith(f"{DATA}/"):  # the secret of the pseudonyms may differ
                both = with_row_hashes(both[0]), with_row_hashes(both[1])
            rows = both[0].to_pylist(), both[1].to_pylist()
            if next(json_differences(*rows), None) is not None or len(rows[0]) != len(rows[1]):
                found.append(f"{name} has different rows when measured again")
        elif name.startswith(f"{DATA}/"):
            continue  # compared through its JSON lines
        elif bundle.content(name) != again.content(measured[name]):
            found.append(f"{name} differs when measured again")
    return found


def differences_lines(differing: Sequence[str]) -> list[str]:
    """State that nothing differs, or list the differences, one per line."""
    if not differing:
        return ["nothing differs"]
    count = "1 thing differs" if len(differing) == 1 else f"{len(differing):,} things differ"
    return [f"{count}:", *(f"  {one}" for one in differing)]
