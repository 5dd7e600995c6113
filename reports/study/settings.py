"""Settings that distinguish the parts of a study, in the page's language."""

from __future__ import annotations

from ..language import Language
from ..page.values import symbol_of
from .study_results import StudyPart


def part_label(say: Language, part: StudyPart) -> str:
    """Return "ties drawn at random, generator item by item"; "" for a study with one part.

    Results without named settings (of an earlier version) keep their English label.
    """
    if not part.apart:
        return part.label
    return ", ".join(setting_text(say, key, value) for key, value in part.apart.items())


def part_sentence(say: Language, label: str, said: str) -> str:
    """Join the label of a part and its sentence; a leading symbol such as M(k) is unchanged."""
    if not label:
        return said
    is_word = said[1:2].islower()
    return say(
        "value.labelled",
        label=label[:1].upper() + label[1:],
        said=said[:1].lower() + said[1:] if is_word else said,
    )


def setting_text(say: Language, key: str, value: str) -> str:
    if key == "measure":
        return symbol_of(say, value)
    if key == "degradation":
        known = f"degradation.{value}"
        return say(known) if say.knows(known) else value.replace("_", " ")
    if key == "model":
        return say(f"rule.{value}") if say.knows(f"rule.{value}") else value
    if not say.knows(f"setting.{key}"):  # a variable of another package
        return f"{factor_name(say, key)}: {value}"
    shown = setting_value(say, key, value)
    return say(f"setting.{key}", value=shown) if value else shown


def setting_value(say: Language, key: str, value: str) -> str:
    """Return a value for a column that names the setting: "drawn at random"."""
    if key in ("measure", "degradation", "model"):
        return setting_text(say, key, value)
    if not value and say.knows(f"setting.{key}_none"):
        return say(f"setting.{key}_none")
    known = f"setting_value.{value}"
    return say(known) if say.knows(known) else value.replace(".", say("language.decimal_mark"))


def factor_name(say: Language, key: str) -> str:
    """Return the name of a setting; a variable of another package has its own."""
    known = f"factor.{key}"
    return say(known) if say.knows(known) else key.replace("_", " ")
