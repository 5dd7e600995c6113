"""What systems are scored against, in words: how much a reference covers, and its error."""

from __future__ import annotations

from collections.abc import Iterator

from ..metrics.estimate import Estimate
from ..metrics.results import ReferenceCoverage
from .language import TERMINAL, Language
from .results import Results, Validity

MAIN = ("accuracy", "exact_f")  # of labels, of units
_UNIT_ERRORS = ("missed", "spurious", "wrong_category", "wrong_bounds", "wrong_both")
_COUNTED = {"items": "item", "units": "document"}


def named_reference(say: Language, name: str, kind: str, coverage: ReferenceCoverage | None) -> str:
    """Name a reference with its coverage: `gold (338 of 600 items, 262 open)`.

    kind  items | units
    """
    if coverage is None:
        return name
    n, total, n_open = coverage.n_covered, coverage.n_all, coverage.n_open
    counted = say.counted(_COUNTED[kind], total)
    of_all = counted if n == total else say("scored.of_all", n=say.integer(n), total=counted)
    open_ = say(f"scored.open_{kind}", n=say.integer(n_open)) if n_open else ""
    return say("scored.reference", name=name, covered=", ".join(filter(None, (of_all, open_))))


def reference_of(say: Language, validity: Validity) -> str:
    """Name the reference of the scores, with its coverage."""
    return named_reference(say, validity.reference, validity.kind, validity.coverage)


def sentences_on_reference(say: Language, validity: Validity) -> Iterator[str]:
    """Yield what is not scored, which reference is not used, and the error of the reference."""
    if validity.coverage is not None and validity.coverage.n_open:
        yield say(f"scored.not_scored_{validity.kind}")
    if validity.instead_of:
        yield say("scored.instead_of", built=validity.instead_of, reference=validity.reference)
    if validity.error is not None:
        yield error_sentence(say, validity.error)


def error_sentence(say: Language, error: Estimate) -> str:
    """State how often the reference is wrong, and how much was audited."""
    if error.measure == "slot_error_rate":
        return _unit_error_sentence(say, error)
    if error.reason is not None:
        return say("scored.no_error")
    n = _how_much_was_audited(say, error, "audited_item")
    level, interval = (
        say.percent(error.confidence_level, 0),
        say.interval(error.interval, say.percent),
    )
    shown = say("value.interval", level=level, interval=interval) if interval else ""
    brackets = say.semicolon_list(filter(None, (shown, n)))
    return say("scored.error", share=say.percent(error.value), brackets=brackets)


def _how_much_was_audited(say: Language, error: Estimate, noun: str) -> str:
    """Count what was compared with the audit, of all that was audited if some of it is open."""
    n_open = error.detail.n_unlabelled
    n = say.counted(noun, error.n_items + n_open)
    return say("scored.audited_open", n=say.integer(error.n_items), total=n) if n_open else n


def _unit_error_sentence(say: Language, error: Estimate) -> str:
    """State the errors per unit of the audit, and how many of each kind there are."""
    if error.reason is not None:
        return say("scored.no_unit_error")
    interval = say.interval(error.interval)
    level = say.percent(error.confidence_level, 0)
    shown = say("value.interval", level=level, interval=interval) if interval else ""
    n = _how_much_was_audited(say, error, "audited_unit")
    of_documents = say.counted("audited_document", error.detail.n_documents)
    counts = {name: say.integer(getattr(error.detail, name)) for name in _UNIT_ERRORS}
    kinds = say("scored.unit_errors", **counts)
    brackets = say.semicolon_list(filter(None, (shown, n, of_documents)))
    rate = say.number(error.value)
    return say("scored.unit_error", rate=rate, brackets=brackets, kinds=kinds)


def score_lines(results: Results) -> list[str]:
    """Return the main score of each system with its reference, for the terminal."""
    say, found = Language("en", TERMINAL), list[str]()
    for validity in results.validity:
        against = reference_of(say, validity)
        for system in validity.systems:
            for value in [one for one in system.values if one.measure in MAIN][:1]:
                shown = " ".join((say.number(value.value), say.interval(value.interval))).strip()
                of = f"{value.measure} of {system.system} ({system.layer})"
                found.append(f"{of}: {shown}, against {against}")
        if validity.error is not None:
            said = error_sentence(say, validity.error)
            found.append(f"reference {validity.reference} ({validity.layer}): {said}")
    return found
