"""Probable errors in sentences, for page, terminal, files and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .language import Language
from .results import GRADES, Grade, Mistake, MistakeQueue, SystematicDifference, grade_of

MESSAGES = ("account", "mistakes", "")  # catalogues that the terminal needs
COLUMNS = (
    *("document", "item", "annotators", "label", "probability", "grade", "systematic"),
    *("reason", "explanation"),
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


_MOST_SYSTEMATIC = 5


def likelihood_text(
    say: Language, found: MistakeQueue, probability: float, *, systematic: bool = False
) -> str:
    """A grade; the probability only if it was calibrated on audited items."""
    if systematic:
        return say("mistakes.grade_systematic")
    if not found.n_audited:
        return say(f"mistakes.grade_{grade_of(probability)}")
    # Two digits in every row: the model is not certain enough for more.
    return f"> {say.plain(0.99, 2)}" if probability >= 0.995 else say.plain(probability, 2)


def grade_bounds(say: Language) -> dict[str, str]:
    return {name: say.plain(least, 1) for name, least in GRADES.items() if least}


def summary_sentences(say: Language, found: MistakeQueue) -> list[str]:
    """Describe how many probable errors there are, their basis, and how many were changed."""
    said = [
        say(
            "mistakes.summary",
            n=say.integer(found.n_probable),
            all=say.integer(found.n_annotations),
        ),
    ]
    if found.n_audited:
        said.append(say("mistakes.expected", n=say.integer(found.expected)))
    elif found.n_probable:
        of_grades = {one.name: say.integer(one.n) for one in found.grades}
        said.append(say("mistakes.by_grade", grades=_by_grade(say, of_grades)))
    said.append(say("mistakes.varying", n=say.integer(found.n_varying)))
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
        wrong = {
            one.name: say(
                "mistakes.wrong_of", n=say.integer(one.n_changed), all=say.integer(one.n_decided)
            )
            for one in found.grades
            if one.n_decided
        }
        said.append(say("mistakes.by_grade_decided", grades=_by_grade(say, wrong)))
    if found.systematic:
        shown = found.systematic[:_MOST_SYSTEMATIC]
        said += [_systematic_sentence(say, one) for one in shown]
        said.append(say("mistakes.systematic_note"))
    return said


def _by_grade(say: Language, of_grades: Mapping[Grade, str]) -> str:
    return say.semicolon_list(
        [
            say("value.labelled", label=say(f"mistakes.grade_{name}"), said=text)
            for name, text in of_grades.items()
        ]
    )


def _systematic_sentence(say: Language, one: SystematicDifference) -> str:
    return say(
        f"mistakes.systematic_{one.given}",
        annotator=one.annotator,
        label=one.label or say("mistakes.nothing"),
        other=one.other or say("mistakes.nothing"),
        n=say.integer(one.n),
        all=say.integer(one.out_of),
        elsewhere=say.percent(one.elsewhere, 0),
    )


def mistake_columns(mistakes: Sequence[Mistake]) -> dict[str, list[object]]:
    """Return the queue as columns of a table, one row per annotation."""
    say = Language("en", MESSAGES)
    rows = [
        {
            **one.model_dump(),
            "probability": round(one.probability, 4),
            "error_rate": round(one.error_rate, 4),
            "item": one.where,
            "grade": one.grade,
            "annotators": ", ".join(one.annotators),
            "label": one.label or say("mistakes.nothing"),
            "explanation": reason_sentence(say, one),
        }
        for one in mistakes
    ]
    return {name: [row[name] for row in rows] for name in COLUMNS}
