"""Real annotations: bluebirds, Dawid & Skene 1979, caries, R irr, Snow 2008, weather, HS-Brexit."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from agreement_intervals import bootstrap

from accordeur.metrics.agreement.breakdown import coefficient_by_category
from accordeur.metrics.agreement.coefficients import coefficient_from_counts, compute_coefficient
from accordeur.metrics.agreement.counts import count, join_counts
from accordeur.metrics.agreement.diagnosis.annotation_passes import pass_matrices
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix, table_matrix

pytestmark = pytest.mark.shared


def rows_of(path: Path, *, delimiter: str = ",", header: bool = True) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.reader(handle, delimiter=delimiter))
    return rows[1:] if header else rows


def long_table(
    path: Path, item: int, annotator: int, label: int, *, delimiter: str = ",", header: bool = True
) -> LabelMatrix:
    rows = rows_of(path, delimiter=delimiter, header=header)
    items, annotators, labels = ([row[c] for row in rows] for c in (item, annotator, label))
    return label_matrix(items=items, annotators=annotators, labels=labels)


def wide_table(path: Path) -> LabelMatrix:
    rows = rows_of(path)
    return table_matrix(items_by_annotators=rows)


def test_bluebirds(shared_data: Path) -> None:
    """Welinder et al. 2010: 39 annotators × 108 images, α .1255."""
    matrix = long_table(shared_data / "bluebirds" / "bluebirds_long.csv", 0, 1, 2)
    assert matrix.codes.shape == (108, 39)
    assert compute_coefficient("krippendorff_alpha", matrix).value == pytest.approx(
        0.1255, abs=5e-5
    )


def test_snow_2008(shared_data: Path) -> None:
    """Snow et al. 2008, textual entailment: 164 workers, 800 pairs, 10 labels a pair, α .241."""
    path = shared_data / "snow2008" / "rte.standardized.tsv"
    matrix = long_table(path, 2, 1, 3, delimiter="\t")
    assert matrix.codes.shape == (800, 164)
    assert compute_coefficient("krippendorff_alpha", matrix).value == pytest.approx(0.241, abs=5e-4)


def test_word_similarity_and_valence_are_scales(shared_data: Path) -> None:
    """Numbers from 0 to 10 and −100 to 100: as names they agree little, as numbers well."""
    for name in ("wordsim", "valence"):
        path = shared_data / "snow2008" / f"{name}.standardized.tsv"
        matrix = long_table(path, 2, 1, 3, delimiter="\t")
        as_names = compute_coefficient("krippendorff_alpha", matrix).value
        as_numbers = compute_coefficient("krippendorff_alpha", matrix, distance="interval").value
        assert as_numbers - as_names > 0.2
        in_order = compute_coefficient("krippendorff_alpha", matrix, distance="ordinal").value
        assert in_order == pytest.approx(as_numbers, abs=0.1)


def test_weather_sentiment(shared_data: Path) -> None:
    """Five workers labelled a tweet twice: the first label stays, the others are counted."""
    path = shared_data / "weather_sentiment" / "CF_amt.csv"
    matrix = long_table(path, 1, 0, 2, header=False)
    assert matrix.codes.shape == (300, 110)
    assert matrix.n_duplicates == 5
    estimate = compute_coefficient("krippendorff_alpha", matrix)
    assert estimate.value == pytest.approx(0.521, abs=5e-4)
    assert estimate.detail.n_duplicates == 5


def test_hs_brexit(shared_data: Path) -> None:
    """Six annotators × 1,120 tweets, α .347, with p_o .853: a rare category."""
    matrix = long_table(shared_data / "hs_brexit" / "HS-Brexit_long.csv", 0, 1, 2)
    assert matrix.codes.shape == (1120, 6)
    assert compute_coefficient("krippendorff_alpha", matrix).value == pytest.approx(0.347, abs=5e-4)
    interval = bootstrap(matrix, measures=["krippendorff_alpha"], seed=1)["krippendorff_alpha"]
    assert 0.29 < interval.lower < 0.347 < interval.upper < 0.41


def test_anaesthetists_with_themselves(shared_data: Path) -> None:
    """Dawid & Skene 1979: anaesthetist 1 rated the 45 patients three times."""
    rows = rows_of(shared_data / "dawid_skene_1979" / "anesthesia.csv")
    seen: dict[tuple[str, str], int] = {}
    passes = []
    for item, rater, _ in rows:
        seen[item, rater] = seen.get((item, rater), 0) + 1
        passes.append(str(seen[item, rater]))
    items, raters, labels = (list(column) for column in zip(*rows, strict=True))
    matrices = pass_matrices(items, raters, passes, labels)
    assert list(matrices) == ["1"]
    own = compute_coefficient("fleiss_kappa", matrices["1"])
    assert own.n_annotators == 3
    # Each item's first labels, one an anaesthetist: less agreement than with oneself.
    between = label_matrix(items=items, annotators=raters, labels=labels)
    assert between.n_duplicates == 90
    assert own.value > compute_coefficient("fleiss_kappa", between).value > 0.5


def test_caries_from_grouped_counts(shared_data: Path) -> None:
    """Espeland & Handelman 1989: 3,859 teeth as counts of 32 patterns; batches add up."""
    rows = [
        [int(cell) for cell in row]
        for row in rows_of(shared_data / "caries_espeland1989" / "caries.csv")
    ]
    names, tagset = tuple("12345"), ("sound", "carious")
    patterns = np.array([row[:5] for row in rows], dtype=np.int32) - 1
    weights = [row[5] for row in rows]
    matrix = LabelMatrix(
        codes=np.repeat(patterns, weights, axis=0), tagset=tagset, annotators=names
    )
    assert matrix.n_items == 3859
    batches = [
        count(
            LabelMatrix(
                codes=np.repeat(patterns[r : r + 1], weights[r], axis=0),
                tagset=tagset,
                annotators=names,
            )
        )
        for r in range(len(rows))
    ]
    for measure in ("krippendorff_alpha", "conger_kappa", "gwet_ac1", "aickin_alpha"):
        assert repr(coefficient_from_counts(measure, join_counts(batches))) == repr(
            compute_coefficient(measure, matrix)
        )


def test_r_irr(shared_data: Path) -> None:
    """R irr 0.84: diagnoses (Fleiss 1971) κ .430; video has a rater who says one thing only."""
    folder = shared_data / "irr_R"
    diagnoses = wide_table(folder / "diagnoses.csv")
    assert compute_coefficient("fleiss_kappa", diagnoses).value == pytest.approx(
        0.4302445, abs=5e-8
    )
    kappas = {
        name: round(e.value, 3) for name, e in coefficient_by_category("fleiss_kappa", diagnoses)
    }
    assert kappas["1. Depression"] == 0.245
    assert kappas["5. Other"] == 0.566
    # as its documentation prints `kappam.light`: six raters; of the first three the pairs have
    # κ .651, .384 and .631 (`kappa2`)
    assert round(compute_coefficient("light_kappa", diagnoses).value, 3) == 0.459
    three = LabelMatrix(
        codes=diagnoses.codes[:, :3],
        tagset=diagnoses.tagset,
        annotators=diagnoses.annotators[:3],
    )
    light = compute_coefficient("light_kappa", three).value
    assert light == pytest.approx((0.651 + 0.384 + 0.631) / 3, abs=5e-4)
    video = wide_table(folder / "video.csv")
    constant = [a for a in range(4) if np.unique(video.codes[:, a]).size == 1]
    assert constant
    assert not compute_coefficient("conger_kappa", video).reason
    assert not compute_coefficient("light_kappa", video).reason
    vision = wide_table(folder / "vision.csv")
    assert vision.n_items == 7477
    ordinal = compute_coefficient("weighted_kappa", vision, distance="gwet_quadratic").value
    assert ordinal > compute_coefficient("cohen_kappa", vision).value
