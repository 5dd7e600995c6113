"""Stage that checks the systems that judge, separate from agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from ....data.errors import DataError
from ....data.store.store import Store
from ....reports.judge_documents import judge_sections, verdict_lines
from ....reports.results.judges import FILE, JudgeReport, JudgeReports
from ....tasks.candidates.bars import Bars, gates_on_judges, gates_without_judges
from ....tasks.candidates.judge_report import with_verdicts
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.replacement.judges_of_run import JudgeFacts
from ...toml_file import ConfigError
from ..beside_results import BesideResults
from ..run import Run
from ..task_settings.judges_of_campaign import judge_analyses
from .analyses import count_shards, summarise_layers
from .replacement import facts_of_judges


def check_judges(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec]
) -> BesideResults:
    """Return the check of the systems of each layer selected in [judges], with the verdicts.

    Raises ConfigError as `judge_analyses` does, and for a bar on a value that is not computed.
    """
    analyses = judge_analyses(run.config, layers)
    stated = run.config.judges.bars if run.config.judges else ()
    if not analyses:
        return BesideResults(gates_without_judges(stated))
    counted = count_shards(
        run, "count labels of judges", analyses, shards, rows=lambda one: one.n_labels
    )
    store = Store(run.store_url)
    try:
        paths = summarise_layers(run, "check judges", analyses, counted)
        found = [JudgeReport.model_validate(store.read_json(path)) for path in paths]
        bars = Bars.of(run.request.campaign, stated) if stated else None
        facts = facts_of_judges(run.config)
        found = [with_verdicts(_with_facts(one, facts), bars) for one in found]
    except DataError as error:
        raise ConfigError(f"judges: {error}") from None
    return BesideResults(
        gates_on_judges(found),
        judge_sections(found, run.config.report.language),
        {FILE: JudgeReports(candidates=found)},
        verdict_lines(found),
    )


def _with_facts(found: JudgeReport, facts: Mapping[str, JudgeFacts]) -> JudgeReport:
    """Add what the campaign file says of the systems; a panel has no facts."""
    systems = [
        one.model_copy(update=asdict(facts.get(one.system, JudgeFacts())))
        for one in found.replacement.systems
    ]
    replacement = found.replacement.model_copy(update={"systems": systems})
    return found.model_copy(update={"replacement": replacement})
