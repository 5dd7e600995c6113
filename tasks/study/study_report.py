"""Report of a study from its stored rows: page, results document and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import pyarrow as pa
from prefect import task

from ...data.store.store import Store
from ...metrics.measures import MEASURES
from ...metrics.plugins import plugin_versions
from ...metrics.resampling.reference_stability import MODEL_SOURCES
from ...metrics.resampling.study import Cell, Rows
from ...metrics.signature import VERSION
from ...reports import results as page
from ...reports.language import Code
from ...reports.render import render_study
from ...reports.study.questions import MANY_CELLS, cell_file, of_one_cell, three_curves
from ...reports.study.study_results import StudyCurve, StudyPart, StudyResults
from .curves import grid_part, model_part, subsets_part, synthetic_part
from .looks import Looks
from .questions import CellTrials, questions_of_study
from .study_cells import CellSpec, build_cell, read_inputs
from .trials import read_rows, table_from_rows

_METHODS = {
    "subsets": ("bregeon2018",),
    "synthetic": ("bregeon2018",),
    "reading_grid": ("mathet2011",),
}
_PACKAGES = ("prefect", "dask", "distributed", "numpy", "numba", "pyarrow", "scipy")


POINTS: dict[str, tuple[pa.DataType, str]] = {
    "part": (pa.string(), "settings that distinguish this part of the study"),
    "curve": (pa.string(), "name of the curve"),
    "x_name": (pa.string(), "quantity on the horizontal axis"),
    "y_name": (pa.string(), "measure on the vertical axis"),
    "spread": (pa.string(), "what `low` and `high` are a range of"),
    "k": (pa.int64(), "number of annotators of the subsets, of curves over a coefficient"),
    "n": (pa.int64(), "number of trials, subsets or samples of the point"),
    "x": (pa.float64(), "place of the point"),
    "y": (pa.float64(), "mean over the trials, or the exact value"),
    "low": (pa.float64(), "lower end of the range named by `spread`"),
    "high": (pa.float64(), "upper end of this range"),
    "sd": (pa.float64(), "standard deviation of the trials"),
    "mean_low": (pa.float64(), "lower end of the 95% confidence interval of the mean"),
    "mean_high": (pa.float64(), "upper end of this interval"),
    "all_low": (pa.float64(), "lower end of the 95% band of the means for all k together"),
    "all_high": (pa.float64(), "upper end of this band"),
}


@dataclass(frozen=True, slots=True)
class StudyReportSpec:
    """Contents of the page besides the study's rows, as plain values.

    units       [units] with its defaults, of a reading grid of synthetic documents
    looks       when cells stop; None: all have `trials` trials
    trials_of   trials of the cells that stopped, by name
    imprecise   the cells that did not reach the precision, by name
    """

    name: str
    kind: str
    description: str
    trials: int
    seed: int
    root: str
    command: str
    config_hash: str
    file: str = ""  # text of the study file
    language: Code = "en"
    observed: Mapping[str, float] = field(default_factory=dict)
    validation: page.Validation | None = None
    units: Mapping[str, Any] = field(default_factory=dict)
    looks: Looks | None = None
    trials_of: Mapping[str, int] = field(default_factory=dict)
    imprecise: tuple[str, ...] = ()


def write_study_report(
    store_url: str,
    inputs: str,
    cell_specs: Sequence[CellSpec],
    places: Mapping[str, str],
    report_spec: StudyReportSpec,
    started: str,
    stages: Sequence[Mapping[str, Any]],
    folder: str,
) -> dict[str, Any]:
    """Write `study.html`, `results.json`, `points.parquet` and, if not subsets, `trials.parquet`.

    Returns the location of the page.
    """
    store = Store(store_url)
    known = read_inputs(store_url, inputs)
    cells = {one.name: build_cell(one, known) for one in cell_specs}
    trials, looks = report_spec.trials, report_spec.looks or Looks.of(0.0, report_spec.trials)
    rows = {
        one.name: read_rows(store, places[one.name], report_spec.trials_of.get(one.name, trials))
        for one in cell_specs
    }
    parts, synthetic = _parts_of_study(cell_specs, cells, rows, report_spec, looks.level)
    results = StudyResults(
        name=report_spec.name,
        kind=report_spec.kind,
        description=report_spec.description,
        file=report_spec.file,
        trials=report_spec.trials,
        seed=report_spec.seed,
        run=page.Run(
            version=VERSION,
            input_hash=inputs.rpartition("/")[2],
            config_hash=report_spec.config_hash,
            seed=report_spec.seed,
            command=report_spec.command,
            started=started,
            versions={name: version(name) for name in _PACKAGES} | plugin_versions(),
            stages=[page.Stage(**stage) for stage in stages],
        ),
        observed=dict(report_spec.observed),
        parts=parts,
        questions=questions_of_study(parts, synthetic, report_spec.observed),
        precision=looks.precision or math.nan,
        looks=list(looks.counts) if looks.precision else [],
        units=dict(report_spec.units),
        validation=report_spec.validation,
    )
    if report_spec.kind != "subsets":  # whose rows are sums over thousands of subsets, not trials
        store.write_table(f"{folder}/trials.parquet", trials_table(rows))
    return write_study(store, results, folder, "study", report_spec.language)


write_study_report_task = task(name="study report")(write_study_report)


def write_study(
    store: Store, results: StudyResults, folder: str, name: str, language: Code
) -> dict[str, Any]:
    """Write the page `NAME.html`, `results.json` and `points.parquet`; return their location."""
    html = render_study(results, language=language)
    report = store.write_bytes(f"{folder}/{name}.html", html.encode())
    store.write_table(f"{folder}/points.parquet", points_table(results))
    if len(results.parts) > MANY_CELLS:
        for number in range(1, len(results.parts) + 1):
            own = render_study(of_one_cell(results, number), language=language)
            store.write_bytes(f"{folder}/{cell_file(number)}", own.encode())
        results = _without_middle_ks(results)
    store.write_json(f"{folder}/results.json", results.model_dump(mode="json"))
    return {"folder": folder, "report": store.location(report)}


def _without_middle_ks(results: StudyResults) -> StudyResults:
    """Keep the first, middle and last k over a coefficient, as pages do; points have all."""
    parts = []
    for part in results.parts:
        of_axis: dict[str, list[StudyCurve]] = {}
        for curve in part.curves:
            of_axis.setdefault(f"{curve.name} {curve.x_name}", []).append(curve)
        curves = [one for own in of_axis.values() for one in three_curves(own)]
        parts.append(part.model_copy(update={"curves": curves}))
    return results.model_copy(update={"parts": parts})


def points_table(results: StudyResults) -> pa.Table:
    """Return every point of every curve as one row."""
    rows = [
        {
            "part": part.label,
            "curve": curve.name,
            "x_name": curve.x_name or curve.x,
            "y_name": curve.y,
            "k": curve.k or None,
            "spread": curve.spread,
            **point.model_dump(),
        }
        for part in results.parts
        for curve in part.curves
        for point in curve.points
    ]
    schema = pa.schema(
        pa.field(name, kind, metadata={"description": text})
        for name, (kind, text) in POINTS.items()
    )
    return pa.Table.from_pylist(rows, schema=schema)


def trials_table(rows: Mapping[str, Rows]) -> pa.Table:
    """Return every trial of every cell, with the cell in the first column."""
    tables = [
        table_from_rows(of_cell).add_column(0, "cell", pa.array([name] * of_cell["trial"].size))
        for name, of_cell in rows.items()
    ]
    return pa.concat_tables(tables, promote_options="default")


def _parts_of_study(
    specs: Sequence[CellSpec],
    cells: Mapping[str, Cell],
    rows: Mapping[str, Rows],
    report_spec: StudyReportSpec,
    mean_level: float,
) -> tuple[list[StudyPart], list[CellTrials]]:
    """Return one part per cell; in a reading grid, one for all magnitudes of a degradation.

    Of synthetic cells, their trials too.
    """
    observed = report_spec.observed
    groups: dict[tuple[Any, ...], list[CellSpec]] = {}
    for spec in specs:
        kept = tuple(pair for pair in spec.options if pair[0] != "magnitude")
        groups.setdefault(kept, []).append(spec)
    apart = _differing_options([group[0] for group in groups.values()])
    parts, synthetic = [], list[CellTrials]()
    for differing, group in zip(apart, groups.values(), strict=True):
        first = group[0]
        settings = dict(cells[first.name].settings)
        match first.kind:
            case "reading_grid":
                settings.pop("magnitude")
                made = grid_part(group, rows, observed, mean_level=mean_level)
            case "subsets":
                made = subsets_part(cells[first.name], rows[first.name])
            case "reference_models":
                made = model_part(cells[first.name], rows[first.name], mean_level=mean_level)
            case _:
                synthetic.append(CellTrials(rows[first.name], first.drawn))
                made = synthetic_part(
                    rows[first.name], first["coefficients"], observed, mean_level=mean_level
                )
        n_trials = sum(int(rows[spec.name]["trial"].size) for spec in group)
        line = "|".join(f"{key}:{value}" for key, value in settings.items() if key != "kind")
        parts.append(
            StudyPart(
                label=", ".join(_setting_words(key, value) for key, value in differing.items()),
                apart=differing,
                settings=settings,
                n_trials=n_trials,
                n_imprecise=sum(spec.name in report_spec.imprecise for spec in group),
                signature=f"{first.kind}|{line}|study:{report_spec.root}|version:{VERSION}",
                sources=_sources(first, made["curves"]),
                **made,
            )
        )
    return parts, synthetic


def _sources(spec: CellSpec, curves: Sequence[StudyCurve]) -> list[str]:
    """Return keys of references.bib: the method, the reference model, the measures."""
    model = str(dict(spec.options).get("model", ""))
    found = [*_METHODS.get(spec.kind, ()), *MODEL_SOURCES.get(model, ())]
    for name in (name for curve in curves for name in (curve.y, curve.x_name) if name in MEASURES):
        found += MEASURES[name].sources
    return list(dict.fromkeys(found))


def _differing_options(specs: Sequence[CellSpec]) -> list[dict[str, str]]:
    """Return for each cell the options in which the cells differ, as text; "" for an unset one."""
    varying = [
        key for key, _ in specs[0].options if len({str(dict(s.options)[key]) for s in specs}) > 1
    ]
    return [{key: _option_text(key, dict(s.options)[key]) for key in varying} for s in specs]


def _option_text(key: str, value: Any) -> str:
    if value is None:
        return ""
    if key == "merged":
        return ", ".join(dict.fromkeys(new for _, new in value))
    if isinstance(value, tuple):
        return "–".join(f"{one:g}" for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _setting_words(key: str, value: str) -> str:
    """Describe a setting in English for readers of the files: `ties random`, `gamma`."""
    if key == "merged":
        return f"merged into {value}" if value else "as labelled"
    if key in ("measure", "degradation", "model"):
        return value.replace("_", " ")
    shown = value or ("as found" if key == "unanimous" else "whole range")
    return f"{key} {shown}".replace("_", " ")
