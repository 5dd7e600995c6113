"""Whatever is damaged in a campaign's store, the next run completes with the same results."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import all_cases, import_decisions, last_run
from accordeur.metrics.references.adjudication import Decision
from tests.faults.runs import fingerprint
from tests.flows.runs import campaign_run
from tests.flows.small import write_small

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]
Damage = Callable[[Path, random.Random], object]

_REST = '\n[reference]\nrule = "majority"\n'


def cut(file: Path, draw: random.Random) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: draw.randrange(len(content))])


def flip_bit(file: Path, draw: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    file.write_bytes(content)


def empty(file: Path, draw: random.Random) -> None:
    file.write_bytes(b"")


def delete(file: Path, draw: random.Random) -> None:
    file.unlink()


def make_folder(file: Path, draw: random.Random) -> None:
    file.unlink()
    file.mkdir()
    (file / "inside").write_text("x", encoding="utf-8")


def write_other_json(file: Path, draw: random.Random) -> None:
    file.write_text(draw.choice(["{}", "[]", "null", '{"seal": 1, "files": 2}', "0", "["]))


def swap(file: Path, draw: random.Random) -> None:
    """Exchange contents with another file of the same ending."""
    store = next(parent for parent in file.parents if parent.name == "runs")
    others = [one for one in store.rglob(f"*{file.suffix}") if one.is_file() and one != file]
    other = draw.choice(sorted(others) or [file])
    mine, theirs = file.read_bytes(), other.read_bytes()
    file.write_bytes(theirs)
    other.write_bytes(mine)


def forbid_reading(file: Path, draw: random.Random) -> None:
    file.chmod(0)  # no obstacle where the tests run as root


DAMAGES: tuple[Damage, ...] = (
    cut, flip_bit, empty, delete, make_folder, write_other_json, swap, forbid_reading,
)  # fmt: skip


class Campaign:
    """A campaign run twice, with decisions on its disagreements; `mend` restores its store."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.file = write_small(folder)
        self.file.write_text(self.file.read_text("utf-8") + _REST, encoding="utf-8")
        self._run, self.folder, self._sound = run, folder / "runs", folder / "sound"
        run(self.file)
        store = Store(str(self.folder))
        case = all_cases(store, last_run(store))[0]
        import_decisions(store, [(case.layer, Decision(case.case, "x", "eve", "2026-01-01"))])
        run(self.file)
        self.results = fingerprint(store)
        shutil.copytree(self.folder, self._sound)

    def mend(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self._sound, self.folder)

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def run(self) -> dict[str, str]:
        self._run(self.file)
        return fingerprint(Store(str(self.folder)))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Campaign:
    return Campaign(tmp_path_factory.mktemp("damaged"), campaign_run)


def damage_and_run(campaign: Campaign, seed: int) -> None:
    """One damage, drawn so that each folder of the store has the same chance."""
    draw = random.Random(seed)
    campaign.mend()
    by_folder: dict[str, list[Path]] = {}
    for path in campaign.files():
        by_folder.setdefault(path.relative_to(campaign.folder).parts[0], []).append(path)
    file = draw.choice(by_folder[draw.choice(sorted(by_folder))])
    damage = draw.choice(DAMAGES)
    if draw.random() < 0.5:  # else the last report may stand, and little is read
        (campaign.folder / "reports/run-0002/manifest.json").unlink(missing_ok=True)
    if file.exists() and (file.stat().st_size or (damage is not cut and damage is not flip_bit)):
        damage(file, draw)
    what = f"{damage.__name__} {file.relative_to(campaign.folder)}"  # type: ignore[attr-defined]
    try:
        assert campaign.run() == campaign.results, what
    except Exception as error:
        raise AssertionError(f"seed {seed}: {what}") from error


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 3, 4, 54])  # 54: a folder where decisions are kept
def test_a_damaged_store_changes_no_result(campaign: Campaign, seed: int) -> None:
    damage_and_run(campaign, seed)


@pytest.mark.long
def test_30_damaged_stores_change_no_result(campaign: Campaign) -> None:
    failed = []
    for seed in range(5, 35):
        try:
            damage_and_run(campaign, seed)
        except AssertionError as error:
            failed.append(f"{error}: {error.__cause__!r}")
    assert not failed, "\n".join(failed)


@pytest.mark.long
def test_a_damaged_summary_is_computed_again_and_reported(
    campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign.mend()
    for path in campaign.folder.glob("summarised/*/fields.json"):
        path.write_bytes(path.read_bytes()[:-20])
    assert campaign.run() == campaign.results
    reports = sorted(campaign.folder.glob("reports/*/report.html"))
    assert "which were recomputed" in reports[-1].read_text("utf-8")


def test_decisions_damaged_together_with_their_copy_are_refused(campaign: Campaign) -> None:
    campaign.mend()
    for path in campaign.folder.glob("adjudication/**/decisions-0001.json"):
        path.write_bytes(b"{}")
    with pytest.raises(DataError, match="damaged, and so is its copy"):
        campaign.run()


def test_a_record_of_decisions_and_its_copy_may_change_places(campaign: Campaign) -> None:
    campaign.mend()
    first, second = sorted(campaign.folder.glob("adjudication/**/decisions-0001.json"))
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert campaign.run() == campaign.results
