"""Probable errors in sentences, for page, terminal, files and notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from .language import Language
from .results import Mistake, MistakeQueue

MESSAGES = ("account", "mistakes", "")  # catalogues that the terminal needs
COLUMNS = (
    *("document", "item", "annotators", "label", "probability", "reason", "explanation"),
    *("other", "n_other", "n_annotators", "error_rate", "n_rejected", "n_judged"),
)


def reason_sentence(say: Language, one: Mistake) -> str:
    """Explain why an annotation is probably an error, and how reliable its annotators are."""
    words = say(
        f"mistakes.reason_{one.reason}",
        other=one.other or say("mistakes.nothing"),
        n=say.integer(one.n_other),
        annotators=say.counted("annotator", one.n_annotators),
    )
    rate = say(
        "mistakes.error_rate_of" if len(one.annotators) == 1 else "mistakes.mean_error_rate_of",
        names=", ".join(one.annotators),
        rate=say.percent(one.error_rate, 0),
    )
    rejected = ""
    if one.n_judged:
        rejected = say(
            "mistakes.rejected", n=say.integer(one.n_rejected), all=say.integer(one.n_judged)
        )
    return " ".join(part for part in (words, rejected, rate) if part)


def summary_sentences(say: Language, found: MistakeQueue) -> list[str]:
    """Describe how many probable errors there are, their basis, and how many were changed."""
    said = [
        say(
            "mistakes.summary",
            n=say.integer(found.n_probable),
            all=say.integer(found.n_annotations),
            probability=say.number(found.at_least, 2),
            expected=say.integer(found.expected),
        ),
        say("mistakes.varying", n=say.integer(found.n_varying)),
    ]
    if found.n_judgments:
        said.append(say("mistakes.judgments", n=say.integer(found.n_judgments)))
    if found.n_audited:
        said.append(say("mistakes.audited", n=say.integer(found.n_audited)))
    if found.systems:
        said.append(say("mistakes.systems", names=", ".join(found.systems)))
    if found.n_decided:
        lower, upper = found.interval
        said.append(
            say(
                "mistakes.precision",
                n=say.integer(found.n_decided),
                changed=say.integer(found.n_changed),
                share=say.percent(found.n_changed / found.n_decided, 0),
                lower=say.percent(lower, 0),
                upper=say.percent(upper, 0),
            )
        )
    return said


def mistake_columns(mistakes: Sequence[Mistake]) -> dict[str, list[object]]:
    """Return the queue as columns of a table, one row per annotation."""
    say = Language("en", MESSAGES)
    rows = [
        {
            **one.model_dump(),
            "probability": round(one.probability, 4),
            "error_rate": round(one.error_rate, 4),
            "item": one.where,
            "annotators": ", ".join(one.annotators),
            "label": one.label or say("mistakes.nothing"),
            "explanation": reason_sentence(say, one),
        }
        for one in mistakes
    ]
    return {name: [row[name] for row in rows] for name in COLUMNS}
