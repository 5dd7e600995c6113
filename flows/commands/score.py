"""`accordeur score`: its options, and its results as tables or JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from ..quick.reading import pairs, tagset_of
from .options import Strict

if TYPE_CHECKING:
    from rich.console import Console

    from ..scoring.scores import Scores


def score(
    reference: Annotated[
        str, typer.Option(help="Export of the reference, or EXPORT#ANNOTATOR of several in it.")
    ],
    system: Annotated[
        list[str], typer.Option(help="Export of a system, or EXPORT#NAME; may be repeated.")
    ],
    format: Annotated[str, typer.Option(help="Their format (`accordeur formats`).")] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the format, KEY=VALUE; may be repeated."),
    ] = None,
    reference_option: Annotated[
        list[str] | None, typer.Option(help="The same, for the reference alone.")
    ] = None,
    layer: Annotated[str | None, typer.Option(help="Layer to score, of several.")] = None,
    tagset: Annotated[
        str, typer.Option(help="The categories, separated by commas, in the scale's order.")
    ] = "",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            help="Only this measure, or one that is not computed by itself (pk, window_diff, ghd, "
            "boundary_similarity, segmentation_similarity, der, muc, b_cubed, ceaf_m, ceaf_e, "
            "blanc, conll); may be repeated."
        ),
    ] = None,
    distance: Annotated[
        str,
        typer.Option(help="Between categories, for p_o. An unknown name lists them all."),
    ] = "nominal",
    window: Annotated[
        int | None, typer.Option(min=1, help="Window of pk and window_diff, in places.")
    ] = None,
    collar: Annotated[
        int,
        typer.Option(
            min=0,
            help="For der: milliseconds left out around each of the reference's bounds, half on "
            "either side (NIST's collar of 0.25 s is 500).",
        ),
    ] = 0,
    skip_overlap: Annotated[
        bool,
        typer.Option(
            "--skip-overlap", help="For der: leave out where two speakers of the reference speak."
        ),
    ] = False,
    single_annotator: Annotated[
        bool, typer.Option(help="The reference is one annotator's work: say so in the results.")
    ] = False,
    unfinished: Annotated[bool, typer.Option(help="Take unfinished work as it is.")] = False,
    replicates: Annotated[
        int, typer.Option(min=0, help="Bootstrap replicates; 0: no interval, no comparison.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of every sample.")] = 0,
    strict: Strict = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Systems against a reference: direct scores, errors, baselines, intervals, comparisons."""
    from ...data.errors import DataError
    from ...metrics.agreement.distances import OF_LABELS
    from ..scoring.score import score as score_exports
    from ..scoring.scores import Options

    if distance not in OF_LABELS:
        raise DataError(f"no distance {distance!r}; the distances are {', '.join(OF_LABELS)}")
    common = pairs(option)
    result = score_exports(
        reference,
        system,
        format=format,
        reference_options={**common, **pairs(reference_option)},
        system_options=common,
        layer=layer,
        single_annotator=single_annotator,
        unfinished=unfinished,
        strict=strict,
        options=Options(
            measures=tuple(one.strip().lower() for one in measure or ()),
            tagset=tagset_of(tagset),
            distance=distance,
            window=window,
            collar=collar,
            skip_overlap=skip_overlap,
            n_replicates=replicates,
            seed=seed,
        ),
    )
    if json_:
        typer.echo(json.dumps(as_json(result), ensure_ascii=False, indent=1))
    else:
        _print(result, replicates)


def as_json(result: Scores) -> dict[str, Any]:
    """`{"results": […], "comparisons": […], …}`, null where a number is undefined.

    The key `reference` is `annotator` where it is a single annotator's work.
    """
    from ...metrics.estimate import plain
    from ...metrics.reason import reason_fields
    from ..quick.json_output import about_rows, row_of

    return {
        "annotator" if result.is_single_annotator else "reference": result.reference,
        "results": [
            {"system": one.system, "category": one.category, **row_of(one.estimate)}
            for one in result.scores
        ],
        "comparisons": [
            {
                "measure": measure,
                "first": one.first,
                "second": one.second,
                "difference": plain(one.difference),
                "interval": plain(one.interval),
                "p_bootstrap": plain(one.p_bootstrap),
                "p_randomisation": plain(one.p_randomisation),
                "p_corrected": plain(one.p_corrected),
                "n_documents": one.n_documents,
                **reason_fields(one.reason),
            }
            for measure, one in result.comparisons
        ],
        "errors": result.errors,
        "documents": {
            system: {
                "scored": one.scored,
                "missing": one.missing,
                "not_assigned": one.not_assigned,
            }
            for system, one in result.documents.items()
        },
        "notes": result.notes,
        **about_rows(result.rows, result.set_aside),
    }


