"""What to type where a table's columns are called otherwise, or not at all."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence

PEOPLE = ("rater", "coder", "judge", "observer", "worker", "user", "person", "subject")
VALUES = ("rating", "code", "response", "answer", "value", "category", "class", "score", "vote")
_THINGS = ("item", "task", "question", "instance", "example", "case", "post", "tweet", "sentence")
_LIKE = {  # what the columns of long tables are called besides
    "item": re.compile(rf"({'|'.join(_THINGS)})?[ _.-]?(id|nr|no|number|name)?", re.I),
    "annotator": re.compile(
        rf"\W?(\w+[ _.-])?({'|'.join(PEOPLE)})s?([ _.-]?(ids?|nr|no|number|name))?", re.I
    ),
    "label": re.compile(rf"({'|'.join(VALUES)}|judge?ment|tag|sentiment)s?", re.I),
}
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,:]*")


def naming_hint(header: Sequence[str], taken: Collection[int], lacking: Sequence[str]) -> str:
    """How to name the columns that are lacking, with the header's own where they are plain.

    taken  positions of the columns that were recognised
    """
    if any(_NUMBER.fullmatch(name.strip()) for name in header):
        return (
            "If the first line names no columns, say what they are: `--option "
            "columns=annotator,item,label` (agree, score; of units annotator,category,start,end), "
            '`options = { columns = "annotator,item,label" }` (a campaign\'s source)'
        )
    if list(lacking) == ["annotator"]:
        return (
            "Name the column (`--option annotator=COLUMN`), or say that each file is one "
            "annotator's: `--option file=annotator` with the folder of them all (in a campaign's "
            'source `options = { file = "annotator" }`)'
        )
    of_labels = set(lacking) <= _LIKE.keys()
    free = [name for k, name in enumerate(header) if k not in taken]
    chosen = {}
    for name in lacking:
        like = [own for own in free if of_labels and _LIKE[name].fullmatch(own.strip())]
        chosen[name] = like[0] if len(like) == 1 else ""
    own = {name: chosen[name] or name.upper() for name in lacking}
    keys = ", ".join(f'{name} = "{column}"' for name, column in own.items())
    source = f"`options = {{ {keys} }}` (a campaign's source)"
    if not of_labels:
        named = " ".join(f"--option {name}={shlex.quote(column)}" for name, column in own.items())
        return f"Rename them, or say which they are: `{named}` (gamma, score), {source}"
    named = " ".join(f"--{name} {shlex.quote(column)}" for name, column in own.items())
    wide = (
        ""
        if any(chosen.values())
        else ", or `--wide` where each column is an annotator's, the item aside"
    )
    return (
        f"Rename them, or say which they are: `{named}`{wide} (agree, resample), "
        f"`--option start=COLUMN` (gamma, score), {source}"
    )
