"""CoNLL columns: one token per line, chunk tags or token labels in columns; also CoNLL-U.

Documented in the CoNLL-2000 and CoNLL-2003 shared tasks (columns separated by blanks or tabs, blank
lines between sentences, `-DOCSTART-` before documents) and in "CoNLL-U Format" (Universal
Dependencies: ten tab-separated columns, `# newdoc id =`, ranges `1-2` and empty nodes `8.1`, which
are not words and are skipped).

Conventions:
* `columns` gives the label columns, numbered from 1, with their annotators: `gold=3,predicted=4`;
  without names, or without the option (the last column), the file's path names the annotator
  (option `paths`); CoNLL-U needs the option. A CoNLL-U column may be named: `columns=UPOS`,
  `DEPREL`, or `MISC:Entity` for one key of MISC;
* with `columns=TREE`, each sentence is an item of the layer `tree`, and its label is the dependency
  tree: `HEAD:DEPREL` of each token, separated by blanks (see `metrics.objects.distances.trees`).
  The item is named by `# sent_id`, else by the sentence's number. A sentence whose tokens all have
  the HEAD `_` is not annotated, and one with a rejected row has an unknown tree (`rejected_row`);
* `scheme`: iob1, iob2 (bio), bioes (iobes), bilou make units of chunks, by the option `chunks`:
  `lenient` (conlleval's rule, the default) or `strict` (a run that the scheme does not allow is
  rejected, rule `chunk_not_allowed`); see the module `chunks`. With `labels` each token is an item.
  `coreference` is the last column of CoNLL-2012: `(12` to `12)` is a mention of chain 12, a unit
  without category, and each mention is linked to the next one of its chain (category `Equiv`).
  Without the option: iob2 if the first cells are chunk tags (bioes if E or S occurs), coreference
  if they are mentions, otherwise labels. A last column of `_` only is refused without `columns`;
* a line that cannot be read, or whose columns are too few, is a token whose tags are unknown: it is
  rejected, has no label, and the units beside it are rejected too (rule `rejected_row`);
* columns of token numbers (ID, HEAD, DEPS, or by their values) are refused as labels, and a line
  that begins with # is a comment unless it has the columns of a token;
* offsets are token indices in the document (`offset_unit` token); with `offsets=char` they are
  characters of the text made of the tokens: tokens are joined by spaces (except after SpaceAfter=No
  in CoNLL-U), sentences by line ends. A chunk never crosses a sentence's end;
* a document (CoNLL-2012: each part of one) ends at `-DOCSTART-`, `# newdoc` or `#begin document`;
  its name is the file's name with `#` and the document's number or id. A file without these lines
  is one document.

Units are yielded while reading; `offsets=char` holds one document's text in memory. conllu (6.0) is
not used because it reads CoNLL-U only and raises on the first invalid row of a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....errors import DataError, OptionError
from ....option_names import format_options
from ....schema import Record
from ...base import SourceOptions
from ...common.files.lines import iter_lines
from ...common.naming import (
    document_and_annotator,
    document_name,
    source_name,
)
from .columns import (
    NOTHING,
    are_conllu,
    first_tokens_by_sentence,
    guessed_scheme,
    looks_like_columns,
    n_columns_to_choose_from,
    require_no_token_numbers,
    usual_width,
)
from .conll_file import LABELS, TREES, ConllFile
from .options import ConllOptions


class ConllReader:
    NAME = "conll"
    DESCRIPTION = "CoNLL columns with chunk tags (IOB1, IOB2, BIOES) or token labels; CoNLL-U"
    PATTERNS: tuple[str, ...] = (
        *("*.conll", "*.conllu", "*_conll", "*.iob", "*.iob2", "*.bio", "*.bioes"),
    )
    OPTIONS = ConllOptions

    def probe(self, path: Path) -> bool:
        return path.is_file() and looks_like_columns(path)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        own = options.of_format(ConllOptions)
        columns = own.columns
        named = all(column.annotator for column in columns)
        document, annotator = (
            (document_name(path, options), "") if named else document_and_annotator(path, options)
        )
        sentences = first_tokens_by_sentence(path, tabs=True)
        conllu = path.suffix == ".conllu" or any(column.is_conllu for column in columns)
        conllu = conllu or are_conllu(sentences)
        tabs = conllu or own.separator == "tab"
        if not tabs:
            sentences = first_tokens_by_sentence(path, tabs=False)
        if conllu:
            sentences = [[row for row in one if row[0].isdigit()] for one in sentences]
        rows = [row for sentence in sentences for row in sentence]
        scheme = own.scheme or guessed_scheme(rows, columns) or LABELS
        if any(column.is_tree for column in columns):
            scheme = _scheme_of_trees(own)
        reading = ConllFile(source, options, scheme, document, conllu, usual_width(rows))
        if not options.given("columns"):
            if conllu and scheme == LABELS:
                raise DataError(
                    f"{source}: CoNLL-U has several columns of labels: choose one with "
                    f"`{format_options(columns='UPOS')}`, XPOS, DEPREL, MISC:KEY or TREE (in a "
                    "campaign's source `options = "
                    '{ columns = "UPOS" }`)'
                )
            if scheme == LABELS and reading.width > 2 and {row[-1] for row in rows} == {NOTHING}:
                raise DataError(
                    f"{source}: the last column has only {NOTHING!r}, which is no label: choose "
                    f"the column of the labels with `{format_options(columns='2')}`, 3 …"
                )
            n = n_columns_to_choose_from(rows, scheme, token_at=reading.token_at)
            options.notes.n_conll_columns = max(options.notes.n_conll_columns, n)
        for column in columns:
            require_no_token_numbers(
                column, sentences, is_conllu=conllu, are_labels=scheme == LABELS
            )
        for column in columns:
            reading.add(column, column.annotator or annotator)
        for number, line in iter_lines(path):
            yield from reading.line(number, line)
        yield from reading.end()


def _scheme_of_trees(own: ConllOptions) -> str:
    """Return the scheme of trees. Raises DataError for another scheme or more columns."""
    if len(own.columns) > 1 or own.scheme is not None:
        raise OptionError(
            "option columns: TREE is all that a source of trees reads: give the other columns in "
            "another source, and no `scheme`"
        )
    return TREES


READER = ConllReader()
