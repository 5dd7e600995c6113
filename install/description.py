"""The long description of the package: the README without what leads to files of the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n+", re.MULTILINE)
_LINK_TO_A_FILE = re.compile(r"\[([^\]]*)\]\((?!https?://)[^)]*\)")


class Description(MetadataHookInterface):
    """Fills in the dynamic field `readme`, as pyproject.toml declares."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = _LINK_TO_A_FILE.sub(r"\1", _PICTURE.sub("", text))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
