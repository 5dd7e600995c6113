"""Distances between categories that labels suggest: Fort et al. 2010, tables 5 and 6."""

from __future__ import annotations

from pathlib import Path

import pytest

import accordeur as acc
from tests.flows.in_process import found, said

CATEGORIES = ("Former", "New", "Rien")
TABLE_1 = ((71, 13, 23), (8, 69, 15), (7, 8, 18840))  # rows: annotator 2
TABLE_5 = (
    (0.735751, 0.108808, 0.155440),
    (0.115385, 0.758242, 0.126374),
    (0.000795, 0.000609, 0.998595),
)
D_ALPHA = {("Former", "New"): 0.887904, ("Former", "Rien"): 0.921882, ("New", "Rien"): 0.936508}
D_KAPPA = {("Former", "New"): 0.788362, ("Former", "Rien"): 0.843888, ("New", "Rien"): 0.873094}


def rows(divisor: int = 1) -> list[tuple[int, str, str]]:
    labels = [
        (first, second)
        for second, counts in zip(CATEGORIES, TABLE_1, strict=True)
        for first, n in zip(CATEGORIES, counts, strict=True)
        for _ in range(n)
    ]
    return [
        (i, who, one) for i, pair in enumerate(labels) for who, one in zip("ab", pair, strict=True)
    ]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fort") / "labels.csv"
    lines = [f"{item},{who},{label}" for item, who, label in rows()]
    path.write_text("item,annotator,label\n" + "\n".join(lines) + "\n")
    return path


def test_calibrate_prints_tables_5_and_6(table: Path) -> None:
    plain = found("calibrate", table)
    assert plain["tagset"] == list(CATEGORIES)
    for row, published in zip(plain["probabilities"], TABLE_5, strict=True):
        assert row == pytest.approx(published, abs=1e-6)
    for name, published in (("d_alpha", D_ALPHA), ("d_kappa_omega", D_KAPPA)):
        for (first, second), value in published.items():
            at = CATEGORIES.index(first), CATEGORIES.index(second)
            assert plain[name][at[0]][at[1]] == pytest.approx(value, abs=1e-6)
    code, printed = said("calibrate", table, "--form", "product")
    assert code == 0
    assert {"0.108808", "0.887904", "0.788362"} <= {*printed.split()}
    assert '"New"."Former" = 0.788362' in printed


def test_python_has_the_same_distances() -> None:
    columns = dict(zip(("item", "annotator", "label"), zip(*rows(), strict=True), strict=True))
    found = acc.category_distances({name: list(column) for name, column in columns.items()})
    of = {(row.first, row.second): row for row in found}
    assert of["Former", "New"].probability == pytest.approx(0.108808, abs=1e-6)
    for pair, value in D_ALPHA.items():
        assert of[pair].d_alpha == of[pair[::-1]].d_alpha == pytest.approx(value, abs=1e-6)
        assert of[pair].d_kappa_omega == pytest.approx(D_KAPPA[pair], abs=1e-6)


def test_an_export_without_units_or_labels_is_refused_as_before(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("document,annotator,start,end,category\n")
    assert said("calibrate", path)[0] == 2


def test_the_toml_is_read_by_a_campaign(table: Path, tmp_path: Path) -> None:
    from accordeur.flows.campaign.file.campaign_config import load_campaign

    head = '[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\n'
    path = tmp_path / "campaign.toml"
    path.write_text(head + found("calibrate", table)["toml"])
    assert load_campaign(path).layers["labels"].distances["New"]["Former"] == pytest.approx(
        0.887904
    )


def test_a_label_that_is_probably_misspelt_is_not_proposed(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    lines = [f"{i},{who},{'Former' if i % 3 else 'New'}" for i in range(9) for who in "ab"]
    lines[3] = "1,b,Formr"
    path.write_text("item,annotator,label\n" + "\n".join(lines) + "\n")
    toml = found("calibrate", path)["toml"]
    assert toml.splitlines()[1:3] == [
        'categories = ["Former", "New"]',
        '# left out, used once and probably misspelt: "Formr" for "Former"',
    ]
    assert toml.count("Formr") == 1
