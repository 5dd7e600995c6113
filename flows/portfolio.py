"""The index of campaigns: read from their stores, written as pages, JSON and a Parquet table."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit

import pyarrow as pa
from pydantic import ValidationError

from ..data.errors import DataError
from ..data.store.hashes import settings_hash
from ..data.store.store import Store
from ..metrics.signature import VERSION
from ..reports.language import Code
from ..reports.portfolio.index import INDEX_PAGE, render_campaign, render_index
from ..reports.portfolio.portfolio_results import Index, IndexedCampaign, IndexedRun
from ..reports.results import Results, RunPoint
from ..reports.views.verdict import overall_outcome
from ..tasks.reporting.reported_values import layers_of
from .campaign.earlier.finished_runs import finished_run
from .campaign.earlier.history import earlier_runs
from .campaign.file.campaign_config import load_campaign

INDEX_JSON = "index.json"
MOST_RUNS = 50  # last runs of each campaign
_RUN = re.compile(r"^(?:(.*)/)?reports/run-\d+/results\.json$")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("campaign", "store")),
        ("run", pa.int64()),
        *((name, pa.string()) for name in ("started", "outcome", "guideline", "layer", "measure")),
        *((name, pa.float64()) for name in ("value", "lower", "upper", "level")),
        ("report", pa.string()),
    ]
)


def build_index(places: Sequence[str], to: Store) -> Index:
    """Return an index of all campaigns at these places, with addresses relative to `to`.

    places  stores, folders or URLs with stores below them, campaign files

    Raises DataError if a place has no finished run.
    """
    found: dict[str, IndexedCampaign] = {}
    for place in places:
        stores = list(stores_below(place))
        campaigns = [indexed_campaign(store, to) for store in stores]
        if not stores:
            raise DataError(f"{place}: no finished run below it (accordeur run)")
        found |= {one.store: one for one in campaigns}
    return Index(version=VERSION, campaigns=sorted(found.values(), key=lambda one: one.name))


def stores_below(place: str) -> Iterator[Store]:
    """Yield the store at the place or of its campaign file; else every store below it."""
    store = Store(load_campaign(Path(place)).store.url if place.endswith(".toml") else place)
    if earlier_runs(store):
        yield store
        return
    url, mark, query = store.url.partition("?")
    found = {match[1] for path in store.list("") if (match := _RUN.match(path))}
    for folder in sorted(one for one in found if one):
        yield Store(f"{url.rstrip('/')}/{folder}{mark}{query}")


def indexed_campaign(store: Store, to: Store) -> IndexedCampaign:
    """Return the campaign of a store with finished runs. Raises DataError if none is readable."""
    numbers = earlier_runs(store)
    runs, last = [], None
    for number in sorted(numbers)[-MOST_RUNS:]:
        folder = numbers[number].rpartition("/")[0]
        try:
            last = finished_run(store, folder, number).results
        except DataError:  # damaged, or of another version: only number and report are shown
            runs.append(IndexedRun(number=number, report=_report_address(store, folder, to)))
            continue
        runs.append(
            IndexedRun(
                number=number,
                started=last.run.started,
                outcome=overall_outcome(last.gates),
                guideline=last.campaign.guideline,
                values=list(_main_values(number, last)),
                report=_report_address(store, folder, to),
            )
        )
    if last is None:
        raise DataError(
            f"{store.url}: no run in this store can be read by this version; run the campaign "
            "again (accordeur run)"
        )
    findings = [one for part in layers_of(last) for one in part.findings]
    return IndexedCampaign(
        name=last.campaign.name,
        store=store.url,
        page=_page_name(last.campaign.name, store),
        outcome=overall_outcome(last.gates),
        description=last.campaign.description,
        guideline=last.campaign.guideline,
        gates=last.gates,
        actions=last.actions,
        finding=findings[0] if findings else None,
        alerts=last.alerts,
        notes=last.campaign.notes,
        batches=last.batches,
        runs=runs,
    )


def _main_values(number: int, results: Results) -> Iterator[RunPoint]:
    """Yield the first value of each layer; for relations, α of their categories."""
    found = [(part.layer, part.values[0]) for part in layers_of(results) if part.values]
    for relations in results.relations:
        found += [
            (relations.layer, one.value) for one in relations.values if one.name == "category"
        ]
    for layer, value in found:
        yield RunPoint(
            run=f"run {number}",
            measure=value.measure,
            layer=layer,
            value=value.value,
            interval=value.interval,
            level=value.confidence_level,
            started=results.run.started,
            guideline=results.campaign.guideline,
        )


def _page_name(campaign: str, store: Store) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", campaign.lower()).strip("-")[:40] or "campaign"
    return f"{plain}-{settings_hash(store.url)[:8]}.html"


def _report_address(store: Store, folder: str, to: Store) -> str:
    """Return the report's address, relative to the index if possible; "" if there is none."""
    path = f"{folder}/report.html"
    if not store.exists(path):
        return ""
    if store.is_local and to.is_local:
        return quote(Path(os.path.relpath(store.local_path(path), to.local_path(""))).as_posix())
    report, index = urlsplit(store.location(path)), urlsplit(to.location(""))
    if not store.is_local and report[:2] == index[:2]:
        return quote(posixpath.relpath(report.path, index.path or "/"))
    return store.location(path)


def write_index(index: Index, to: Store, language: Code = "en") -> str:
    """Write the pages, `index.json` and `index.parquet`; return the location of the main page.

    Raises DataError if the main page exists and is not that of an index.
    """
    if to.exists(INDEX_PAGE) and b'"campaigns"' not in (to.content(INDEX_JSON) or b""):
        raise DataError(
            f"{to.location(INDEX_PAGE)} exists already and is not an index of campaigns: give "
            "another folder"
        )
    for campaign in index.campaigns:
        html = render_campaign(campaign, index.version, language=language)
        to.write_bytes(campaign.page, html.encode())
    to.write_bytes(INDEX_PAGE, render_index(index, language=language).encode())
    to.write_bytes(INDEX_JSON, index.model_dump_json(indent=1).encode())
    to.write_table("index.parquet", _runs_table(index))
    return to.location(INDEX_PAGE)


def refresh_index(store: Store, to: Store, language: Code = "en") -> str:
    """Add or update the campaign of a store in the index; other campaigns are unchanged."""
    own = indexed_campaign(store, to)
    try:
        before = Index.model_validate_json(to.content(INDEX_JSON) or b"").campaigns
    except ValidationError:  # missing, or of another version
        before = []
    campaigns = [one for one in before if one.store != own.store]
    campaigns = sorted([*campaigns, own], key=lambda one: one.name)
    return write_index(Index(version=VERSION, campaigns=campaigns), to, language)


def _runs_table(index: Index) -> pa.Table:
    """Return one row for each main value of each run."""
    rows = [
        {
            "campaign": campaign.name,
            "store": campaign.store,
            "run": run.number,
            **run.model_dump(include={"started", "outcome", "guideline", "report"}),
            **one.model_dump(include={"layer", "measure", "value", "level"}),
            "lower": one.interval[0],
            "upper": one.interval[1],
        }
        for campaign in index.campaigns
        for run in campaign.runs
        for one in run.values
    ]
    return pa.Table.from_pylist(rows, schema=_SCHEMA)
