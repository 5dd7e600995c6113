"""Account of rows as one sentence, for the report and the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from ..data.row_account import RowAccount
from .language import Language


def account_sentence(
    account: RowAccount, say: Language, *, explained: bool = False, rules: bool = True
) -> str:
    """Format an account of rows as one sentence.

    For example: `3,328 rows read: 3,260 measured, 68 excluded (cancelled), 0 rejected; 5
    annotators`.

    `explained` adds a description to the code of a rule, as on pages; without `rules` the rejected
    rows are only counted, for a list that follows.
    """
    n = say.integer
    measured = "account.measured_and_reference" if account.also_reference else "account.measured"
    fates = []
    if account.measured or not (account.system or account.reference_only or account.audit):
        fates.append(say(measured, n=n(account.measured), also=n(account.also_reference)))
    if account.reference_only:
        fates.append(say("account.reference_only", n=n(account.reference_only)))
    if account.system:
        fates.append(say("account.system", n=n(account.system)))
    if account.audit:
        fates.append(say("account.audit", n=n(account.audit)))
    if account.n_excluded:
        reasons = ", ".join(
            _excluded(reason, number if len(account.excluded) > 1 else None, say)
            for reason, number in _largest_first(account.excluded)
        )
        fates.append(say("account.excluded", n=n(account.n_excluded), reasons=reasons))
    counts = _largest_first(account.rejected)
    numbers = [(rule, number if len(counts) > 1 else None) for rule, number in counts]
    if explained:
        broken = say.semicolon_list(_rejected(*entry, say) for entry in numbers)
    else:
        broken = ", ".join(_numbered(number, rule, say) for rule, number in numbers)
    by = "account.rejected_by" if broken and rules else "account.rejected"
    fates.append(say(by, n=n(account.n_rejected), rules=broken))
    read = say.counted("row", account.n_read)
    if not account.n_annotators:  # nothing is measured: systems are scored
        return say("account.fates", read=read, fates=", ".join(fates))
    people = say.counted("annotator", account.n_annotators)
    if account.most_annotators < account.n_annotators:
        most = n(account.most_annotators)
        people = say(f"account.most_per_{account.per}", people=people, most=most)
    return say("account.sentence", read=read, fates=", ".join(fates), people=people)


def _largest_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def _numbered(number: int | None, words: str, say: Language) -> str:
    """Put the number of rows before the words; None for a single entry, whose number is said."""
    return words if number is None else f"{say.integer(number)} {words}"


def _excluded(reason: str, number: int | None, say: Language) -> str:
    """Return the rows excluded for one reason; a reason without a message is shown by its code."""
    key = f"account.reason.{reason}"
    return _numbered(number, say(key) if say.knows(key) else reason, say)


def _rejected(rule: str, number: int | None, say: Language) -> str:
    """Return the rows rejected by one rule, with its message if there is one."""
    key = f"problem.{rule}"
    if not say.knows(key):
        return _numbered(number, rule, say)
    problem = say(key).removesuffix(".")
    words = say("account.rule", rule=rule, problem=problem[:1].lower() + problem[1:])
    return _numbered(number, words, say)
