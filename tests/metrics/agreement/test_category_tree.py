"""The tree distance between categories: by hand, on items and units, and from a taxonomy file."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from accordeur.data.errors import DataError
from accordeur.metrics.agreement.category_tree import tree_distances
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.distance_checks import check_offered
from accordeur.metrics.agreement.distances import distance_table
from accordeur.metrics.agreement.label_matrix import table_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.distance_options import ChosenDistance, read_distances
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.units.gamma_of_exports import gamma

TAGSET = ("animal", "animal/bird", "animal/bird/crow", "animal/dog", "plant/tree")
STEPS = [  # steps between two categories; the longest path has five
    [0, 1, 2, 1, 3],
    [1, 0, 1, 2, 4],
    [2, 1, 0, 3, 5],
    [1, 2, 3, 0, 4],
    [3, 4, 5, 4, 0],
]
TAXONOMY = "animal\n  bird\n    crow\n  dog\n\nplant\n  oak\n"


def test_the_distance_is_the_share_of_the_longest_path() -> None:
    assert tree_distances(TAGSET).tolist() == [[step / 5 for step in row] for row in STEPS]
    dotted = [name.replace("/", ".") for name in TAGSET]
    table = distance_table("tree/.", tagset=dotted, marginals=np.zeros(5))
    assert table.tolist() == tree_distances(TAGSET).tolist()
    order = [3, 0, 4, 2, 1]
    moved = tree_distances([TAGSET[k] for k in order])
    assert moved.tolist() == tree_distances(TAGSET)[np.ix_(order, order)].tolist()


def test_it_is_a_metric_and_nominal_without_a_tree() -> None:
    table = tree_distances(TAGSET)
    for a, b, c in permutations(range(5), 3):
        assert table[a, b] <= table[a, c] + table[c, b] + 1e-15
    assert tree_distances(["x", "y", "z"]).tolist() == (1 - np.eye(3)).tolist()
    assert tree_distances([]).shape == (0, 0)


def test_alpha_takes_it_by_name_and_as_a_table() -> None:
    rows = [[TAGSET[k], TAGSET[(k * k) % 5]] for k in range(5)] + [[TAGSET[1], TAGSET[2]]] * 4
    matrix = table_matrix(items_by_annotators=rows, tagset=TAGSET)
    named = compute_coefficient("krippendorff_alpha", matrix, distance="tree")
    table = compute_coefficient("krippendorff_alpha", matrix, distance=np.array(STEPS) / 5)
    assert named.value == pytest.approx(table.value, abs=1e-15)
    assert named.value > compute_coefficient("krippendorff_alpha", matrix).value
    assert "distance:tree" in named.signature


def test_a_name_needs_no_separator_and_no_other_distance_has_one() -> None:
    assert check_offered("tree/::", ("nominal", "tree")) == "tree/::"
    for wrong in ("tree/", "interval/.", "tre"):
        with pytest.raises(MetricsError):
            check_offered(wrong, ("nominal", "interval", "tree"))


def test_a_taxonomy_by_indentation_gives_the_same(tmp_path: Path) -> None:
    file = tmp_path / "taxonomy.txt"
    file.write_text(TAXONOMY, encoding="utf-8")
    names = ("animal", "bird", "crow", "dog", "oak")
    # the node `plant` is a category, too: the longest path is still crow – oak
    assert (
        read_distances(file).distances_in_tagset(names).tolist() == tree_distances(TAGSET).tolist()
    )
    read_distances(file).require_declared(names)
    for text, said in (
        ("a\n    b\n  c\n", "line 3: the indentation of 'c'"),
        ("a\n  b\nc\n  b\n", "'b' is at 2 places"),
        ("\n", "one category per line"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=said):
            read_distances(file)


def test_units_and_labels_of_exports_take_it(tmp_path: Path) -> None:
    rows = [
        f"d{d},{who},{20 * u},{20 * u + 9},{TAGSET[(u + d * shift) % 5]}"
        for d in range(5)
        for shift, who in enumerate(("ann", "ben"))
        for u in range(5)
    ]
    units = tmp_path / "units.csv"
    units.write_text("\n".join(["document,annotator,start,end,category", *rows]), "utf-8")

    def gamma_of(distance: str) -> float:
        asked = GammaOptions(distance=ChosenDistance(distance), precision=0.1, replicates=0)
        return gamma([units], Reading(), asked).estimates[0].value

    assert gamma_of("tree") != gamma_of("nominal")
    with pytest.raises(MetricsError, match="paths with the separator ':'"):
        gamma_of("tree/:")
    labels = tmp_path / "labels.csv"
    given = [
        f"i{k},{who},{TAGSET[(k * s) % 5]}" for k in range(9) for s, who in ((1, "a"), (2, "b"))
    ]
    labels.write_text("\n".join(["item,annotator,label", *given]), "utf-8")
    asked = LabelOptions(
        measures=("krippendorff_alpha",), distance=ChosenDistance("tree"), replicates=0
    )
    [found] = agree(labels, Reading(), asked).estimates
    assert found.how.distance == "tree"
    with pytest.raises(MetricsError, match="tree distance needs categories that are paths"):
        agree(labels, Reading(), LabelOptions(distance=ChosenDistance("tree/:"), replicates=0))
