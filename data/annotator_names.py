"""Names of annotators that say that the work is not a human annotator's.

This is the only list of such names. Names that no annotator has are certain: their rows are
excluded and counted, or are the curator's. Other names only suggest it, as an annotator might have
them: they are counted as human, with a warning that names the option to exclude them or to give
their role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .schema import Role

INITIAL_COPY, CURATOR = "INITIAL_CAS", "CURATION_USER"  # of INCEpTION and WebAnno
NOBODY = frozenset(
    (
        INITIAL_COPY,
        *("None", "none", "NONE", "null", "NULL", "nan", "NaN", "NaT", "<NA>", "#N/A"),
        *("n/a", "N/A", "undefined", "unassigned", "Unassigned", "UNASSIGNED"),
    )
)

_MAYBE_NOBODY = re.compile(
    r"unknown|anonymous|anon|inconnue?|anonyme|unbekannt|nobody|no[ _-]?one|missing|unassigned|"
    r"null|nan|na|n\.a\.?|[-?.]|not[ _-]?assigned|"
    r"(.*[ _-])?templates?([ _-].*)?|originals?|initial([ _-]?cas)?|empty|blank|"
    r"un[ _-]?annotated|raw|skeleton|"
    r"(.*[ _-])?pre[ _-]?(annotat(ions?|ed|or)|label(s|l?ed)?|tag(s|ged)?|ann)([ _-].*)?|"
    r"auto(matic)?([ _-]?(annotat(ions?|ed|or)|label(s|l?ed)?))?|imported",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"gold(en)?([ _.-]?(standard|labels?|annotations?|data|set))?|reference|ground[ _.-]?truth|gt|"
    r"(\w+[ _.-])+(final|consensus|adjudicated|gt)|"
    r"truth|consensus|adjudicat(ed|or|ion)|curat(ed|or|ion)([ _.-]?user)?|"
    r"final([ _.-]?(label|code|decision|rating|answer)s?)?|"
    r"(label|code|decision|rating|answer)s?[ _.-]?(final|gold|agreed|adjudicated)|"
    r"majority([ _.-]?(votes?|label))?|"
    r"(true|correct)[ _.-]?(label|class|answer)s?|y[ _.-]true|resolved|agreed|reconciled|"
    r"harmoni[sz]ed|discuss(ed|ion)|konsens|entscheidung|endgültig|r[ée]f[ée]rence|d[ée]cision|"
    r"conclusions?|conclusi[óo]n|acuerdo|итог|решение|결론|최종|정답|합의|结论|最终|正解|結論|最終",
    re.IGNORECASE,
)
_SYSTEM = re.compile(
    r"((chat)?gpt|claude|llama|gemini|gemma|mistral|mixtral|deepseek|qwen|llm|model|system|"
    r"predict(ions?|ed)|classifier|baseline|(?-i:(Ro|Distil)?BERTa?|SVM)|(\w+[ _.-])?pred|"
    r"rule[ _.-]?based|top[ _.-]?1)s?([^a-z].*)?|"
    r".*[^a-z](gpt|llm|model|system|predictions?|classifier|baseline)",
    re.IGNORECASE,
)
_HUMAN = re.compile(r"(human|person|expert|manual|teacher|gold|gt)s?([^a-z].*)?", re.IGNORECASE)
_MACHINE = re.compile(r"(ai|judge|machine|auto(matic|mated)?)s?([^a-z].*)?", re.IGNORECASE)
_ALONE = {"label": Role.REFERENCE, "judge": Role.SYSTEM}  # beside other annotators
_TIME = re.compile(r".*[0-9]{4}-[0-9]{2}-[0-9]{2}[_T -][0-9]{2}[-:.][0-9]{2}([-:.][0-9]{2})?")
_NUMBER = re.compile(r"[ _.-]?[0-9]+$")


def role_of(annotator: str, stated: Role = Role.HUMAN) -> Role:
    """Return the stated role; the curator of INCEpTION and WebAnno is a reference."""
    return Role.REFERENCE if annotator == CURATOR else stated


def suggested_roles(humans: Iterable[str]) -> dict[str, Role]:
    """Return annotators counted as human whose names are typical of a reference or a system.

    >>> suggested_roles(["anna", "gold_standard", "gpt-4", "goldberg"])
    {'gold_standard': <Role.REFERENCE: 'reference'>, 'gpt-4': <Role.SYSTEM: 'system'>}
    >>> suggested_roles(["human_score", "ai_score"])  # a contrast that `ai` alone does not make
    {'ai_score': <Role.SYSTEM: 'system'>}
    """
    found = {}
    humans = list(humans)
    is_contrast = any(_HUMAN.fullmatch(name.strip()) for name in humans)
    for name in humans:
        bare = name.strip()
        if bare.casefold() in _ALONE:
            found[name] = _ALONE[bare.casefold()]
        elif _SYSTEM.fullmatch(bare) or (is_contrast and _MACHINE.fullmatch(bare)):
            found[name] = Role.SYSTEM
        elif _REFERENCE.fullmatch(_NUMBER.sub("", bare)):
            found[name] = Role.REFERENCE
    return found


def are_human_and_machine(names: Iterable[str]) -> bool:
    """Whether annotators are called after humans or a reference, and after systems.

    >>> are_human_and_machine(["human_label", "judge_label"])
    True
    """
    names = list(names)
    roles = suggested_roles(names)
    others = [name for name in names if roles.get(name) != Role.SYSTEM]
    are_called = all(name in roles or _HUMAN.fullmatch(name.strip()) for name in others)
    return 0 < len(others) < len(names) and are_called


def judges_and_humans(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the annotators whose names are typical of a system, and the others."""
    roles = suggested_roles(names := list(names))
    judges = [name for name in names if roles.get(name) == Role.SYSTEM]
    return judges, [name for name in names if name not in judges]


def placeholder_annotators(humans: Iterable[str]) -> list[str]:
    """Return annotators counted as human whose names are typical of nobody's work.

    >>> placeholder_annotators(["anna", "unknown", "pre-annotations", "template_2", "Emptyfield"])
    ['unknown', 'pre-annotations', 'template_2']
    """
    return [
        name
        for name in humans
        if _MAYBE_NOBODY.fullmatch(name.strip())
        or _MAYBE_NOBODY.fullmatch(_NUMBER.sub("", name.strip()))
    ]


def named_after_times(humans: Iterable[str]) -> list[str]:
    """Return annotators named after a time, such as Prodigy's sessions without a name.

    >>> named_after_times(["news-2024-05-17_10-33-05", "news-anna"])
    ['news-2024-05-17_10-33-05']
    """
    return [name for name in humans if _TIME.fullmatch(name)]
