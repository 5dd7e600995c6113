"""One annotator's work in a CAS, and the options that XMI and CAS JSON share."""

from __future__ import annotations

from ...errors import DataError
from ..base import SourceOptions
from ..common.layers import CATEGORY_OPTION
from ..common.records.work import Work, work_of
from ..common.token_offsets import OFFSETS_OPTION
from .cas import LoadedCas
from .records import cas_records, cas_tokens

CAS_OPTIONS = {
    **CATEGORY_OPTION,
    **OFFSETS_OPTION,
    "lenient": "`yes`: skip annotations whose type nothing describes, and count them (default: no)",
    "view": "the view that is read, where several have a text (default: the initial one)",
}


def is_lenient(options: SourceOptions) -> bool:
    """Whether the option `lenient` is on. Raises DataError on its value."""
    value = options.extra.get("lenient", "no")
    if value not in ("yes", "no"):
        raise DataError(f"option lenient = {value!r}: allowed are yes, no")
    return value == "yes"


def cas_work(
    cas: LoadedCas, document: str, annotator: str, source: str, options: SourceOptions
) -> Work:
    """The annotator's work on the document."""
    records = cas_records(cas, document, annotator, source, options)
    return work_of(cas.text, records, lambda: cas_tokens(cas), document, source, options)
