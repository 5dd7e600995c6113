"""Declarations of sources, rows and annotators in the campaign file, for `run` and `check`.

Also the attributes of annotators, from the table that it names and from [annotators].
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date
from pathlib import Path

from ....data.annotator_attributes import Attributes, read_attributes
from ....data.errors import DataError
from ....data.file_listing import matching_paths
from ....data.validation.expectations import Expectation
from ....data.validation.rule import Declared
from ....metrics.errors import MetricsError
from ....metrics.objects.registry import OBJECT_DISTANCES, NamedDistance
from ....metrics.validity_separation import reject_system_as_annotator
from ...toml_file import ConfigError
from .campaign_config import Config


def declared_in(config: Config) -> Declared:
    """Return what rows are validated against: tagsets, annotators, layers of units, objects."""
    strict = config.declares_annotators
    return Declared(
        tagsets={
            name: layer.categories for name, layer in config.layers.items() if layer.categories
        },
        roles={name: who.role for name, who in config.annotators.items()} if strict else {},
        unlabelled=tuple(name for name, layer in config.layers.items() if layer.unlabelled),
        trim=config.units.trim,
        objects=distances_of_objects(config),
        deliveries=_order_of_deliveries(config),
    )


def _order_of_deliveries(config: Config) -> tuple[int | None, ...]:
    """Return the number of the delivery of each source, days for dates; () if none is declared."""
    given = [source.delivery for source in config.sources]
    if not any(one is not None for one in given):
        return ()
    return tuple(one.toordinal() if isinstance(one, date) else one for one in given)


def distances_of_objects(config: Config) -> dict[str, NamedDistance]:
    """Return the distance of each layer whose labels are declared as objects."""
    return {
        name: NamedDistance(layer.distance_name)
        for name, layer in config.layers.items()
        if layer.distance_name in OBJECT_DISTANCES
    }


def expectations_in(config: Config) -> tuple[Expectation, ...]:
    """Return the campaign file's expectations, in addition to the built-in rules."""
    return tuple(
        Expectation(number, one.table, one.type, one.arguments, one.severity, one.description)
        for number, one in enumerate(config.expectations)
    )


def require_runnable(config: Config, file: Path) -> None:
    """Raise an error for anything that would stop a run, before it starts.

    file  the campaign file, which the messages name

    ConfigError for a missing source or table, DataError for an invalid expectation
    and an unreadable table of attributes.
    """
    for number, source in enumerate(config.sources):
        if "://" not in source.path and not matching_paths(source.path):
            raise ConfigError(
                f"{file}: sources[{number}].path: {source.path}: no such file or folder, and no "
                "file matches it as a pattern; paths are relative to the campaign file"
            )
    require_tables(config)
    require_expectations(config)


def require_tables(config: Config) -> None:
    """Raise ConfigError for a missing table, DataError for an unreadable table of attributes."""
    attributes_of_annotators(config)
    for key, path in tables_of(config).items():
        if not Path(path).is_file():
            raise ConfigError(f"{key}: {path}: no such file")
    for name, layer in config.layers.items():
        try:
            if layer.categories:
                layer.table_of_distances.require_declared(layer.categories)
        except (MetricsError, DataError) as error:
            raise ConfigError(f"layers.{name}.distance: {error}") from None


def tables_of(config: Config) -> dict[str, str]:
    """Return key → path of the tables that the campaign file names beside the exports."""
    tables: dict[str, str | None] = {
        f"annotators.{name}.distributions": one.distributions
        for name, one in config.annotators.items()
    }
    tables["mistakes.judgments"] = config.mistakes.judgments
    tables["mistakes.audited"] = config.mistakes.audited
    if config.replacement is not None:
        tables["replacement.lengths"] = config.replacement.lengths
    if config.judges is not None:
        tables["judges.lengths"] = config.judges.lengths
        tables["judges.confidence"] = config.judges.confidence
        tables["judges.by"] = config.judges.by
    if config.ranking is not None:
        tables["ranking.preferences"] = config.ranking.preferences
    tables |= {
        f"layers.{name}.distance": one.distances
        for name, one in config.layers.items()
        if isinstance(one.distances, str)
    }
    return {key: path for key, path in tables.items() if path}


def require_expectations(config: Config) -> None:
    """Raise DataError, with the key, for an expectation that cannot be evaluated."""
    if config.expectations:
        from ....data.validation import checks  # importing Great Expectations takes seconds

        checks.require_expectations(expectations_in(config))


def roles_of(found: Mapping[str, Set[str]], declared: Mapping[str, str]) -> dict[str, str]:
    """Return each annotator's role: the declared one, else the role in the exports, else human.

    found  annotator → roles in the exports

    Raises ConfigError for an annotator with two roles, RoleError for a system declared human.
    """
    chosen: dict[str, str] = {}
    for name, of_name in sorted(found.items()):
        if name in declared:
            if declared[name] == "human" and of_name == {"system"}:
                reject_system_as_annotator(name)
            chosen[name] = declared[name]
        elif len(of_name) > 1:
            raise ConfigError(
                f"annotator {name!r} is {' and '.join(sorted(of_name))} in different exports: give "
                f"the role in [annotators.{name!r}], or another name with `annotator` in a source"
            )
        else:
            chosen[name] = next(iter(of_name), "human")
    return chosen


def attributes_of_annotators(config: Config) -> Attributes:
    """Map attribute → displayed annotator → value. Raises DataError for an invalid table."""
    path = config.groups.attributes
    given = {} if path is None else read_attributes(Path(path))
    for name, who in config.annotators.items():
        for attribute, value in who.attributes.items():
            given.setdefault(attribute, {})[name] = value
    return {
        attribute: {config.shown_as(name): value for name, value in values.items()}
        for attribute, values in given.items()
    }
