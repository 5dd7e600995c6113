"""`accordeur document`: the page of one document of the last run, written on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .terminal import print_line


def document(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML), run at least once.")],
    name: Annotated[str, typer.Argument(help="Name of the document, as in the report.")],
    layer: Annotated[str | None, typer.Option(help="Only this layer of units.")] = None,
) -> None:
    """Write the page of one document, beside the last report."""
    from ...data.store.store import open_store
    from ...reports.render import render_document
    from ...reports.results import Results
    from ...tasks.reporting.document_pages import alignments_of, page_address
    from ..campaign.adjudication.adjudicate import last_run
    from ..campaign.earlier.history import earlier_runs, last_results
    from ..campaign.file.campaign_config import load_campaign
    from ..errors import UserError

    config = load_campaign(campaign)
    store = open_store(config.store.url, campaign)
    run = last_run(store)
    reports = earlier_runs(store)
    if not reports:
        raise UserError(f"{campaign}: has no report yet; run the campaign first (accordeur run)")
    place = reports[max(reports)]
    found = alignments_of(store, run.keys, run.layers, run.dissimilarities, name)
    if layer is not None and layer not in found:
        raise UserError(f"--layer {layer}: document {name!r} is in {', '.join(found)}")
    results = Results.model_validate(last_results(store, reports))
    for agreement in results.units:
        if agreement.layer not in found or layer not in (None, agreement.layer):
            continue
        shown = agreement.model_copy(update={"alignments": [found[agreement.layer]]})
        html = render_document(
            results.model_copy(update={"units": [shown]}),
            agreement.layer,
            name,
            language=config.report.language,
        )
        address = f"{place.rpartition('/')[0]}/{page_address(agreement.layer, name)}"
        store.write_bytes(address, html.encode())
        print_line(f"page: {store.location(address)}")
