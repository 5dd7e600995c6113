"""Reading grid of a campaign: degraded synthetic documents like its own, and readings.

The cells are cells of a study (`tasks.study.trials`): each trial has its own seed and each batch
its own file in the store, so that an interrupted run can be resumed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from prefect import task

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.chance.corpus import continua_of_corpus
from ...metrics.resampling.grids.perfect_campaign import perfect_campaign_of
from ...metrics.resampling.grids.reading_grid import ReadingCurve, curve_of_values, read_value
from ...metrics.signature import signature_line
from ...reports import results as page
from ..layer_results import read_results, write_results
from ..layers import LayerSpec
from ..node import Node, Outcome
from ..options import GridSettings
from ..units.alignment import DissimilaritySpec
from ..units.chance import read_gathered_corpus
from .study_cells import CellSpec, build_cell, cell_place, read_inputs, write_inputs
from .trials import TrialJob, read_rows, stored_trial_numbers

_MODEL_DOCUMENTS = 200  # at most; a standard campaign takes sizes and categories from them
_FEW_DOCUMENTS = 16


@dataclass(frozen=True, slots=True)
class PlannedGrid:
    """Cells of a layer's grid and the places of their rows; `jobs` are still to be run."""

    place: str
    root: str
    specs: tuple[CellSpec, ...]
    places: tuple[str, ...]
    jobs: tuple[TrialJob, ...]


@dataclass(frozen=True, slots=True)
class GridReadings:
    """The curves of a layer's grid, and the readings of its values."""

    layer: LayerSpec
    planned: PlannedGrid
    settings: GridSettings


def plan_grid(
    store_url: str,
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: GridSettings,
    *,
    fresh: bool = False,
) -> PlannedGrid | None:
    """Plan cells for documents of the layer's own sizes and density; None if it has no unit.

    A trial has the number of documents of the campaign (`documents` of the options at most) and the
    most common number of annotators (`annotators` at most); in a standard campaign
    (`settings.units`), as many documents as contain that many units, drawn from the first
    documents (`documents_of_model`).
    """
    store, grid = Store(store_url), settings.grid
    corpus = read_gathered_corpus(store_url, corpus_place, layer)
    if corpus is None or not corpus.n_units:
        return None
    n_annotators = int(np.bincount(corpus.annotators_per_document).argmax())
    if n_annotators < 2:
        return None
    n_documents = min(corpus.n_documents, grid.documents)
    if settings.units is None:
        model = perfect_campaign_of(continua_of_corpus(corpus))
    else:
        first = range(documents_of_model(corpus.n_documents))
        model = perfect_campaign_of([continua_of_corpus(corpus.document(d))[0] for d in first])
        model = model.with_units(min(model.n_units, settings.units))
        n_documents = math.ceil(settings.units / model.n_units)
    place = write_inputs(store, model)
    inputs = read_inputs(store_url, place)
    n_annotators = min(n_annotators, grid.annotators)
    processes = tuple(
        one for one in settings.processes if one != "random2" or n_documents >= n_annotators
    )  # random2 takes each annotator from another document
    common = (
        ("n_documents", n_documents),
        ("n_annotators", n_annotators),
        ("n_perfect", grid.n_perfect),
        ("dissimilarity", dissimilarity),
        ("layer", layer),
        ("processes", processes or None),
    )
    specs = tuple(
        CellSpec(
            "reading_grid",
            f"{measure} {degradation}={magnitude:g}",
            (("measure", measure), ("degradation", degradation), ("magnitude", magnitude), *common),
        )
        for measure in grid.measures
        for degradation in grid.degradations
        if degradation != "category" or len(layer.tagset) > 1
        for magnitude in (grid.shifts if degradation == "shift" else grid.magnitudes)
    )
    root = f"reading grid of {layer.name}#{settings.seed}"
    places = tuple(cell_place(build_cell(spec, inputs), root) for spec in specs)
    jobs = []
    for spec, folder in zip(specs, places, strict=True):
        if fresh:
            store.delete_folder(folder)
        kept = stored_trial_numbers(store, folder).size  # contiguous from trial 0
        if kept < settings.grid.trials:
            jobs.append(TrialJob(spec, folder, kept, settings.grid.trials - kept))
    return PlannedGrid(place, root, specs, places, tuple(jobs))


def documents_of_model(n: int) -> int:
    """Return from how many of n documents, the first ones, a standard campaign takes its units.

    It is a power of two, so that the grid of a campaign that grows week by week is kept until the
    campaign has doubled; all of few documents, and `_MODEL_DOCUMENTS` at most.

    >>> [documents_of_model(n) for n in (5, 15, 30, 45, 60, 75, 150, 200, 900)]
    [5, 15, 16, 32, 32, 64, 128, 200, 200]
    """
    if n < _FEW_DOCUMENTS or n >= _MODEL_DOCUMENTS:
        return min(n, _MODEL_DOCUMENTS)
    return 1 << (n.bit_length() - 1)


plan_grid_task = task(name="plan reading grid")(plan_grid)


def grid_node(
    layer: LayerSpec, planned: PlannedGrid, summary: Outcome, settings: GridSettings
) -> Node:
    """Return the node of the curves, and of the readings of the values in the layer's summary."""
    readings = GridReadings(layer, replace(planned, jobs=()), settings)
    return Node(Folder.SUMMARISED, [summary, *planned.places], readings, _summarise_grid)


def _summarise_grid(
    store: Store, place: str, readings: GridReadings, inputs: Sequence[Any]
) -> None:
    layer, planned, settings = readings.layer, readings.planned, readings.settings
    [of_layer] = read_results(store, inputs[0].fields).units
    values = {one.measure: one.value for one in of_layer.values}
    cells = list(zip(planned.specs, planned.places, strict=True))
    grids = []
    for (measure, degradation), group in groupby(
        cells, key=lambda one: (one[0]["measure"], one[0]["degradation"])
    ):
        of_curve = list(group)
        rows = [read_rows(store, folder, settings.grid.trials)["value"] for _, folder in of_curve]
        curve = curve_of_values(
            degradation,
            [spec["magnitude"] for spec, _ in of_curve],
            np.stack(rows).astype(np.float64),
        )
        own = values.get(measure)
        line = signature_line(
            measure,
            grid=degradation,
            documents=of_curve[0][0]["n_documents"],
            annotators=of_curve[0][0]["n_annotators"],
            perfect=settings.grid.n_perfect,
            trials=settings.grid.trials,
            seed=settings.seed,
            input=planned.place.rpartition("/")[2],
        )
        grid = _grid(layer, measure, curve, float("nan") if own is None else own, line)
        grids.append(grid.model_copy(update={"n_units": settings.units or 0}))
    write_results(store, place, page.LayerResults(grids=grids))


def _grid(
    layer: LayerSpec, measure: str, curve: ReadingCurve, own: float, line: str
) -> page.GridCurve:
    return page.GridCurve(
        layer=layer.name,
        measure=measure,
        degradation=curve.degradation,
        magnitudes=curve.magnitudes.tolist(),
        means=curve.mean.tolist(),
        intervals=[(low, high) for low, high in curve.band.tolist()],
        mean_intervals=[(low, high) for low, high in curve.interval.tolist()],
        trials=int(curve.n.max()),
        n_undefined=int(curve.n_undefined.sum()),
        reading=page.GridReading.from_measured(read_value(curve, own)),
        signature=line,
    )
