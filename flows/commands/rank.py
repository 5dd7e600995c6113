"""`accordeur rank`: order systems by pairwise preferences, with intervals and sets of ranks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tasks.ranking.ranking_options import RankOptions
from .terminal import print_json, terminal
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...reports.results.ranking import RankingReport


def rank(
    preferences: Annotated[
        Path,
        typer.Argument(
            help="Table with item, rater, left, right, outcome; or item, rater, system and a score "
            "(`--score`)."
        ),
    ],
    *,
    options: RankOptions,
    json_: JsonOrTables = False,
) -> None:
    """Which system is preferred? Strengths, pairs and ranks, for other items and other raters.

    Bradley and Terry's model with ties. Raters have tastes: the intervals are clustered by item and
    by rater.
    """
    from ...tasks.ranking.ranking_report import rank_preferences

    found = rank_preferences(preferences, options)
    if json_:
        print_json(found.model_dump(mode="json"))
    else:
        print_ranking(found)


def print_ranking(found: RankingReport) -> None:
    from ...reports.language import Language
    from ...reports.ranking import MESSAGES, blocks
    from .printing.tables import print_blocks

    console = terminal()
    print_blocks(console, blocks(Language("en", MESSAGES), found))
