"""`accordeur adjudicate`: list the disagreements of the last run, or read decisions on them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...reports.cell_texts import number_text
from ...tasks.inputs.reading_options import parse_pairs
from ...tasks.wording import counted
from .terminal import print_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...data.store.store import Store
    from ..campaign.file.campaign_config import Config

_SHOWN = 10


class Format(StrEnum):
    csv = "csv"
    brat = "brat"
    label_studio = "label_studio"
    inception_xmi = "inception_xmi"


def adjudicate(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML), run at least once.")],
    out: Annotated[
        Path | None, typer.Argument(help="File or folder to write the disagreements to.")
    ] = None,
    as_: Annotated[
        Format,
        typer.Option(
            "--as",
            help="Format of the disagreements: csv for a spreadsheet, or the "
            "format of an annotation tool.",
        ),
    ] = Format.csv,
    probable_errors: Annotated[
        bool,
        typer.Option(
            "--probable-errors",
            help="List only disagreements with an annotation that is probably wrong, the most "
            "probable first, with the reason.",
        ),
    ] = False,
    decisions: Annotated[
        Path | None,
        typer.Option(
            help="Decisions to store: the completed CSV file, or an annotation tool's "
            "export (--from)."
        ),
    ] = None,
    from_: Annotated[
        str,
        typer.Option(
            "--from", help="Format of --decisions: csv, or the format of the curated export."
        ),
    ] = "csv",
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the format --from, KEY=VALUE; may be repeated."),
    ] = None,
    who: Annotated[
        str | None, typer.Option(help="Name of the curator, if the export does not give it.")
    ] = None,
    when: Annotated[
        str | None,
        typer.Option(help="Time of the decisions (ISO 8601); default: the time in the export."),
    ] = None,
) -> None:
    """List the disagreements by cost, or read the decisions on them."""
    from ...data.store.store import open_store
    from ..campaign.adjudication.decisions import restore_damaged_records
    from ..campaign.file.campaign_config import load_campaign
    from ..errors import UserError

    if (out is None) == (decisions is None):
        raise UserError("give either where to write the disagreements, or --decisions FILE")
    config = load_campaign(campaign)
    store = open_store(config.store.url, campaign)
    if decisions is not None:
        with store.lock(campaign):
            restore_damaged_records(store)
            _read_back(config, store, decisions, from_, parse_pairs(option), who, when)
    elif out is not None:
        _write_cases(config, store, out, as_, only_errors=probable_errors)


def _write_cases(config: Config, store: Store, out: Path, to: Format, *, only_errors: bool) -> None:
    from ...data.writers.registry import writer
    from ..campaign.adjudication.adjudicate import (
        all_cases,
        decided_by_references,
        describe_probable_errors,
        disagreement_records,
        last_run,
        on_present_cases,
        recorded_decisions,
        require_layers_of_categories,
    )
    from ..campaign.adjudication.decisions import write_cases
    from ..campaign.earlier.history import require_same_names
    from ..campaign.stages.references_and_scores import names_in_old_decisions

    run = last_run(store)
    require_same_names(store, config.names_in_exports)
    cases = all_cases(store, run)
    reasons: Mapping[tuple[str, str], str] = {}
    if only_errors:
        reasons = describe_probable_errors(store, run, config.mistakes, config.shown_as)
        place = {key: number for number, key in enumerate(reasons)}
        cases = [case for case in cases if (case.layer, case.case) in place]
        cases.sort(key=lambda case: place[case.layer, case.case])
    recorded = recorded_decisions(store)
    other_names = names_in_old_decisions(config, recorded)
    decisions, _ = on_present_cases(cases, recorded, other_names)
    curated = decided_by_references(store, run, cases)
    settled = {decision.case for _, decision in decisions} | curated
    open_ = [case for case in cases if case.case not in settled]
    if to is Format.csv:
        listed = [case for case in cases if case.case not in curated]
        write_cases(listed, [one for one in decisions if one[1].case not in curated], out, reasons)
    else:
        if to is Format.brat:
            require_layers_of_categories(run)
        records, n_left = disagreement_records(store, run, open_, labels=to is Format.label_studio)
        writer(to.value).write(records, out)
        if n_left:
            print_line(
                f"skipped, as {to.value} cannot represent them: "
                f"{counted(n_left, 'disagreement')} on labels (use csv)"
            )
    for name in run.without_cases:
        print_line(f"not listed: {name!r}, as only labels and units have cases and decisions")
    with_errors = " with a probable error" if only_errors else ""
    by_reference = f", {len(curated):,} decided by a reference" if curated else ""
    made = f"{counted(len(cases), 'disagreement')}{with_errors}, {len(open_):,} open{by_reference}"
    print_line(f"{made}: {out}")


def _read_back(
    config: Config,
    store: Store,
    path: Path,
    format: str,
    options: Mapping[str, str],
    who: str | None,
    when: str | None,
) -> None:
    from ..campaign.adjudication.adjudicate import import_decisions, last_run
    from ..campaign.adjudication.decisions import read_decisions
    from ..campaign.file.hiding import hidden_decisions
    from ..campaign.stages.references_and_scores import names_in_old_decisions

    if format == "csv":
        given = read_decisions(path)
    else:
        from ..campaign.adjudication.tool_decisions import tool_decisions

        curation = tool_decisions(
            store, path, format, last_run(store), options=options, who=who, when=when
        )
        given = curation.decisions
        if curation.n_elsewhere:
            print_line(
                "not used, because they are on no disagreement: "
                f"{counted(curation.n_elsewhere, 'curated unit')}; to score against them, read "
                'the export as a source with role = "reference"'
            )
    outcome = import_decisions(
        store, hidden_decisions(config, given), names_in_old_decisions(config, given)
    )
    print_line(
        f"{counted(outcome.n_new, 'new decision')} kept; "
        f"{counted(outcome.n_decided, 'disagreement')} decided, {len(outcome.open):,} open"
    )
    for case in outcome.open[:_SHOWN]:
        cost = number_text(case.cost)
        print_line(f"open: {case.layer}, {case.document}, {case.where} (cost {cost})")
    if len(outcome.open) > _SHOWN:
        print_line(f"… and {len(outcome.open) - _SHOWN} more")
    if outcome.n_decided:
        print_line("the next run builds the reference with the decisions")
