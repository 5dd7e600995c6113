"""The account of rows as one sentence, for the report and the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from ..data.account import RowAccount
from .language import Language


def account_sentence(account: RowAccount, say: Language) -> str:
    """`3,328 rows read: 3,260 measured, 68 excluded (68 cancelled), 0 rejected; 5 annotators`."""
    n = say.integer
    measured = "account.measured_and_reference" if account.also_reference else "account.measured"
    fates = []
    if account.measured or not (account.system or account.reference_only):
        fates.append(say(measured, n=n(account.measured), also=n(account.also_reference)))
    if account.reference_only:
        fates.append(say("account.reference_only", n=n(account.reference_only)))
    if account.system:
        fates.append(say("account.system", n=n(account.system)))
    if account.n_excluded:
        reasons = _counts_text(account.excluded, "account.reason", say)
        fates.append(say("account.excluded", n=n(account.n_excluded), reasons=reasons))
    rules = _counts_text(account.rejected, "", say)
    by = "account.rejected_by" if rules else "account.rejected"
    fates.append(say(by, n=n(account.n_rejected), rules=rules))
    read = say.counted("row", account.n_read)
    if not account.n_annotators:  # nothing is measured: systems are scored
        return say("account.fates", read=read, fates=", ".join(fates))
    people = say.counted("annotator", account.n_annotators)
    if account.most_annotators < account.n_annotators:
        most = n(account.most_annotators)
        people = say(f"account.most_per_{account.per}", people=people, most=most)
    return say("account.sentence", read=read, fates=", ".join(fates), people=people)


def _counts_text(counts: Mapping[str, int], keys: str, say: Language) -> str:
    """The counts, the largest first; a code without a message by its name."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(
        say(f"{keys}.{code}", n=say.integer(n))
        if keys and say.knows(f"{keys}.{code}")
        else f"{say.integer(n)} {code}"
        for code, n in ordered
    )
