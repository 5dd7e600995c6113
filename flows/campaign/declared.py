"""What the campaign file says of rows, people and the reference, for a run and for `check`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

from data.rules import Declared
from flows.campaign.config import Config
from flows.campaign.decisions import Decisions, read_decisions, require_layers
from flows.toml_file import ConfigError
from metrics.scoring.wall import require_not_annotator


def declared_in(config: Config) -> Declared:
    """What rows can break: tagsets, people, layers whose units may have no category."""
    strict = config.annotators and config.validation.undeclared_annotators == "reject"
    return Declared(
        tagsets={name: layer.tagset for name, layer in config.layers.items() if layer.tagset},
        roles={name: who.role for name, who in config.annotators.items()} if strict else {},
        unlabelled=tuple(name for name, layer in config.layers.items() if layer.unlabelled),
    )


def roles_of(found: Mapping[str, Set[str]], declared: Mapping[str, str]) -> dict[str, str]:
    """The one role of each annotator: the declared one, else that of the exports, else human.

    found: annotator → the roles that exports give. Raises ConfigError when somebody has two,
    RoleError when a system is declared human.
    """
    chosen: dict[str, str] = {}
    for name, of_name in sorted(found.items()):
        if name in declared:
            if declared[name] == "human" and of_name == {"system"}:
                require_not_annotator(name)
            chosen[name] = declared[name]
        elif len(of_name) > 1:
            raise ConfigError(
                f"annotator {name!r} is {' and '.join(sorted(of_name))} in different exports: give "
                f"the role in [annotators.{name!r}], or another name with `annotator` in a source"
            )
        else:
            chosen[name] = next(iter(of_name), "human")
    return chosen


def decisions_declared(config: Config) -> Decisions:
    """Those of the file that [reference] names. Raises DataError where it cannot be read."""
    if config.reference is None or config.reference.decisions is None:
        return []
    return read_decisions(config.reference.decisions)


def require_reference(config: Config, humans_of: Mapping[str, Collection[str]]) -> None:
    """Raise for a [reference] that the layers found (layer → its humans) cannot have.

    Raises ConfigError for an annotator whom no layer has as a human, DataError for a file of
    decisions that cannot be read or names another layer.
    """
    require_layers(decisions_declared(config), humans_of)
    marked = config.reference.annotator if config.reference else None
    people = sorted({name for humans in humans_of.values() for name in humans})
    if marked is not None and marked not in people:
        raise ConfigError(
            f"reference.annotator: no layer has a human annotator {marked!r} "
            f"({', '.join(people)}); a system cannot be the reference that it is judged by"
        )
