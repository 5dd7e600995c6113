"""Names by which tables call their columns: the usual ones, similar ones, and annotators'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import accumulate

from ...errors import DataError

ANNOTATORS = (
    *("rater", "coder", "judge", "observer", "worker", "user", "person", "subject"),
    *("participant", "scorer", "reviewer", "evaluator", "assessor", "labeler", "labeller", "anon"),
)
_OF_IDS = r"[ _.-]?(ids?|nr|no|number|name|idx|index|email|initials|hash)"
_IN_OTHER_LANGUAGES = (
    *("annotateur", "annotatrice", "codeur", "codeuse", "juge", "évaluateur", "évaluatrice"),
    *("kodierer", "kodiererin", "codierer", "codiererin", "annotierer", "annotiererin"),
    *("anotador", "anotadora", "codificador", "evaluador", "annotatore", "valutatore"),
    *("avaliador", "avaliadora"),
    *("beoordelaar", "codeerder"),
)
VALUES = ("rating", "code", "response", "answer", "value", "category", "class", "score", "vote")
EXPERTS = (  # with a number or a name: they may be categories, too
    *("expert", "physician", "doctor", "clinician", "radiologist", "pathologist", "reader"),
    *("grader", "respondent", "student", "teacher", "turker"),
)
_THINGS = (
    *("item", "task", "question", "instance", "example", "case", "post", "tweet", "sentence"),
    *("hit", "_unit"),  # of Mechanical Turk and Figure Eight
)
ALTERNATIVE_NAMES = {  # alternative names for the columns of long tables
    "item": re.compile(
        rf"({'|'.join(_THINGS)})?[ _.-]?(id|nr|no|number|name)?|(input|question):\w+", re.I
    ),
    "annotator": re.compile(
        rf"[\W_]?(\w+[ _.:-])?({'|'.join((*ANNOTATORS, *_IN_OTHER_LANGUAGES))})s?"
        rf"({_OF_IDS})?|\w+[ _.:-]annotators?|(\w+[ _.:-])?({'|'.join(EXPERTS)})s?{_OF_IDS}"
        r"|ann(ot)?[ _.-]?ids?"
        r"|(annotated|rated|coded|labell?ed|judged|scored|assigned)[ _.-]?(by|to)",
        re.I,
    ),
    "label": re.compile(
        rf"({'|'.join(VALUES)}|judge?ment|annotation|tag|sentiment)s?|(answer\.|output:).+", re.I
    ),
}
COLUMNS = (
    "item",
    "annotator",
    "label",
    "document",
    "layer",
    "pass",
    "role",
    "start",
    "end",
    "category",
    "unit",
    "fragments",
    "surface",
    "relation",
    "from_unit",
    "to_unit",
)
# as in tables of the store
OWN_NAMES = {"label": "labels", "start": "start_offset", "end": "end_offset"}
MOST_NAMED, _LONGEST_LIST = 12, 80  # columns in a hint, and their characters
COUNT = "count"  # never taken by its name: it may be an annotator's
LENGTH = "length"  # only where the values are the documents' lengths: it may be the unit's
_ANNOTATOR_LIKE = re.compile(
    r"(annotator|rater|coder|judge|observer|worker|reviewer|evaluator|assessor|labell?er|scorer"
    rf"|annot|{'|'.join(_IN_OTHER_LANGUAGES)})[ _.-]?\w{{1,3}}|anno?[ _.-]?[0-9]{{1,3}}",
    re.I,
)
_ITEM_LIKE = re.compile(
    rf"({'|'.join(_THINGS)})[ _.-]?(id|nr|no|number|name|[0-9]+([ _.-].*)?)?|q[0-9]+", re.I
)
OF_ITEMS = re.compile(  # what a column says of the items, and of no annotator
    r"(.*[ _.-])?(aspects?|dimensions?|criteri(on|a)|questions?|qualit(y|ies)|skills?|metrics?"
    r"|sys(tems?)?|models?|methods?|algorithms?|approach(es)?|engines?|variants?|conditions?|layers?|splits?|folds?|topics?|datasets?|domains?|lang(uage)?s?"
    r"|sources?|sets?|genres?)([ _.-]?(ids?|names?))?",
    re.I,
)
_CRITERION = re.compile(  # of what is judged, beside others
    r"(.*[\W_])?(adequacy|fluency|coheren(ce|t)|factuality|factual|consisten(cy|t)|relevan(ce|t)"
    r"|informativ(eness|e)|grammatical(ity)?|readability|simplicity|helpful(ness)?|harmless(ness)?"
    r"|faithful(ness)?|correct(ness)?|complete(ness)?|accura(cy|te)|natural(ness)?|clarity|clear"
    r"|engaging(ness)?|empathy|valence|arousal|dominance|severity|plausib(ility|le))([\W_].*)?",
    re.I,
)
_BOUND = re.compile(r".*(start|begin|end|offset|length)s?", re.I)
_COUNT_LIKE = re.compile(
    r"n|nb|num|obs|cases|effectifs?|((n|num|number|no)[ _.-]?(of[ _.-]?)?)?"
    r"(counts?|freqs?|frequency|items)",
    re.I,
)
_ORDER_LIKE = re.compile(
    r"(?i:(.*[ _.-])?(order|trial|position|rank)s?([ _.-]?(nr|no|number|index|ing))?)([A-Z]\w*)?"
)
_REMARK = re.compile(
    r"comment|remark|\bnotes?\b|confiden|certain|\bdate|time\b|timestamp|duration|bemerkung|datum"
    r"|kommentar|remarque|confiance|konfidenz|sicher|dauer|durée",
    re.I,
)
_DOCUMENT_LIKE = re.compile(
    r".*(doc|file|video|audio|media|recording|session|transcript|movie|film|episode|song|dialog"
    r"|conversation|interview).*",
    re.I,
)
_PERSON_LIKE = re.compile(
    r".*(annotator|rater|coder|judge|observer|worker|respondent|prolific|response[ _.-]?id"
    rf"|{'|'.join(_IN_OTHER_LANGUAGES)}).*",
    re.I,
)
# next to an item column these are renamed columns of a long table, not annotators
LONG_TABLE_WORDS = {
    *(*ANNOTATORS, *VALUES, "judgment", "judgement", "tag", "gold", "truth", "text"),
    *("comment", "comments", "note", "notes", "remark", "remarks", "date", "time", "timestamp"),
}


NUMBERED = re.compile(r"(.*?)[ _.-]?([0-9]{1,4})")
_STATISTIC = re.compile(
    r"(.*[\W_])?(mean|average|avg|mode|median|min|max|std(ev)?|sd|variance|p[ _.-]?value"
    r"|correlation|kappa|icc|iaa|irr|n|precision|recall|jaccard|f1|bleu"
    r"|rouge\w*)([\W_].*)?",
    re.I,
)


_TOTAL_LIKE = re.compile(r"(.*[\W_])?(total|sum|mean|average|avg)([\W_].*)?", re.I)


class NoColumnError(DataError):
    """A table lacks a column that an option names."""

    def __init__(self, source: str, option: str, column: str, known: Sequence[str]) -> None:
        columns = listed_columns(known)
        several = option == "label" and {*column.split(",")} <= {*known}
        more = ": the labels are of one column, so that each question is a call" if several else ""
        super().__init__(f"{source}: {option} = {column!r}, but the columns are {columns}{more}")
        self.column, self.known = column, list(known)


def column_positions(
    header: Sequence[str], source: str, named: Mapping[str, str]
) -> dict[str, int]:
    """Return the positions of the columns with a usual name, or a name in `named`.

    Raises NoColumnError for a column in `named` that the header lacks.
    """
    lowered = [name.strip().casefold() for name in header]
    at = {
        name: lowered.index(written)
        for name in COLUMNS
        for written in (OWN_NAMES.get(name, name), name)
        if written in lowered
    }
    for name, own in named.items():
        if not own:
            at.pop(name, None)
            continue
        if own not in header:
            raise NoColumnError(source, name, own, header)
        at[name] = list(header).index(own)
    return at


def is_called(column: str, role: str) -> bool:
    """Whether a column has a usual name of the items, annotators or labels."""
    return column.casefold() == role or ALTERNATIVE_NAMES[role].fullmatch(column) is not None


def is_annotator_name(column: str) -> bool:
    """Whether a column has a name such as `rater1`."""
    return _ANNOTATOR_LIKE.fullmatch(column.strip()) is not None


def is_item_name(column: str) -> bool:
    """Whether a column has a name such as `item_id` or `question 2 text`."""
    return _ITEM_LIKE.fullmatch(column.strip()) is not None


def is_of_judged_name(column: str) -> bool:
    """Whether a column has a name of a criterion or a bound, such as `fluency` or `token_end`."""
    return any(like.fullmatch(column.strip()) for like in (_CRITERION, _BOUND))


def is_person_name(column: str) -> bool:
    """Whether a column has a name such as `rater` or `worker_id`, of which each row has one."""
    return _PERSON_LIKE.fullmatch(column) is not None


def names_annotators(column: str) -> bool:
    """Whether a column has a name such as `worker`, `coder_id` or `assigned to`."""
    return is_called(column, "annotator") or is_person_name(column)


def is_document_name(column: str) -> bool:
    """Whether a column has a name such as `media_file`, of what holds units."""
    return _DOCUMENT_LIKE.fullmatch(column.strip()) is not None


def is_no_annotator_name(column: str) -> bool:
    """Whether a column's name is not an annotator's: `item`, `worker`, `text` and others."""
    name = column.strip().casefold()
    taken = name in LONG_TABLE_WORDS or name in COLUMNS or name in OWN_NAMES.values()
    return taken or any(
        like.fullmatch(name) for like in (ALTERNATIVE_NAMES["item"], ALTERNATIVE_NAMES["label"])
    )


def is_named(column: str, pattern: str) -> bool:
    """Whether a column is called so, or as a pattern with `*`; brackets may be part of a name."""
    return column == pattern or fnmatchcase(column, pattern)


def is_count_name(column: str) -> bool:
    """Whether a column has a name such as `n` or `frequency`."""
    return _COUNT_LIKE.fullmatch(column.strip()) is not None


def is_order_name(column: str) -> bool:
    """Whether a column has a name such as `trial_nr` or `rank`: of the place among others."""
    return _ORDER_LIKE.fullmatch(column.strip()) is not None


def is_total_name(column: str) -> bool:
    """Whether a column is called the sum or the mean of others: `total`, `tone mean`."""
    return _TOTAL_LIKE.fullmatch(column.strip()) is not None


def is_remark_name(name: str) -> bool:
    """Whether a column has the name of remarks, certainty, dates or durations."""
    return _REMARK.search(name) is not None


def is_statistic_name(column: str) -> bool:
    """Whether a column has the name of a summary of labels, such as `tone mean` or `n_raters`."""
    return _STATISTIC.fullmatch(column.strip()) is not None


def listed_columns(header: Sequence[str]) -> str:
    """List the first names of a header, as many as a sentence has room for."""
    lengths = accumulate(len(name) + 2 for name in header[:MOST_NAMED])
    n_named = max(1, sum(length <= _LONGEST_LIST for length in lengths))
    return ", ".join(header[:n_named]) + (", …" if len(header) > n_named else "")
