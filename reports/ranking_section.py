"""The ranking of systems as a section of the report of a run, with a drawing of strengths."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ..data.option_names import in_campaign_file
from .columns import Column, picture
from .figures import forest_row
from .figures.svg import Scale
from .judge_documents import page_blocks
from .language import REPORT, Code, Language
from .page.blocks import Prose, Section
from .ranking import MESSAGES, agreement_blocks, ranking_blocks
from .results.ranking import RankingReport, SystemRank


@in_campaign_file()
def ranking_sections(found: RankingReport | None, language: Code = "en") -> list[Section]:
    """Return the raters' agreement, if two compared the same, and the ranking; [] without one."""
    if found is None:
        return []
    say = Language(language, (*REPORT, *MESSAGES))
    made = page_blocks(say, ranking_blocks(say, found, _drawings(say, found.systems)))
    lead = Prose(say("ranking.wall"), "lead")
    inside = next(one.text for one in made if isinstance(one, Prose))
    ranking = Section("ranking", say("ranking.title"), [lead, *made], css="apart", inside=inside)
    if not found.agreement:
        return [ranking]
    agreement = Section(
        "agreement-on-preferences",
        say("ranking.agreement_title"),
        page_blocks(say, agreement_blocks(say, found)),
        lead=say("ranking.agreement_lead"),
        inside=f"{found.agreement[0].measure} {say.number(found.agreement[0].value)}",
        is_agreement=True,
    )
    return [agreement, ranking]


def _drawings(say: Language, systems: Sequence[SystemRank]) -> list[Column[SystemRank]]:
    """Return the strengths with their intervals, and the sets of ranks, as columns of pictures."""
    scale = forest_row.difference_scale(one.strength.interval for one in systems)
    places = {one.system: place for place, one in enumerate(systems, 1)}
    of_ranks = Scale(0.5, len(systems) + 0.5, forest_row.START, forest_row.END)

    def ranks(one: SystemRank) -> Markup:
        return forest_row.range_and_point(one.first, one.last, places[one.system], of_ranks)

    return [
        picture(
            say("ranking.strength"),
            forest_row.axis(scale, say),
            lambda one: forest_row.value_and_interval(one.strength, scale),
        ),
        picture(say("ranking.ranks"), forest_row.axis(of_ranks, say), ranks),
    ]