def _print(result: Scores, replicates: int) -> None:
    from rich.console import Console

    from .printing import print_rows

    console = Console(highlight=False)
    word = "annotator" if result.is_single_annotator else "reference"
    console.print(f"against the {word} {result.reference}", highlight=False, markup=False)
    _values(console, result)
    whole = [one.estimate for one in result.scores if not one.category]
    if replicates and all(math.isnan(one.interval[0]) for one in whole):
        console.print("no interval: they are drawn over documents, and there is one")
    _categories(console, result)
    _errors(console, result)
    _comparisons(console, result)
    if result.is_single_annotator:
        console.print(
            "one annotator's work, validated by nobody: likeness to this person, not validity"
        )
    for note in result.notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    first = result.scores[0].estimate
    console.print(f"signature: {first.signature}", highlight=False, soft_wrap=True, markup=False)
    print_rows(console, result.rows, result.set_aside)


def _values(console: Console, result: Scores) -> None:
    from rich.table import Table

    whole = [one for one in result.scores if not one.category]
    table = Table("system", "measure", "value", "95 % interval")
    if any(one.estimate.reason for one in whole):
        table.add_column("why undefined")
    for one in whole:
        lower, upper = one.estimate.interval
        interval = "" if math.isnan(lower) else f"{lower:.4f} … {upper:.4f}"
        value = one.estimate.value
        table.add_row(
            escape(one.system) or "(baseline)", one.estimate.measure, _number(value), interval,
            *([escape(str(one.estimate.reason))] if one.estimate.reason else []),
        )  # fmt: skip
    console.print(table)


def _categories(console: Console, result: Scores) -> None:
    """One row a system and category; of units, the exact match."""
    from rich.table import Table

    shown = ("precision", "recall", "f", "exact_precision", "exact_recall", "exact_f")
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for one in result.scores:
        if one.category and one.estimate.measure in shown:
            row = rows.setdefault((one.system, one.category), {})
            row[one.estimate.measure] = _number(one.estimate.value)
    columns = list(dict.fromkeys(measure for row in rows.values() for measure in row))
    if rows:
        table = Table("system", "category", *columns)
        for (system, category), row in rows.items():
            table.add_row(
                escape(system), escape(category), *(row.get(column, "") for column in columns)
            )
        console.print(table)


def _errors(console: Console, result: Scores) -> None:
    from rich.table import Table

    kinds = list(dict.fromkeys(kind for of in result.errors.values() for kind in of))
    if kinds:
        table = Table("errors", *kinds)
        for system, counts in result.errors.items():
            table.add_row(escape(system), *(str(counts.get(kind, 0)) for kind in kinds))
        console.print(table)


def _comparisons(console: Console, result: Scores) -> None:
    from rich.table import Table

    if not result.comparisons:
        return
    table = Table("pair", "measure", "difference", "95 % interval", "p (randomisation)", "p (Holm)")
    if any(one.reason for _, one in result.comparisons):
        table.add_column("why undefined")
    for measure, one in result.comparisons:
        lower, upper = one.interval
        interval = "" if math.isnan(lower) else f"{lower:+.4f} … {upper:+.4f}"
        difference = "–" if math.isnan(one.difference) else f"{one.difference:+.4f}"
        table.add_row(
            escape(f"{one.first} − {one.second}"), measure, difference, interval,
            _number(one.p_randomisation), _number(one.p_corrected),
            *([escape(str(one.reason))] if one.reason else []),
        )  # fmt: skip
    console.print(table)


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"
