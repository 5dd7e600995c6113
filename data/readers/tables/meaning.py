"""What a table means: its layout, the key of a judgement, and the role of each column.

This is decided here alone, for files, data frames and the sources of campaigns: from the names of
the columns, then from facts of their values.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...errors import DataError
from ...joined_names import joined_name
from ...option_names import format_options, look_hint, option
from ..base import SourceOptions
from ..common.bounds import UnitOfBounds, are_seconds
from ..common.naming import is_queue
from .cells import ROWS, without_rows
from .column_facts import ColumnFacts
from .column_names import COUNT, is_document_name
from .column_recognition import find_columns
from .column_roles import annotators_of_rows, columns_numbering_rows, columns_with_roles
from .counts import category_columns, require_no_counts
from .description import TableDescription
from .fragments_in_rows import with_joined_fragments
from .header_lines import header_is_doubtful, require_transposed, survey_header
from .item_sample import ItemSample
from .joined_columns import named_columns
from .judgement_key import check_items_of_rows, check_key, item_columns, require_names_in_each_row
from .layout import Columns, Layout, OtherShapeError
from .options import TableOptions
from .platform_status import ExcludedRows, PlatformStatus
from .revisions import without_revised
from .table_file import TableFile

_FEWEST_ROWS, _MOST_CELLS = 50, 200_000  # of a sample of the table
_ROWS_BELOW = 2_000  # of a long table, that show whether its first line is a header


@dataclass(frozen=True, slots=True)
class TableMeaning:
    """How the rows of a table are read.

    columns     the layout, and what each column is
    file        the table, without further header lines and rows that a platform marks
    item_parts  the columns that the item is made of, if it is of several
    excluded    counts the rows that are left out of `file`, while it is read
    annotators, values  those of the first rows, if these are all rows of the table
    offset_unit  what the bounds of units count
    sample      verifies the key in rows after the first ones, too, while `file` is read
    """

    columns: Columns
    file: TableFile
    item_parts: tuple[str, ...] = ()
    excluded: ExcludedRows = field(default_factory=ExcludedRows)
    annotators: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    offset_unit: UnitOfBounds = "char"
    sample: ItemSample | None = None

    def describe(self, source: str) -> TableDescription:
        return TableDescription.of(
            source,
            self.columns,
            self.file.header,
            self.item_parts,
            annotators=self.annotators,
            values=self.values,
        )


def understand_table(file: TableFile, source: str, options: SourceOptions) -> TableMeaning:
    """Return the meaning of a table.

    Raises DataError where the first line may not be a header, a column not be an annotator's, or
    labels of different things would be compared.
    """
    file, cells = file.with_sample(_FEWEST_ROWS)
    try:
        return _understood(file, cells, source, options)
    except OtherShapeError as error:
        from .reading_hint import reading_hint

        if error.lacking:
            require_no_counts(file.header, cells, source)
        facts = ColumnFacts.of_cells(file.header, cells)
        is_wide = options.of_format(TableOptions).layout is Layout.WIDE
        hint = reading_hint(facts, error.lacking, is_wide=is_wide) + look_hint()
        raise OtherShapeError(error.what, error.lacking, hint) from None


def _understood(
    file: TableFile, cells: Sequence[Sequence[str]], source: str, options: SourceOptions
) -> TableMeaning:
    own = options.of_format(TableOptions)
    named, layout = {**own.named}, own.layout
    survey = survey_header(file.header, cells)
    if survey is not None:
        require_transposed(survey, layout, source)
        file = replace(file, batches=without_rows(file.batches, survey.n_lines))
        options.notes.n_header_lines += survey.n_lines
    parts: tuple[int, ...] = ()
    if layout is not Layout.TRANSPOSED:
        file, parts = _with_joined(file, named, "item")
    file, of_layer = _with_joined(file, named, "layer")
    cells = [*cells, *([""] * len(cells[0]) for _ in file.header[len(cells) :])]
    known = ("annotator",) if options.annotator else ()
    columns = find_columns(file.header, source, named=named, layout=layout, known=known)
    require_names_in_each_row(columns.at, file.header, cells, source)
    columns = _without(columns, {*parts, *of_layer}, {*own.ignore}, file.header)
    item_parts = tuple(file.header[k] for k in parts)
    meaning = TableMeaning(columns, file, item_parts, offset_unit=own.offset_unit)
    if columns.layout is Layout.LONG:
        if file.assumed and not parts:
            file, cells = file.with_sample(_ROWS_BELOW)
            doubtful = header_is_doubtful(file.header, cells, source)
            options.notes.n_doubtful_headers += doubtful
            meaning = replace(meaning, file=file)
        return _with_checked_key(meaning, (*parts, *of_layer), source, options)
    if columns.layout is Layout.UNITS:
        meaning = _with_unit_of_bounds(meaning, cells, options)
        meaning = _with_checked_document(meaning, source, own)
    if columns.layout is Layout.UNITS and "unit" in own.named and "fragments" not in columns.at:
        return _with_fragments(meaning)
    if columns.layout is Layout.COUNTS:
        options.require_unnamed(source)
        item_named = "item" in named
        columns = category_columns(columns, cells, source, options.notes, item_named=item_named)
        return replace(meaning, columns=columns)
    if columns.layout not in (Layout.WIDE, Layout.TRANSPOSED):
        return meaning
    n_rows = min(ROWS, _MOST_CELLS // len(file.header))
    file, cells = file.with_sample(n_rows)
    assumed = file.assumed and survey is None
    doubtful = assumed and header_is_doubtful(file.header, cells, source)
    facts = ColumnFacts.of_cells(file.header, cells, own.missing)
    if columns.layout is Layout.TRANSPOSED:
        columns = annotators_of_rows(columns, survey, facts, named)
        return replace(meaning, columns=columns, file=file)
    if "item" not in named and "item" not in columns.at:
        layer = [columns.at["layer"]] if "layer" in columns.at else []
        numbering = columns_numbering_rows([*layer, *(k for k, _ in columns.across)], facts)
        numbering = tuple(k for k in numbering if k not in layer)
        if numbering:
            return _with_numbering(file, numbering, source, options)
    meaning = replace(meaning, columns=_checked_wide(columns, facts, source, options), file=file)
    options.notes.n_doubtful_headers += doubtful and "item" not in meaning.columns.at
    if facts.n_rows >= n_rows:
        return _with_verified_items(meaning, source, options)
    values = {cell for k, _ in meaning.columns.across for cell in facts.values(k)}
    return replace(meaning, values=tuple(sorted(own.labels_in_cells(values))))


def _with_joined(
    file: TableFile, named: dict[str, str], what: str
) -> tuple[TableFile, tuple[int, ...]]:
    """Join the columns that the item or the layer is made of, if the option names several."""
    parts = named_columns(named.get(what, ""), file.header)
    if len(parts) < 2:
        return file, ()
    positions = tuple(file.header.index(part) for part in parts)
    named[what] = joined_name(parts)
    return file.with_joined(positions), positions


def _with_unit_of_bounds(
    meaning: TableMeaning, cells: Sequence[Sequence[str]], options: SourceOptions
) -> TableMeaning:
    """Take the bounds as seconds if no option says what they are and they are written as times."""
    bounds = [meaning.columns.at[name] for name in ("start", "end")]
    if options.given("offset_unit") or not are_seconds(one for k in bounds for one in cells[k]):
        return meaning
    options.notes.name("bounds_in_seconds", [meaning.file.header[k] for k in bounds])
    return replace(meaning, offset_unit="s")


def _with_checked_document(meaning: TableMeaning, source: str, own: TableOptions) -> TableMeaning:
    """Raise DataError if units are of several documents that a column with another name has."""
    columns = meaning.columns
    called = [name for name in columns.ignored if is_document_name(name)]
    if not called or "document" in {**columns.at, **own.named}:
        return meaning
    file, facts = meaning.file.with_facts()
    for name in called:
        k = file.header.index(name)
        if facts.n_values(k) > 1 and facts.repeats(k):
            raise DataError(
                f"{source}: `{name}` seems to name the document of each unit, and without it all "
                f"units are of one: `{option('document', shlex.quote(name))}`, or "
                f"`{format_options(document='')}` if they are{look_hint()}"
            )
    return replace(meaning, file=file)


def _with_fragments(meaning: TableMeaning) -> TableMeaning:
    """Join the rows of each unit of a table of units whose names an option gives."""
    file, at, width = meaning.file, meaning.columns.at, len(meaning.file.header)
    batches = with_joined_fragments(file.batches, at, width, meaning.excluded)
    columns = replace(meaning.columns, at={**at, "fragments": width})
    file = replace(file, batches=batches, header=[*file.header, "fragments"])
    return replace(meaning, file=file, columns=columns)


def _with_numbering(
    file: TableFile, numbering: tuple[int, ...], source: str, options: SourceOptions
) -> TableMeaning:
    """Understand a wide table again, with the columns that number its rows as the item."""
    names = [file.header[k] for k in numbering]
    options.notes.name("item_columns", [joined_name(names)])
    extra = {**options.extra, "item": ",".join(names)}
    return understand_table(file, source, replace(options, extra=extra))


def _without(columns: Columns, parts: set[int], ignored: set[str], header: list[str]) -> Columns:
    """Return the columns without the parts of the item, and without ignored annotators."""
    if not parts and not ignored:
        return columns
    names = {header[k] for k in parts}
    return replace(
        columns,
        across=tuple(
            one for one in columns.across if one[0] not in parts and one[1] not in ignored
        ),
        ignored=tuple(name for name in columns.ignored if name not in names | ignored),
    )


def _with_checked_key(
    meaning: TableMeaning, parts: tuple[int, ...], source: str, options: SourceOptions
) -> TableMeaning:
    """Leave out rows that a platform marks, and check the key of the others."""
    own = options.of_format(TableOptions)
    file, columns = meaning.file, meaning.columns
    status = PlatformStatus.of(file.header, {*columns.at.values()})
    if own.status == "exclude" and status.columns:
        batches = status.without_marked(file.batches, meaning.excluded)
        file = replace(file, batches=batches)
    if "item" not in columns.at:  # each row is one
        return replace(meaning, file=file)
    if own.repeats in ("first", "last"):
        batches = without_revised(file.batches, columns.at, own.repeats, meaning.excluded)
        file = replace(file, batches=batches)
    file, facts = file.with_facts()
    ignored = {k for k, name in enumerate(file.header) if name in {*own.ignore, own.time}}
    joined = {*parts, *ignored, *status.columns}

    def verify(facts: ColumnFacts) -> None:
        doubtful = check_key(
            facts, columns.at, source, joined=joined, keeps_repeats=own.repeats == "keep"
        )
        if not is_queue(file.header):  # its columns are known, and a round has few labels per item
            for code, names in doubtful.by_code().items():
                options.notes.name(code, names)

    verify(facts)
    unused = tuple(n for k, n in enumerate(file.header) if k in status.columns)
    left = tuple(  # a time is no judgement, so nobody misses it
        name
        for name in columns.ignored
        if name not in unused and not facts.is_time(file.header.index(name))
    )
    meaning = replace(meaning, columns=replace(columns, ignored=left), file=file)
    if not facts.is_whole:
        return replace(meaning, sample=ItemSample(file.header, item_columns(columns.at), verify))
    annotators = facts.values(columns.at["annotator"]) if "annotator" in columns.at else ()
    values = (one for one in facts.values(columns.at["label"]) if one != own.missing)
    labels = tuple(own.labels_in_cells(values))
    return replace(meaning, annotators=tuple(annotators), values=labels)


def _with_verified_items(
    meaning: TableMeaning, source: str, options: SourceOptions
) -> TableMeaning:
    """Check the key of a wide table in the rows after its first ones, too."""
    columns = meaning.columns
    if "item" not in columns.at or COUNT in columns.at:
        return meaning
    kept = options.excluded.not_excluded(name for _, name in columns.across)
    annotators = [k for k, name in columns.across if name in kept]

    def verify(facts: ColumnFacts) -> None:
        check_items_of_rows(facts, columns.at, annotators, source, guessed=False)

    sample = ItemSample(meaning.file.header, item_columns(columns.at), verify)
    return replace(meaning, sample=sample)


def _checked_wide(
    columns: Columns, facts: ColumnFacts, source: str, options: SourceOptions
) -> Columns:
    own = options.of_format(TableOptions)
    kept = options.excluded.not_excluded(name for _, name in columns.across)
    if COUNT not in columns.at:
        annotators = [k for k, name in columns.across if name in kept]
        check_items_of_rows(facts, columns.at, annotators, source, guessed=own.layout is None)
    if columns.chosen:
        return columns
    return columns_with_roles(
        columns,
        facts,
        source,
        options.notes,
        excluded={name for _, name in columns.across}.difference(kept),
        item_named="item" in own.named,
    )
