"""Verdicts on systems that may replace an annotator, in sentences for page and terminal."""

from __future__ import annotations

from .language import MINUS, Language
from .results import LostItem, Replacement, ReplacementDecision, SystemReplacement
from .warnings import reason_text

MESSAGES = ("account", "replacement", "")  # catalogues that the terminal needs


def epsilon_sentence(say: Language, found: Replacement) -> str:
    key = "by_expertise" if found.expertise else "default" if found.is_default else "given"
    expertise = say(f"replacement.expertise_{found.expertise}") if found.expertise else ""
    return say(f"replacement.epsilon_{key}", epsilon=epsilon_text(say, found), expertise=expertise)


def verdict_sentences(say: Language, found: Replacement, one: SystemReplacement) -> list[str]:
    """Return the verdict first, then its stability, and its meaning for other annotators."""
    advantage, panel = one.values[0], one.panel
    if panel is None:
        reason = reason_text(say, advantage.reason, of_documents=found.kind == "units")
        return [say("replacement.undefined", system=one.system, reason=reason)]
    said = [
        say(
            f"replacement.{panel.verdict}",
            system=one.system,
            annotators=say.counted("annotator", len(one.annotators)),
            value=say.number(panel.mean),
            level=say.percent(1 - 2 * found.error, 0),
            error=say.percent(found.error, 0),
            interval=say.interval(panel.interval),
            border=f"{MINUS}{epsilon_text(say, found)}",
        )
    ]
    if found.replicates:
        firm = "stable" if panel.is_stable else "near_the_border"
        said.append(say(f"replacement.{firm}", share=say.percent(panel.stability, 0)))
        if not panel.is_stable:
            said.append(_more_needed_sentence(say, panel, one.over))
    if panel.verdict == "may" and not one.passed:
        rate = say.number(one.values[1].value, 2)
        said.append(say("replacement.alt_test_apart", rate=rate))
    said.append(_new_annotators(say, one, panel))
    if len(found.systems) > 1 and panel.verdict != "undecided":
        key = "same" if one.after_holm == panel.verdict else "lost"
        systems = say.counted("system", len(found.systems))
        said.append(say(f"replacement.holm_{key}", systems=systems))
    if one.n_missing:
        of_units = found.kind == "units"
        items = say.counted("document" if of_units else "item", one.n_missing)
        key = f"missing_{'documents_' if of_units else ''}{found.missing}"
        said.append(say(f"replacement.{key}", items=items, system=one.system))
    return [sentence for sentence in said if sentence]


def heading_key_of_lost(one: SystemReplacement) -> str:
    """Return the heading of the items, or documents of units, that a system would get wrong."""
    return f"replacement.lost{'_documents' if any(lost.units for lost in one.lost) else ''}"


def units_of_lost(say: Language, lost: LostItem) -> tuple[str, str]:
    """Describe how many units the system and the annotators marked in a document."""
    own = say("replacement.no_annotation")
    if lost.n_units is not None:
        own = say.counted("unit", lost.n_units)
    counts = [(name, say.integer(n)) for name, n in lost.units.items()]
    return own, ", ".join(say("value.labelled", label=name, said=n) for name, n in counts)


def epsilon_text(say: Language, found: Replacement) -> str:
    """Format ε without trailing zeros."""
    return say.plain(found.epsilon, 3).rstrip("0").rstrip(".,")


def _more_needed_sentence(say: Language, panel: ReplacementDecision, over: str) -> str:
    drawn = over.removesuffix("s")
    if panel.more is None:
        return say("replacement.more_unknown", over=over)
    key = "more_to_decide" if panel.verdict == "undecided" else "more_to_be_stable"
    return say(f"replacement.{key}", n=say.counted(drawn, panel.more))


def _new_annotators(say: Language, one: SystemReplacement, panel: ReplacementDecision) -> str:
    new = one.new_annotators
    if new is None:
        return ""
    if new.verdict == "undecided":
        if new.more is None:
            return say("replacement.new_undecided")
        return say("replacement.new_more", n=say.counted("annotator", new.more))
    apart = "" if new.verdict == panel.verdict else "apart_"
    return say(f"replacement.new_{apart}{new.verdict}")
