"""`accordeur annotators`: a card for each annotator, and a table of all for the lead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import DataError
from ...reports.language import Code
from ...tasks.inputs.reading_options import Columns, Reading
from ...tasks.inputs.unit_options import CardOptions
from .terminal import print_json, print_line, terminal
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...reports.language import Language
    from ...reports.results.annotators import AnnotatorCards

MOST_PAGES = 100  # that are written without a request


def annotators(
    annotations: Annotated[
        list[Path],
        typer.Argument(
            help="Campaign file (TOML), run at least once; or a table with item, annotator, label "
            "[, document], or any export of labels or units."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: CardOptions,
    to: Annotated[
        Path | None,
        typer.Option(help="Folder to write a page for each annotator to, and annotators.csv."),
    ] = None,
    page: Annotated[
        list[str] | None,
        typer.Option(
            help="Name of an annotator whose page is written; may be repeated. Default: all, up to "
            f"{MOST_PAGES}."
        ),
    ] = None,
    language: Annotated[
        Code | None,
        typer.Option(help="Language of the pages. Default: that of the campaign's report, or en."),
    ] = None,
    json_: JsonOrTables = False,
) -> None:
    """How is each annotator doing, beside the others? Tables for the lead, pages for annotators.

    Nobody is compared with their own vote, and hard items count against nobody. Agreement and
    accuracy against a reference are separate.
    """
    from ...reports.annotators import MESSAGES
    from ...reports.language import Language
    from ...tasks.annotators.cards_of_exports import cards_of_exports
    from .printing.footnotes import print_rows, print_warnings

    say, exports, is_private = Language("en", MESSAGES), None, False
    if len(annotations) == 1 and annotations[0].suffix == ".toml":
        from ..campaign.earlier.finished_runs import cards_of_last_run

        found, config = cards_of_last_run(annotations[0], reading.layer, places_of=page)
        is_private, language = config.campaign.privacy, language or config.report.language
    else:
        exports = cards_of_exports(annotations, columns.of(reading), options, places_of=page)
        found = exports.found
    pages = _pages(found, page)
    if json_:
        print_json(found.model_dump(mode="json") if exports is None else exports.as_json())
    else:
        _print(say, found)
    if to is not None:
        from ...tasks.annotators.card_files import write_cards

        write_cards(to, found, pages_of=pages, privacy=is_private, language=language or "en")
        if not json_:
            print_line(say("annotators.written", n=say.integer(len(pages)), folder=to))
            if not pages:
                n = say.integer(len(found.cards))
                print_line(say("annotators.pages_on_request", n=n))
    if exports is not None and not json_:
        print_warnings(terminal(), exports.warnings)
        print_rows(terminal(), exports.rows, exports.rejected)


def _pages(found: AnnotatorCards, wanted: list[str] | None) -> list[str]:
    """Return the annotators whose pages are written. Raises DataError for an unknown one."""
    names = [one.annotator for one in found.cards]
    unknown = [one for one in wanted or () if one not in names]
    if unknown:
        raise DataError(
            f"--page {unknown[0]}: has no label beside those of others; there are "
            f"{', '.join(sorted(names)[:12])}{' …' if len(names) > 12 else ''}"
        )
    return wanted or (names if len(names) <= MOST_PAGES else [])


def _print(say: Language, found: AnnotatorCards) -> None:
    from ...reports.annotators import lead_columns_in_words, standing_sentence
    from .printing.tables import print_table

    console, columns = terminal(), lead_columns_in_words(say, found)
    print_line(standing_sentence(say, found))
    print_line(say("annotators.table"))
    print_table(console, found.cards, *columns)
    print_line(say("annotators.note"))
