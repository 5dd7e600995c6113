"""Units from tags: CoNLL-2000's scores, and the rules where the readings differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.scoring.chunks import units_of_tags
from accordeur.metrics.scoring.precision_recall import match_units, unit_errors
from accordeur.metrics.scoring.rates import precision_recall_f
from accordeur.metrics.scoring.slot_error_rate import slot_error_rate

CHUNKS = ("ADJP", "ADVP", "CONJP", "INTJ", "LST", "NP", "PP", "PRT", "SBAR", "UCP", "VP")


def columns(path: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Gold and predicted tags of each sentence of a CoNLL file."""
    gold, predicted = [[]], [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            gold.append([])
            predicted.append([])
            continue
        *_, one, two = line.split()
        gold[-1].append(one)
        predicted[-1].append(two)
    return gold, predicted


@pytest.mark.shared
def test_conll2000_as_conlleval(shared_data: Path) -> None:
    """conlleval: 459 phrases, found 539, correct 371; F 74.35; NP 71.16, ADJP 0.00, SBAR 44.44."""
    gold, predicted = columns(shared_data / "conll2000_chunking" / "output.txt")
    counts = match_units(
        units_of_tags(gold, tagset=CHUNKS), units_of_tags(predicted, tagset=CHUNKS), tagset=CHUNKS
    )
    totals = (counts.reference.sum(), counts.system.sum(), counts.found.sum())
    assert totals == (459, 539, 371)
    scores = precision_recall_f(counts)
    assert scores.precision.value == pytest.approx(0.6883, abs=5e-5)
    assert scores.recall.value == pytest.approx(0.8083, abs=5e-5)
    assert scores.f.value == pytest.approx(0.7435, abs=5e-5)
    for category, expected in {
        "ADJP": 0.0,
        "ADVP": 0.5263,
        "NP": 0.7116,
        "PP": 0.9036,
        "SBAR": 0.4444,
        "VP": 0.738,
    }.items():
        of_category = precision_recall_f(counts, category=category)
        assert of_category.f.value == pytest.approx(expected, abs=5e-5)


@pytest.mark.shared
def test_conll2000_strict(shared_data: Path) -> None:
    """Strict IOB2 on both sides: .7046 (as seqeval in mode="strict", scheme=IOB2)."""
    gold, predicted = columns(shared_data / "conll2000_chunking" / "output.txt")
    sides = [units_of_tags(t, tagset=CHUNKS, reading="strict") for t in (gold, predicted)]
    counts = match_units(*sides, tagset=CHUNKS)
    assert precision_recall_f(counts).f.value == pytest.approx(0.7046, abs=5e-5)


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        ("B-A I-A O", [(0, 2, 0)], [(0, 2, 0)]),
        ("I-A I-A O", [(0, 2, 0)], []),
        ("B-A I-B I-B", [(0, 1, 0), (1, 3, 1)], [(0, 1, 0)]),
        ("B-A B-A", [(0, 1, 0), (1, 2, 0)], [(0, 1, 0), (1, 2, 0)]),
        ("B-A E-A I-A", [(0, 2, 0), (2, 3, 0)], [(0, 2, 0)]),
        ("S-A S-A U-B", [(0, 1, 0), (1, 2, 0), (2, 3, 1)], [(0, 1, 0), (1, 2, 0), (2, 3, 1)]),
        ("O E-B O", [(1, 2, 1)], []),
        ("O O", [], []),
    ],
)
def test_readings(tags: str, lenient: list, strict: list) -> None:
    for reading, expected in (("lenient", lenient), ("strict", strict)):
        found = units_of_tags([tags.split()], tagset=("A", "B"), reading=reading)
        rows = zip(found.starts, found.ends, found.categories, strict=True)
        assert [tuple(int(v) for v in row) for row in rows] == expected


def test_bad_tags_are_refused() -> None:
    for tag in ("X-A", "B-Z", "BA"):
        with pytest.raises(MetricsError, match="is not O or a prefix"):
            units_of_tags([[tag]], tagset=("A",))
    with pytest.raises(MetricsError, match="'lenient' or 'strict'"):
        units_of_tags([], tagset=("A",), reading="loose")  # type: ignore[arg-type] # on purpose


def test_sentences_are_documents() -> None:
    found = units_of_tags([["B-A"], [], ["B-A", "I-A"]], tagset=("A",))
    assert found.documents.tolist() == [0, 2]
    errors = unit_errors(found, units_of_tags([["O"], [], ["B-A", "O"]], tagset=("A",)))
    assert slot_error_rate(errors).value == 1.0
