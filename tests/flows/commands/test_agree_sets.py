"""`accordeur agree` and `resample` on items with several labels, and what they warn of."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.agree import agree, resample
from accordeur.tasks.agreement.agreement_differences import agree_against
from accordeur.tasks.inputs.distance_options import ChosenDistance
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.results_of_exports import ExportResults
from tests.flows.command_line import accordeur

ROWS = {"a": ["joy|fear", "fear", "joy|sad", "sad"], "b": ["joy", "joy|fear", "sad", "fear|sad"]}
SCALE = {"a": [1, 2, 3, 4, 5, 1, 2, 3, 4, 5], "b": [1, 3, 3, 5, 5, 2, 2, 4, 4, 4]}
SETS = Reading(options={"separator": "|"})


def write(path: Path, rows: dict[str, list[str]] | dict[str, list[int]]) -> Path:
    lines = ["item,annotator,label"]
    for who, given in rows.items():
        lines += [f'{i},{who},"{label}"' for i, label in enumerate(given)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def value(found: ExportResults, measure: str) -> float:
    return next(one.value for one in found.estimates if one.measure == measure)


def test_sets_are_measured_with_their_distances(tmp_path: Path) -> None:
    """α by hand: D_o is the mean Jaccard distance, D_e the one of all pairs of eight sets."""
    path = write(tmp_path / "sets.csv", ROWS)
    given = [[{*cell.split("|")} for cell in cells] for cells in ROWS.values()]

    def distance(a: set[str], b: set[str]) -> float:
        return 1 - len(a & b) / len(a | b)

    observed = sum(distance(a, b) for a, b in zip(*given, strict=True)) / 4
    pool = [*given[0], *given[1]]
    expected = sum(distance(a, b) for a in pool for b in pool) / (8 * 7)
    found = agree(path, SETS, LabelOptions(distance=ChosenDistance("jaccard"), replicates=20))
    assert value(found, "krippendorff_alpha") == pytest.approx(1 - observed / expected, abs=1e-12)
    assert found.remarks == []
    nominal = agree(path, SETS, LabelOptions(replicates=0))
    assert any("--distance jaccard" in in_english(one) for one in nominal.remarks)


def test_wide_tables_and_lists_in_json_are_sets_too(tmp_path: Path) -> None:
    long = write(tmp_path / "long.csv", ROWS)
    wide, lists = tmp_path / "wide.csv", tmp_path / "lists.jsonl"
    cells = [f"{i},{a},{b}" for i, (a, b) in enumerate(zip(*ROWS.values(), strict=True))]
    wide.write_text("\n".join(["item,a,b", *cells]) + "\n")
    lists.write_text(
        "\n".join(
            f'{{"item": "{i}", "annotator": "{who}", "label": {cell.split("|")}}}'.replace("'", '"')
            for who, given in ROWS.items()
            for i, cell in enumerate(given)
        )
    )
    asked = LabelOptions(distance=ChosenDistance("masi"), replicates=0)
    expected = agree(long, SETS, asked).estimates
    assert [e.value for e in agree(wide, SETS, asked).estimates] == [e.value for e in expected]
    assert [e.value for e in agree(lists, options=asked).estimates] == [e.value for e in expected]


def test_two_annotations_with_sets_are_compared(tmp_path: Path) -> None:
    first = write(tmp_path / "first.csv", ROWS)
    others = {"a": ROWS["a"], "b": ["joy|fear", "fear", "sad", "sad"]}
    second = write(tmp_path / "second.csv", others)
    asked = LabelOptions(
        measures=("krippendorff_alpha",), distance=ChosenDistance("jaccard"), replicates=20
    )
    [compared] = agree_against(first, second, SETS, asked).compared
    for path, one in ((first, compared.first), (second, compared.second)):
        assert one == pytest.approx(value(agree(path, SETS, asked), "krippendorff_alpha"))


@pytest.mark.parametrize("sign", ["|", "; ", "\n", ", ", ",", " | "])
def test_cells_with_several_labels_are_reported(tmp_path: Path, sign: str) -> None:
    option = sign.replace("\n", r"\n")
    joined = {who: [cell.replace("|", sign) for cell in cells] for who, cells in ROWS.items()}
    path = write(tmp_path / "joined.csv", joined)
    for found in (agree(path, options=LabelOptions(replicates=0)), resample(path)):
        [remark] = [in_english(one) for one in found.remarks if "several labels" in in_english(one)]
        assert f"--option {shlex.quote(f'separator={option}')}" in remark
    asked = LabelOptions(distance=ChosenDistance("masi"), replicates=0)
    split = agree(path, Reading(options={"separator": option}), asked)
    plain = agree(write(tmp_path / "plain.csv", ROWS), SETS, asked)
    assert [e.value for e in split.estimates] == [e.value for e in plain.estimates]


def test_labels_with_punctuation_are_not_taken_for_several(tmp_path: Path) -> None:
    rows = {"a": ["Yes, please", "No, thanks", "a|b"], "b": ["No, thanks", "Yes, please", "a|b"]}
    found = agree(write(tmp_path / "t.csv", rows), options=LabelOptions(replicates=0))
    assert not any("several labels" in in_english(one) for one in found.remarks)


def test_a_nominal_distance_on_a_scale_gets_the_warning_of_a_campaign(tmp_path: Path) -> None:
    path = write(tmp_path / "scale.csv", SCALE)
    done = accordeur("agree", path, "--replicates", "0")
    assert "categories are all numbers" in done.stdout + done.stderr
    assert "use `--distance interval` or `ordinal`" in done.stdout + done.stderr
    ordinal = agree(path, options=LabelOptions(distance=ChosenDistance("ordinal"), replicates=0))
    assert not any("numbers" in in_english(one) for one in ordinal.remarks)


def test_resample_has_no_k_above_the_labels_of_an_item(tmp_path: Path) -> None:
    """Six annotators, of whom two labelled each item."""
    rows = [f"{i},a{(i + j) % 6},{'xyz'[(i + i * j) % 3]}" for i in range(12) for j in range(2)]
    path = tmp_path / "sparse.csv"
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n")
    found = resample(path)
    assert [one.detail.k for one in found.estimates] == [1, 2]
