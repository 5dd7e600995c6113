"""Lookup of finished runs, by the folder of a run, or by campaign file and run number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import ValidationError

from ....data.errors import DataError
from ....data.renamed_words import NO_RUNS
from ....data.store.file_systems import split_place
from ....data.store.manifest import read_if_intact
from ....data.store.store import Store, open_store
from ....reports.language import Code
from ....reports.results import Results
from ....reports.results.annotators import AnnotatorCards
from ....reports.results.circumstances import FILE as CIRCUMSTANCES
from ....reports.results.circumstances import Circumstances, with_circumstances
from ....tasks.annotators.annotator_cards import LayerCards
from ....tasks.references.disagreement_cases import documents_with_places
from ....tasks.run_comparison.runs import RunToCompare
from ...toml_file import ConfigError
from ..adjudication.adjudicate import last_run
from ..file.campaign_config import Config, load_campaign
from .history import earlier_runs, read_results_at, require_same_names


def runs_named(given: Sequence[str]) -> tuple[tuple[RunToCompare, RunToCompare], Code]:
    """Return the two runs named in the arguments of `accordeur compare`, and the report language.

    Raises ConfigError and DataError.
    """
    if given[0].endswith(".toml"):
        return _two_runs_of_campaign(Path(given[0]), given[1:])
    if len(given) != 2:
        raise ConfigError(
            "give two folders of runs (STORE/reports/run-0001 STORE/reports/run-0002), or a "
            "campaign file with the numbers of two of its runs"
        )
    first, second = (_run_in_folder(one) for one in given)
    return (first, second), "en"


def _two_runs_of_campaign(
    campaign: Path, numbers: Sequence[str]
) -> tuple[tuple[RunToCompare, RunToCompare], Code]:
    config = load_campaign(campaign)
    store = open_store(config.store.url, campaign)
    done = earlier_runs(store)
    if len(done) < 2:
        raise DataError(
            f"the store {store.url} holds {len(done) or 'no'} finished run"
            f"{'s' if not done else ''}: two are needed (accordeur run)"
        )
    if len(numbers) not in (0, 2):
        raise ConfigError(f"{campaign}: give the numbers of two runs, or none for the last two")
    chosen = [_parse_run_number(one, done) for one in numbers] if numbers else sorted(done)[-2:]
    first, second = (
        finished_run(store, done[number].rpartition("/")[0], number) for number in chosen
    )
    return (first, second), config.report.language


def _parse_run_number(text: str, done: dict[int, str]) -> int:
    number = int(text) if text.isdecimal() else -1
    if number not in done:
        known = sorted(done)
        shown = ", ".join(map(str, known[-10:]))
        raise ConfigError(
            f"no finished run {text}; the finished runs are {shown} (at most the "
            "last ten are listed)"
        )
    return number


def _run_in_folder(place: str) -> RunToCompare:
    """Return a run by its folder, or by a file in it, even if it was moved out of its store."""
    root, name = split_place(place)
    if name.endswith((".json", ".html")):
        root, name = split_place(root)
    of_store, reports = split_place(root)
    number = name.removeprefix("run-")
    if reports == "reports" and name != number and number.isdecimal():
        return finished_run(Store(of_store), f"{reports}/{name}", int(number))
    store = Store(root)
    if not store.exists(f"{name}/results.json"):
        raise DataError(
            f"{place}: holds no results.json; give the folder of a finished run; {NO_RUNS}"
        )
    return finished_run(store, name, 0)


def finished_run(store: Store, folder: str, number: int) -> RunToCompare:
    """Return the run whose report is in the folder; number 0 for a run outside a store.

    Raises DataError if its results are missing, damaged or of another version.
    """
    name = f"run {number}" if number else folder
    try:
        results = Results.model_validate(
            read_results_at(store, f"{folder}/results.json", is_listed=bool(number))
        )
        content = (
            read_if_intact(store, folder, CIRCUMSTANCES)
            if number
            else store.content(f"{folder}/{CIRCUMSTANCES}")
        )
        if content is not None:
            circumstances = Circumstances.model_validate_json(content)
            results = with_circumstances(results, circumstances)
    except ValidationError as error:
        where = store.location(folder)
        raise DataError(f"{where}: is not a run of this version of Accordeur ({error})") from None
    return RunToCompare(name, store, folder, results, number)


def cards_of_last_run(
    path: Path, layer: str | None, *, places_of: Collection[str] | None = None
) -> tuple[AnnotatorCards, Config]:
    """Return the cards of a layer, which may be left out if there is only one, and the campaign.

    Raises DataError for a campaign that was not run or has other pseudonyms since, and for a layer
    that its last run has not.
    """
    config = load_campaign(path)
    store = open_store(config.store.url, path)
    run = last_run(store)
    require_same_names(store, config.names_in_exports)
    layers = {one.name: one for one in run.layers}
    name = layer if layer is not None or len(layers) != 1 else next(iter(layers))
    if name not in layers:
        raise DataError(
            f"--layer: {'which layer?' if name is None else f'no layer {name!r};'} the last run of "
            f"{path.name} has {', '.join(layers) or 'none with categories'}"
        )
    spec = layers[name]
    if len(spec.humans) < 2:
        raise DataError(
            f"{path.name}: cards compare annotators with each other, and layer {name!r} has "
            f"{len(spec.humans)} annotators: accept more in [annotators]"
        )
    cards = LayerCards(store, run.keys, spec, config.sampling, places_of)
    if spec.is_labels:
        return cards.of_labels(), config
    aligned = documents_with_places(store, run.keys, spec, run.dissimilarities[name])
    return cards.of_units(aligned), config
