"""The ranking of systems from the preferences of [ranking], separate from agreement."""

from __future__ import annotations

from pathlib import Path

from ....data.errors import DataError
from ....reports.ranking_section import ranking_sections
from ....reports.results.ranking import FILE, RankingReport
from ....reports.results.run import Gate
from ....tasks.ranking.gates import gates_on_ranking
from ....tasks.ranking.ranking_report import rank_preferences
from ...toml_file import ConfigError
from ..beside_results import BesideResults
from ..file.campaign_config import Config
from ..task_settings.settings_of_tasks import rank_options


def rank_of_campaign(config: Config) -> tuple[RankingReport | None, list[Gate]]:
    """Return the ranking and its gates, computed as `accordeur rank` does; None without [ranking].

    In a campaign with data to be kept private, raters have numbers in place of their names.

    Raises ConfigError for a table that cannot be ranked, and a bar on an unknown system.
    """
    declared = config.ranking
    if declared is None:
        return None, []
    try:
        found = rank_preferences(Path(declared.preferences), rank_options(config, declared))
        gates = gates_on_ranking(found, declared.bars)
    except DataError as error:
        raise ConfigError(f"ranking: {error}") from None
    hidden, shown = config.hides_annotators, config.shown_as
    without = [
        one.model_copy(update={"rater": f"rater {number}" if hidden else shown(one.rater)})
        for number, one in enumerate(found.without, 1)
    ]
    return found.model_copy(update={"without": without}), gates


def ranking_beside_results(config: Config) -> BesideResults:
    """Return what the report of a run shows of the ranking."""
    found, gates = rank_of_campaign(config)
    sections = ranking_sections(found, config.report.language)
    return BesideResults(gates, sections, {} if found is None else {FILE: found})
