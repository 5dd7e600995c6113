"""What files are, and how they can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..data.option_names import in_python
from ..metrics.errors import MetricsError
from ..tasks.inputs.look import Look


@dataclass(frozen=True)
class Looked:
    """What files are.

    Attributes
    ----------
    options
        Of the format, for :func:`read`: ``read(path, format=found.format, options=found.options)``.
    format
        Name of the format.
    commands
        The command for each layer that can be measured, by name of the layer.
    """

    options: Mapping[str, str]
    format: str
    commands: Mapping[str, str]
    _found: Look = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``accordeur look --json`` prints."""
        return self._found.as_json()

    def to_toml(self) -> str:
        """Return the sources of a campaign file."""
        return self._found.toml()

    def __repr__(self) -> str:
        from ..tasks.inputs.look_text import lines_of_look

        return "\n".join(lines_of_look(self._found))


@in_python(is_file=True)
def look(paths: str | Path | Sequence[str | Path]) -> Looked:
    """Say what files are, what can be measured, what is doubtful, and the command that does it.

    Parameters
    ----------
    paths
        File or folder of any format, table of any shape, or a list of several.

    Returns
    -------
    Looked
        Its text are the sentences that ``accordeur look`` prints.

    Raises
    ------
    DataError
        Nothing can be read.
    """
    from ..tasks.inputs.look import look as look_at

    given = [paths] if isinstance(paths, str | Path) else paths
    if not isinstance(given, list | tuple):
        raise MetricsError(
            "look takes paths: agreement(data) and gamma(data) say what a frame lacks"
        )
    found = look_at([*map(Path, given)])
    commands = {layer.name: found.command(layer) for layer in found.measurable}
    return Looked(found.options, found.format, commands, found)
