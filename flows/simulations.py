"""Flow of simulations with a campaign's margins: κ, π, α, AC1 and S under other conditions.

`accordeur.flows.simulations.simulation` can be deployed directly: its parameters are plain values.
"""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from prefect import flow

from ..data.row_account import rejection_summary
from ..data.store.ownership import claim
from ..data.store.store import Store
from ..metrics.agreement.simulations.simulated_campaign import margins_of
from ..tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
from ..tasks.inputs.reading_options import Reading
from ..tasks.reporting.validation_summary import validation_of_export, validation_without_links
from ..tasks.simulation import (
    SimulationSource,
    margins_of_run,
    simulate_task,
    write_simulation_task,
)
from .campaign.earlier.history import earlier_runs, last_results
from .campaign.file.campaign_config import load_campaign
from .numbering import next_simulation
from .progress.flow_runs import campaign_tag, flow_run_name, tag_flow_run
from .toml_file import ConfigError


@flow(name="simulation", flow_run_name=flow_run_name, log_prints=False)
def simulation(
    experiment: Literal["prevalence", "categories"],
    campaign: str = "",
    layer: str = "",
    labels: str = "",
    store: str = "",
    trials: int = 500,
    seed: int = 0,
    columns: dict[str, str] | None = None,
    tagset: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Vary the prevalence or the number of categories, with constant annotator accuracy.

    Args:
        experiment: What varies: the `prevalence` of a category, or the number of `categories`.
        campaign: Path of a campaign file with a finished run, whose margins are used.
        layer: The layer of the campaign; optional if there is only one.
        labels: A table of labels instead of a campaign, with `store`.
        store: Store for the page; default: the campaign's own store.
        trials: Sampled campaigns of the same size at each point, for the bands.
        seed: Seed of the trials.
        columns: Column names of the table, if they are not the default ones.
        tagset: The table's categories, in the order of the scale.

    Returns the location of the page. Raises ConfigError, DataError and MetricsError.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    source, set_aside = simulation_source(
        campaign=campaign, layer=layer, labels=labels, store=store, columns=columns, tagset=tagset
    )
    curve = simulate_task(source.margins, experiment, trials=trials, seed=seed)
    to = Store(source.store)
    claim(to)
    tag_flow_run(f"simulation: {experiment}", *_campaign_tags(campaign))
    outcome: dict[str, Any] = write_simulation_task(
        source, experiment, curve, next_simulation(to), trials=trials, seed=seed,
        command=_command(
            experiment, campaign, layer, labels, store, trials, seed, columns or {}, tagset
        ),
        started=started,
    )  # fmt: skip
    return {**outcome, "set_aside": set_aside}


def _campaign_tags(campaign: str) -> list[str]:
    return [campaign_tag(load_campaign(Path(campaign)).campaign.name)] if campaign else []


def simulation_source(
    *,
    campaign: str,
    layer: str,
    labels: str,
    store: str,
    columns: dict[str, str] | None = None,
    tagset: tuple[str, ...] = (),
) -> tuple[SimulationSource, str]:
    """Return the selected margins, and a summary of a table's rejected rows.

    Raises ConfigError unless exactly one source is given, DataError if it has no margins.
    """
    if bool(campaign) == bool(labels):
        raise ConfigError("give either a campaign file (--campaign) or a table (--labels)")
    if campaign:
        config = load_campaign(Path(campaign))
        runs = Store(config.store.url)
        done = earlier_runs(runs)
        if not done:
            raise ConfigError(
                f"{campaign} has not been run: its margins are taken from the last run "
                f"(accordeur run {Path(campaign).name})"
            )
        results = last_results(runs, done)
        margins, observed, name = margins_of_run(results, layer)
        title = f"{config.campaign.name}: {name}"
        where = store or config.store.url
        validation = validation_without_links(results)
        return SimulationSource(
            title, where, margins, observed, config.report.language, validation
        ), ""
    if not store:
        raise ConfigError("a table has no store: give a folder or URL for the page with --to")
    if layer:
        raise ConfigError("--layer applies only with --campaign: a table has one layer")
    reading = Reading(options=columns or {}, categories=tagset)
    measured = MeasuredLabels(read_exported_labels(Path(labels), reading))
    margins, validation = margins_of(measured.matrix), validation_of_export(measured.account)
    source = SimulationSource(Path(labels).name, store, margins, validation=validation)
    return source, rejection_summary(measured.account.rejected)


def _command(
    experiment: str,
    campaign: str,
    layer: str,
    labels: str,
    store: str,
    trials: int,
    seed: int,
    columns: dict[str, str],
    tagset: tuple[str, ...],
) -> str:
    given = {
        "--campaign": Path(campaign).name if campaign else "",
        "--layer": layer,
        "--labels": Path(labels).name if labels else "",
        **{f"--{name}": own for name, own in columns.items() if name != "layout"},
        "--categories": ",".join(tagset),
        "--to": (store if "://" in store else Path(store).name) if labels else "",
        "--trials": str(trials),
        "--seed": str(seed),
    }
    options = [f"{key} {shlex.quote(value)}" for key, value in given.items() if value]
    wide = ["--wide"] if columns.get("layout") == "wide" else []
    return " ".join([f"accordeur simulate {experiment}", *options, *wide])
