"""Stage that checks the systems that judge, separate from agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ....data.errors import DataError
from ....data.store.store import Store
from ....reports.results.judges import JudgeReport
from ....tasks.candidates.bars import Bars
from ....tasks.candidates.judge_report import with_verdicts
from ....tasks.candidates.judged_labels import read_confidence
from ....tasks.candidates.judges_of_run import JudgeAnalysis
from ....tasks.inputs.assessment_options import JudgeSettings
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.replacement.judge_checks import read_lengths
from ....tasks.replacement.judges_of_run import JudgeFacts
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.measure_keys import Judges
from ..task_settings import settings_of_tasks
from ..task_settings.layers_of_campaign import require_system
from .analyses import count_shards, summarise_layers
from .replacement import facts_of_judges

if TYPE_CHECKING:
    from ..run import Run


def check_judges(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec]
) -> list[JudgeReport]:
    """Return the check of the systems of each layer selected in [judges], with the verdicts.

    Raises ConfigError for an unknown layer or reference, for a panel of fewer than three, and for a
    bar on a value that is not computed.
    """
    declared = run.config.judges
    if declared is None:
        return []
    known = {
        one.name: one
        for one in layers
        if one.is_labels and one.systems and one.humans and not one.sets
    }
    require_system("judges.layers", declared.layers, known)
    options = settings_of_tasks.judge_settings(run.config, declared)
    not_assigned = settings_of_tasks.not_assigned(run.config)
    lengths, confidence = _numbers_of_items(run.config, declared)
    analyses = [
        JudgeAnalysis(
            known[name],
            _of_layer(options, known[name]),
            run.config.sampling,
            not_assigned,
            lengths,
            confidence,
        )
        for name in declared.layers or known
    ]
    if not analyses:
        return []
    counted = count_shards(
        run, "count labels of judges", analyses, shards, rows=lambda one: one.n_labels
    )
    store = Store(run.store_url)
    try:
        paths = summarise_layers(run, "check judges", analyses, counted)
        found = [JudgeReport.model_validate(store.read_json(path)) for path in paths]
        bars = Bars.of(run.request.campaign, declared.bars) if declared.bars else None
        facts = facts_of_judges(run.config)
        return [with_verdicts(_with_facts(one, facts), bars) for one in found]
    except DataError as error:
        raise ConfigError(f"judges: {error}") from None


def _with_facts(found: JudgeReport, facts: Mapping[str, JudgeFacts]) -> JudgeReport:
    """Add what the campaign file says of the systems; a panel has no facts."""
    systems = [
        one.model_copy(update=asdict(facts.get(one.system, JudgeFacts())))
        for one in found.replacement.systems
    ]
    replacement = found.replacement.model_copy(update={"systems": systems})
    return found.model_copy(update={"replacement": replacement})


def _numbers_of_items(
    config: Config, declared: Judges
) -> tuple[tuple[tuple[str, str, float], ...], tuple[tuple[str, str, str, float], ...]]:
    """Return the lengths and the stated confidence, as fields of `JudgeAnalysis`."""
    lengths = {} if declared.lengths is None else read_lengths(Path(declared.lengths))
    stated = {} if declared.confidence is None else read_confidence(Path(declared.confidence))
    return (
        tuple(sorted((*item, length) for item, length in lengths.items())),
        tuple(
            sorted(
                (config.shown_as(system), *item, value)
                for system, own in stated.items()
                for item, value in own.items()
            )
        ),
    )


def _of_layer(options: JudgeSettings, layer: LayerSpec) -> JudgeSettings:
    """Return the options without the earlier runs of systems that the layer does not have."""
    earlier = {
        system: before
        for system, before in options.earlier.items()
        if {system, before} <= {*layer.systems}
    }
    return replace(options, earlier=earlier)
