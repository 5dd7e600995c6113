"""Checks of the campaign file's [reference] section, for `run` and `check`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...toml_file import ConfigError
from ..adjudication.decisions import Decisions, read_decisions, require_known_layers
from .campaign_config import Config
from .declared import distances_of_objects


def require_gold(config: Config, references: Collection[str]) -> None:
    """Raise ConfigError unless the gold annotator is a reference of some layer."""
    gold = config.reference and config.reference.gold
    if gold and config.shown_as(gold) not in references:
        raise ConfigError(
            f"reference.gold: no layer has {gold!r} with the role reference "
            f"({', '.join(sorted(references)) or 'none has'}); declare it as "
            f'[annotators.{gold}] role = "reference"'
        )


def decisions_declared(config: Config) -> Decisions:
    """Return the decisions in the file that [reference] names. Raises DataError if unreadable."""
    if config.reference is None or config.reference.decisions is None:
        return []
    return read_decisions(config.reference.decisions)


def require_reference(config: Config, humans_of: Mapping[str, Collection[str]]) -> None:
    """Raise an error for a [reference] that the layers (layer → its humans) do not allow.

    Raises ConfigError if the selected annotator is not a human of any layer, DataError for a file
    of decisions that cannot be read or names another layer, or a layer of objects.
    """
    of_categories = humans_of.keys() - distances_of_objects(config).keys()
    require_known_layers(decisions_declared(config), of_categories)
    marked = config.reference.annotator if config.reference else None
    marked = marked and config.shown_as(marked)
    people = sorted({name for humans in humans_of.values() for name in humans})
    if marked is not None and marked not in people:
        raise ConfigError(
            f"reference.annotator: no layer has a human annotator {marked!r} "
            f"({', '.join(people)}); a system cannot be the reference that it is judged by"
        )
