"""Patterns of paths that name documents and annotators: `{annotator}/{document}.tsv`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ..errors import DataError, OptionError

ANNOTATOR, DOCUMENT = "annotator", "document"
_PIECE = re.compile(r"\{([^{}]*)\}|\*\*/|\*|\?|[^{}*?]+|[{}]")
_SIGNS = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
_EXAMPLE = "'{annotator}/{document}.tsv'"


@dataclass(frozen=True, slots=True)
class PathPattern:
    """What the parts of paths below the folder that is read stand for.

    `{annotator}` and `{document}` stand for a name without "/"; several `{document}` are joined by
    "/". `*` and `?` stand for any characters of a name, `**/` for any folders. Beside `{document}`,
    `{annotator}` is as short as it can be: `{document}_{annotator}` ends a name at its last `_`.
    """

    text: str
    _names: re.Pattern[str] = field(repr=False, compare=False)
    _n_documents: int = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> PathPattern:
        """Parse the text of the option. Raises OptionError for another name, or no annotator."""
        has_annotator = False
        expression, n_documents = "", 0
        for piece in _PIECE.finditer(text):
            sign, name = piece[0], piece[1]
            if name == DOCUMENT:
                n_documents += 1
                expression += f"(?P<{DOCUMENT}{n_documents}>[^/]+)"
            elif name == ANNOTATOR and not has_annotator:
                has_annotator = True
                expression += f"(?P<{ANNOTATOR}>[^/]+?)"
            elif name is not None or sign in "{}":
                raise OptionError(_problem(text, name, sign))
            else:
                expression += _SIGNS.get(sign, re.escape(sign))
        if not has_annotator:
            raise OptionError(
                f"option paths = {text!r}: write {{annotator}} where the annotator's name stands, "
                f"as in {_EXAMPLE}"
            )
        return cls(text, re.compile(expression, re.DOTALL), n_documents)

    @property
    def names_documents(self) -> bool:
        """Whether a path names the document, too."""
        return self._n_documents > 0

    def names_in(self, path: str) -> tuple[str, str]:
        """Return the document and annotator in a path, relative to the folder that is read.

        Without `{document}`, the document is the rest of the path without the extension, perhaps
        "". The pattern may omit the extension. Raises DataError for a path that does not fit.
        """
        stem = str(PurePosixPath(path).with_suffix(""))
        for one in (stem, path):
            if found := self._names.fullmatch(one):
                break
        else:
            raise DataError(f"{path}: does not fit paths = {self.text!r}")
        parts = [found[f"{DOCUMENT}{k + 1}"] for k in range(self._n_documents)]
        if not parts:
            rest = stem[: found.start(ANNOTATOR)] + stem[found.end(ANNOTATOR) :]
            parts = [part for part in rest.split("/") if part]
        return "/".join(parts), found[ANNOTATOR]


def _problem(text: str, name: str | None, sign: str) -> str:
    if name == ANNOTATOR:
        return f"option paths = {text!r}: {{annotator}} stands once"
    return (
        f"option paths = {text!r}: {sign} is no name: write {{document}} again for what belongs to "
        "the document's name, and * for what means nothing"
    )
