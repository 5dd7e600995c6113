"""Each measure as a function of its name: `gwet_ac1(matrix)`, `pairwise_f(units)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any

from ..data.renamed_words import MEANT_COMMANDS, call_of_function
from ..metrics.measure_text import MeasureText
from ..metrics.measures import (
    ITEMS,
    OBJECTS,
    RATINGS,
    RELATIONS,
    SCORES,
    UNITS,
    measure_of,
)
from ..metrics.objects.registry import OBJECT_DISTANCES
from .keyword_options import public
from .matrices import coefficient

_ROOT = __name__.partition(".")[0]


@cache
def function_of(name: str) -> Callable[..., Any] | None:
    """Return `coefficient` or `gamma` with a measure on items or on units; None for other names.

    Its parameters are those of the function, without the measure.
    """
    if name in ITEMS:
        return _with_measure(name, coefficient, "name", "coefficient")
    if name not in UNITS:
        return None
    from .units import gamma

    return _with_measure(name, gamma, "measure", "gamma")


def call_of(name: str) -> str:
    """Return how to call what a name means: of another library, of a measure, of a command.

    "" if it means nothing here.
    """
    if call := call_of_function(name):
        return call
    own = MeasureText.read(name).name
    for names, call in (
        (RELATIONS, f'relations(…)["{own}"]'),
        (RATINGS, f'icc(…)["{own}"]'),
        (SCORES, f'score(reference, system, measures="{own}")'),
        (OBJECTS, f'agreement(…, distance="word_error", measures="{own}"), or another distance'),
        (OBJECT_DISTANCES, f'agreement(…, distance="{own}")'),
        (MEANT_COMMANDS, f"`accordeur {own}`, a command"),
    ):
        if own in names:
            return call
    return ""


def _with_measure(
    measure: str, call: Callable[..., Any], parameter: str, known: str
) -> Callable[..., Any]:
    from ..reports.bibliography import author_year_citation
    from ..reports.language import Language
    from ..reports.page.values import measure_name

    def measured(*given: Any, **keywords: Any) -> Any:
        return call(*given, **keywords, **{parameter: measure})

    def measured_first(*given: Any, **keywords: Any) -> Any:
        return call(measure, *given, **keywords)

    found = signature(call)
    kept = [one for own, one in found.parameters.items() if own != parameter]
    is_first = found.parameters[parameter].kind is Parameter.POSITIONAL_OR_KEYWORD
    function = measured_first if is_first else measured
    words = measure_name(Language("en", ("",)), measure)
    source = author_year_citation(measure_of(measure).sources)
    function.__doc__ = f"Compute {words}; arguments as for `{known}`.\n\nSource: {source}."
    function.__name__ = function.__qualname__ = measure
    function.__module__ = _ROOT
    function.__signature__ = found.replace(parameters=kept)  # type: ignore[attr-defined]
    return public(measure="measure")(function)
