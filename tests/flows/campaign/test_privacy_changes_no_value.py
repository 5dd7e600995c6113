"""With `privacy = true` a campaign has the same results, but for texts and the rows it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.campaign.test_pseudonyms_change_no_value import CHANGED, campaign_of, contents
from tests.flows.frozen.leaves import Leaves, differences
from tests.flows.outcomes import results_of

Run = Callable[..., tuple[dict[str, Any], Any]]
STATED = '[layers.units]\ncategories = ["A", "B"]\n[layers.labels]\ncategories = ["x", "y"]\n'
_OF_STRANGERS = {"units.csv": "d0,zoe,0,8,A\n", "labels.csv": "d0,i0,zoe,x\nd1,i1,zoe,y\n"}


_NOT_MEASURED = ("/alerts/", "/campaign/privacy", "/account/")


def measured(leaves: Leaves) -> Leaves:
    """Without alerts, the account, identifiers of units (hashed) and warnings of formats."""
    return {
        path: value
        for path, value in leaves.items()
        if not path.startswith(_NOT_MEASURED) and "/warnings/" not in path and path[-5:] != "/unit"
    }


@pytest.mark.long
@pytest.mark.services
def test_privacy_changes_nothing_but_the_rows_that_it_refuses(
    tmp_path: Path, run_campaign: Run
) -> None:
    """Without privacy nobody is undeclared; the private campaign refuses the rows of a stranger."""
    found = {}
    for is_private in (False, True):
        folder = tmp_path / f"private-{is_private}"
        campaign = campaign_of(folder)
        named = "".join(f'{who} = {{ pseudonym = "{one}" }}\n' for who, one in CHANGED.items())
        text = campaign.read_text(encoding="utf-8") + f"{STATED}[annotators]\n{named}"
        if is_private:
            text = text.replace('name = "Small"\n', 'name = "Small"\nprivacy = true\n')
            for name, rows in _OF_STRANGERS.items():
                with (folder / name).open("a", encoding="utf-8") as file:
                    file.write(rows)
        campaign.write_text(text, encoding="utf-8")
        outcome, _ = run_campaign(campaign)
        account = results_of(outcome)["validation"]["account"]
        found[is_private] = measured(contents(outcome, {})), account
    (named_values, plain), (private_values, private) = found[False], found[True]
    assert len(named_values) > 1000
    assert differences(named_values, private_values, 1e-12) == []
    assert private["rejected"] == {"annotator_known": 3}
    assert private["n_read"] == plain["n_read"] + 3
    same = plain.keys() - {"rejected", "n_read"}
    assert {key: plain[key] for key in same} == {key: private[key] for key in same}
