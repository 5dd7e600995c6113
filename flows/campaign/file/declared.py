"""What the campaign file says of rows and of people, for a run and for `check` alike."""

from __future__ import annotations

from collections.abc import Mapping, Set

from ....data.validation.rules import Declared
from ....metrics.wall import require_not_annotator
from ...toml_file import ConfigError
from .config import Config


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
