"""Attributes of annotators, from the table named in the campaign file and from [annotators]."""

from __future__ import annotations

from pathlib import Path

from ....data.annotator_attributes import Attributes, read_attributes
from .campaign_config import Config


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
