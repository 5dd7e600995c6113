"""What the campaign file says of sources, rows and annotators, for a run and for `check` alike."""

from __future__ import annotations

from collections.abc import Mapping, Set
from glob import glob
from pathlib import Path

from ....data.validation.expectations import Expectation
from ....data.validation.rules import Declared
from ....metrics.wall import require_not_annotator
from ...toml_file import ConfigError
from .attributes import attributes_of
from .config import Config


def declared_in(config: Config) -> Declared:
    """What rows can break: tagsets, people, layers whose units may have no category."""
    strict = config.annotators and config.validation.undeclared_annotators == "reject"
    return Declared(
        tagsets={name: layer.tagset for name, layer in config.layers.items() if layer.tagset},
        roles={name: who.role for name, who in config.annotators.items()} if strict else {},
        unlabelled=tuple(name for name, layer in config.layers.items() if layer.unlabelled),
    )


def expectations_in(config: Config) -> tuple[Expectation, ...]:
    """What the campaign file expects of the tables, besides our rules."""
    return tuple(
        Expectation(number, one.table, one.type, one.arguments, one.severity, one.description)
        for number, one in enumerate(config.expectations)
    )


def require_runnable(config: Config) -> None:
    """Raise an error for what would stop a run, before anything is started.

    ConfigError for a source or a table of distributions that is not there, DataError for an
    expectation that cannot be judged and a table of attributes that cannot be read.
    """
    for number, source in enumerate(config.sources):
        is_there = Path(source.path).exists() or glob(source.path, recursive=True)  # noqa: PTH207
        if "://" not in source.path and not is_there:
            raise ConfigError(
                f"sources[{number}].path: {source.path}: no such file or folder, and no file "
                "matches it as a pattern; paths are relative to the campaign file"
            )
    attributes_of(config)
    for name, one in config.annotators.items():
        if one.distributions and not Path(one.distributions).is_file():
            raise ConfigError(f"annotators.{name}.distributions: {one.distributions}: no such file")
    require_expectations(config)


def require_expectations(config: Config) -> None:
    """Raise DataError for an expectation that cannot be judged, naming its key."""
    if config.expectations:
        from ....data.validation import checks  # Great Expectations takes seconds

        checks.require_expectations(expectations_in(config))


def roles_of(found: Mapping[str, Set[str]], declared: Mapping[str, str]) -> dict[str, str]:
    """The one role of each annotator: the declared role, else the role in the exports, else human.

    found: annotator → the roles that exports give. Raises ConfigError when one has two,
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
