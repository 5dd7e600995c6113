"""The consensus of units: exact on small cases, calibrated, and better than votes on PICO."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.references.unit_models.logistic import fit_logistic
from accordeur.metrics.references.unit_models.noisy_targets import fit_noisy_targets
from accordeur.metrics.references.unit_models.segments import (
    NONE,
    OTHER,
    SAME,
    SegmentChain,
    segment_chains,
)
from accordeur.metrics.references.unit_models.sequence_model import (
    SequenceModel,
    fit_sequence_model,
)
from accordeur.metrics.references.unit_models.unit_consensus import (
    UnitConsensus,
    consensus_of_units,
)
from accordeur.metrics.references.unit_models.unit_fit import best_threshold

NAMES = ("a", "b", "c")


def continuum(
    units: list[tuple[float, float, int, int]],
    annotators: tuple[str, ...] = NAMES,
    tagset: tuple[str, ...] = ("X", "Y"),
    **more: object,
) -> Continuum:
    columns = zip(*units, strict=True) if units else ([], [], [], [])
    return Continuum(*(np.array(column) for column in columns), annotators, tagset, **more)


def simulated(
    n_documents: int, seed: int, accuracy: tuple[float, ...], tagset: tuple[str, ...] = ("X",)
) -> tuple[list[Continuum], list[set[tuple[int, int, int]]]]:
    """Documents with true units, each annotator of which keeps a share and adds spurious ones."""
    rng = np.random.default_rng(seed)
    names = tuple(f"w{a}" for a in range(len(accuracy)))
    documents, truths = [], []
    for _ in range(n_documents):
        places = rng.permutation(12)[:8] * 50
        truth = {(int(p), int(p) + 20, int(rng.integers(len(tagset)))) for p in places[:4]}
        units = []
        for a, right in enumerate(accuracy):
            for start, end, category in sorted(truth):
                if rng.random() < right:
                    moved = 0 if rng.random() < right else int(rng.integers(1, 5))
                    other = category if rng.random() < right else int(rng.integers(len(tagset)))
                    units.append((start, end + moved, other, a))
            units += [
                (int(place), int(place) + 20, int(rng.integers(len(tagset))), a)
                for place in places[4:]
                if rng.random() > (1 + right) / 2
            ]
        documents.append(continuum(units, names, tagset))
        truths.append(truth)
    return documents, truths


def f_of(found: UnitConsensus, truths: list[set[tuple[int, int, int]]]) -> float:
    made = [{(u.start, u.end, u.category) for u in one.units} for one in found.documents]
    hits = sum(len(m & t) for m, t in zip(made, truths, strict=True))
    return 2 * hits / sum(len(m) + len(t) for m, t in zip(made, truths, strict=True))


def test_segments_lie_between_the_bounds_of_one_category() -> None:
    given = continuum([(0, 10, 0, 0), (5, 10, 0, 1), (0, 10, 1, 2)])
    first, second = segment_chains(0, given, {name: i for i, name in enumerate(NAMES)})
    assert first.bounds.tolist() == [0, 5, 10]
    assert first.marks.tolist() == [[SAME, SAME], [NONE, SAME], [OTHER, OTHER]]
    assert first.units.tolist() == [[0, 0], [-1, 1], [-1, -1]]
    assert second.marks.tolist() == [[OTHER], [OTHER], [SAME]]
    assert first.covered_shares(np.array([2.0, 4.0]), np.array([6.0, 7.0])).tolist() == [0.6, 0.4]


def test_posteriors_are_those_of_all_sequences_enumerated() -> None:
    rng = np.random.default_rng(0)
    model = SequenceModel(
        np.log(rng.dirichlet(np.ones(3), (3, 2, 2, 2, 3))),
        np.log(rng.dirichlet(np.ones(2), (2, 2))),
        (),
        True,
    )
    marks = rng.integers(0, 3, (3, 5)).astype(np.int8)
    chain = SegmentChain(
        0, 1, np.arange(6.0), marks, np.zeros((3, 5), np.int32), np.ones((3, 5)), np.arange(3)
    )
    padded = np.pad(marks, ((0, 0), (1, 1)))
    total, inside = 0.0, np.zeros(5)
    for truth in itertools.product((0, 1), repeat=5):
        z = (0, *truth, 0)
        log = 0.0
        for t in range(1, 7):
            log += model.log_transitions[1, z[t - 1], z[t]]
            for a in range(3):
                cell = (a, 1, z[t - 1], z[t], padded[a, t - 1], padded[a, t])
                log += model.log_rates[cell]
        total += np.exp(log)
        inside += np.exp(log) * np.array(truth)
    assert model.posteriors([chain])[0] == pytest.approx(inside / total, abs=1e-12)


def test_the_threshold_has_the_greatest_expected_f_of_all_sets() -> None:
    rng = np.random.default_rng(1)
    p, w = rng.random(9), rng.integers(1, 9, 9).astype(float)
    outside = 0.2

    def f(kept: np.ndarray) -> float:
        return float(2 * (p * w)[kept].sum() / (w[kept].sum() + 1.2 * (p * w).sum()))

    sets = (np.array(one, dtype=bool) for one in itertools.product((0, 1), repeat=9))
    threshold, expected = best_threshold(p, w, outside)
    assert expected == pytest.approx(max(f(one) for one in sets))
    assert f(p >= threshold) == pytest.approx(expected)


def test_the_regression_finds_the_optimum() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 2)) * [1, 10]
    y = (rng.random(4000) < 1 / (1 + np.exp(-(x @ [1.0, 0.1] - 0.5)))).astype(float)
    found = fit_logistic(x, y, np.ones(4000), penalty=0.0)
    residual = y - found.predict(x)
    assert np.abs(residual @ np.column_stack([x, np.ones(4000)])).max() < 1e-3
    assert found.weights == pytest.approx([1.0, 0.1], abs=0.1)


def test_probabilities_of_the_truth_are_found_behind_annotators_who_err() -> None:
    """Annotators miss half: what they mark is half as frequent as the truth."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(6000, 1)) * 3
    q = 1 / (1 + np.exp(-2 * x[:, 0]))
    targets = rng.integers(0, 4, 6000)
    sensitivity = np.array([0.4, 0.5, 0.6, 0.7])[targets]
    marks = ((rng.random(6000) < q) & (rng.random(6000) < sensitivity)).astype(float)
    found = fit_noisy_targets(x, marks, np.ones(6000), targets, np.ones(4))
    assert np.abs(found.predict(x) - q).mean() < 0.04


def test_unanimous_units_are_kept_as_they_are() -> None:
    given = [continuum([(10, 20, 0, a) for a in range(3)] + [(40, 45, 1, a) for a in range(3)])] * 5
    found = consensus_of_units(given)
    for one in found.documents:
        assert [(u.start, u.end, u.category, u.support) for u in one.units] == [
            (10, 20, 0, 3),
            (40, 45, 1, 3),
        ]
        assert not one.open


def test_reliable_annotators_outweigh_a_majority_of_careless_ones() -> None:
    documents, truths = simulated(60, 0, (0.97, 0.95, 0.45, 0.4, 0.4))
    found = consensus_of_units(documents)
    assert f_of(found, truths) > 0.9
    order = [one.annotator for one in sorted(found.errors, key=lambda one: -one.reliability)]
    assert order[:2] == ["w0", "w1"]
    careless = next(one for one in found.errors if one.annotator == "w4")
    assert careless.missed > 80


def test_a_split_is_made_where_most_by_weight_make_it() -> None:
    halves = [(0, 10, 0, a) for a in (0, 1)] + [(10, 20, 0, a) for a in (0, 1)]
    found = consensus_of_units([continuum([*halves, (0, 20, 0, 2)])] * 6)
    assert [(u.start, u.end) for u in found.documents[0].units] == [(0, 10), (10, 20)]


def test_a_place_with_two_categories_is_resolved_or_open_never_doubled() -> None:
    agreed = [(t, t + 10, t // 30 % 2, a) for t in (0, 30, 60, 90) for a in (0, 1)]
    tie = [(200, 210, 0, 0), (200, 210, 1, 1)]
    found = consensus_of_units([continuum([*agreed, *tie], ("a", "b"))] * 4)
    for one in found.documents:
        there = [u for u in one.units if u.start == 200]
        assert len(there) <= 1
        assert any(o.unit.start == 200 for o in one.open)
    both = [(200, 210, k, a) for k in (0, 1) for a in (0, 1)]
    found = consensus_of_units([continuum([*agreed, *both], ("a", "b"))] * 4)
    assert len([u for u in found.documents[0].units if u.start == 200]) == 2


@pytest.mark.long
def test_known_documents_keep_their_units_and_train_the_others() -> None:
    documents, truths = simulated(60, 4, (0.9, 0.75, 0.5, 0.5))
    with_gold = [
        Continuum(
            np.concatenate([one.starts, [u[0] for u in sorted(truth)]]),
            np.concatenate([one.ends, [u[1] for u in sorted(truth)]]),
            np.concatenate([one.categories, [u[2] for u in sorted(truth)]]),
            np.concatenate([one.owners, [4] * len(truth)]),
            (*one.annotators, "gold"),
            one.tagset,
            roles=(*one.roles, "reference"),
        )
        for one, truth in zip(documents[:25], truths[:25], strict=True)
    ]
    found = consensus_of_units([*with_gold, *documents[25:]], gold="gold")
    for one, truth in zip(found.documents[:25], truths[:25], strict=True):
        assert one.is_known
        assert {(u.start, u.end, u.category) for u in one.units} == truth
    assert "gold" not in found.annotators
    few = consensus_of_units([*with_gold[:5], *documents[5:]], gold="gold")
    assert not few.gold_trains
    plain = consensus_of_units(documents)
    assert few.documents[5:] == plain.documents[5:]
    rest = UnitConsensus(found.documents[25:], (), 0, 0, True, ("X",), ())
    of_plain = UnitConsensus(plain.documents[25:], (), 0, 0, True, ("X",), ())
    assert f_of(rest, truths[25:]) >= f_of(of_plain, truths[25:]) - 0.01


def _without_gold(one: Continuum) -> Continuum:
    kept = one.owners < 6
    columns = (one.starts, one.ends, one.categories, one.owners)
    return Continuum(*(column[kept] for column in columns), one.annotators[:6], one.tagset)


@pytest.mark.long
def test_known_documents_show_an_error_that_most_annotators_share() -> None:
    """Four of six end most units late and mark the same spurious ones; known documents show it."""
    rng = np.random.default_rng(1)
    names = tuple(f"w{a}" for a in range(6))
    documents, truths = [], []
    for d in range(60):
        truth = {(60 * p, 60 * p + int(rng.integers(8, 30)), 0) for p in range(3)}
        units = []
        for a in range(6):
            for start, end, _ in sorted(truth):
                if rng.random() < 0.85:
                    units.append((start, end + 5 * int(a > 1 and rng.random() < 0.7), 0, a))
            units += [(60 * p, 60 * p + 20, 0, a) for p in (4, 5) if a > 1 and rng.random() < 0.6]
        known = [(*unit, 6) for unit in sorted(truth)] if d < 30 else []
        roles = ("human",) * 6 + ("reference",) * (d < 30)
        who = (*names, "gold")[: len(roles)]
        documents.append(continuum([*units, *known], who, ("X",), roles=roles))
        truths.append(truth)
    trained = consensus_of_units(documents, gold="gold")
    assert trained.gold_trains
    reliability = {one.annotator: one.reliability for one in trained.errors}
    assert min(reliability["w0"], reliability["w1"]) > max(
        reliability[f"w{a}"] for a in range(2, 6)
    )
    few = consensus_of_units([*documents[:5], *map(_without_gold, documents[5:])], gold="gold")
    scores = [
        f_of(UnitConsensus(one.documents[30:], (), 0, 0, True, ("X",), ()), truths[30:])
        for one in (few, trained)
    ]
    assert scores[1] > scores[0] + 0.05


def test_confidence_is_calibrated_on_simulated_annotators() -> None:
    documents, truths = simulated(80, 5, (0.9, 0.7, 0.6, 0.6))
    found = consensus_of_units(documents)
    right, confidence = [], []
    for one, truth in zip(found.documents, truths, strict=True):
        for u in one.units:
            overlap = [max(0, min(u.end, e) - max(u.start, s)) for s, e, _ in truth]
            right.append(max(overlap) / (u.end - u.start))
            confidence.append(u.confidence)
    assert abs(np.mean(right) - np.mean(confidence)) < 0.05


@pytest.mark.long
def test_confidence_of_bounds_is_calibrated_on_simulated_annotators() -> None:
    """Annotators miss few units and err at many bounds, half of them at the same wrong place."""
    rng = np.random.default_rng(7)
    exact = np.linspace(0.45, 0.95, 8)
    documents, bounds = [], []
    for _ in range(100):
        truth = [(60 * p + 20, 60 * p + 20 + int(rng.integers(12, 30))) for p in range(3)]
        units = []
        for start, end in truth:
            wrong = rng.integers(1, 5, 2) * rng.choice([-1, 1], 2)
            for a, who in enumerate(exact):
                moved = [
                    int(rng.choice([w, rng.integers(1, 5)])) * (rng.random() > who) for w in wrong
                ]
                if rng.random() < 0.7:
                    units.append((start + moved[0], end + moved[1], 0, a))
        documents.append(continuum(units, tuple(f"w{a}" for a in range(8)), ("X",)))
        bounds.append(tuple({unit[side] for unit in truth} for side in (0, 1)))
    found = consensus_of_units(documents)
    rows = [
        row
        for one, (starts, ends) in zip(found.documents, bounds, strict=True)
        for u in one.units
        for row in ((u.start_confidence, u.start in starts), (u.end_confidence, u.end in ends))
    ]
    confidence, right = np.array(rows, dtype=float).T
    bins = np.minimum((confidence * 10).astype(int), 9)
    errors = [abs((confidence - right)[bins == b].sum()) for b in range(10)]
    assert sum(errors) / confidence.size < 0.06
    assert right[confidence < 0.5].mean() < 0.6 < right[confidence > 0.8].mean()


def test_confidence_of_bounds_with_two_annotators_is_no_extrapolation() -> None:
    """Held-out annotators see one other, so that nothing shows what two equal votes are worth."""
    documents, truths = simulated(60, 2, (0.9, 0.8))
    found = consensus_of_units(documents)
    rows = [
        row
        for one, truth in zip(found.documents, truths, strict=True)
        for u in one.units
        for row in (
            (u.start_confidence, u.start in {start for start, *_ in truth}),
            (u.end_confidence, u.end in {end for _, end, _ in truth}),
        )
    ]
    confidence, right = np.array(rows, dtype=float).T
    assert confidence.mean() == pytest.approx(right.mean(), abs=0.2)
    likelihood = np.where(right, confidence, 1 - confidence)
    assert -np.log(np.maximum(likelihood, 1e-9)).mean() < 0.7


def test_a_feature_that_is_constant_but_for_rounding_has_no_weight() -> None:
    rng = np.random.default_rng(0)
    constant = np.log(3.0) + rng.choice([-1e-15, 0.0, 1e-15], 200)
    varies = rng.normal(size=200)
    made = fit_logistic(
        np.column_stack([constant, varies]), (varies + rng.normal(size=200) > 0) * 1.0, np.ones(200)
    )
    assert abs(made.weights[0]) < 1e-6
    assert made.weights[1] > 0.5


def test_units_without_a_category_keep_none() -> None:
    found = consensus_of_units([continuum([(3, 9, -1, a) for a in range(3)])] * 3)
    assert [(u.start, u.end, u.category) for u in found.documents[0].units] == [(3, 9, -1)]


def test_what_cannot_be_a_consensus_is_refused() -> None:
    with pytest.raises(MetricsError, match="two annotators"):
        consensus_of_units([continuum([(0, 5, 0, 0)], ("a",))])
    of_gold = continuum([(0, 5, 0, 2)], roles=("human", "human", "reference"))
    with pytest.raises(MetricsError, match="two annotators"):
        consensus_of_units([of_gold], gold="c")
    with pytest.raises(RoleError, match="system"):
        consensus_of_units([continuum([(0, 5, 0, 0)], roles=("human", "human", "system"))])
    other = continuum([(0, 5, 0, 0)], tagset=("Z", "Y"))
    with pytest.raises(MetricsError, match="same tagset"):
        consensus_of_units([continuum([(0, 5, 0, 0)]), other])


def test_order_of_documents_and_names_does_not_matter() -> None:
    documents, _ = simulated(30, 6, (0.9, 0.7, 0.5))
    forward, backward = consensus_of_units(documents), consensus_of_units(documents[::-1])
    for a, b in zip(forward.documents, backward.documents[::-1], strict=True):
        assert [(u.start, u.end) for u in a.units] == [(u.start, u.end) for u in b.units]
        assert [u.confidence for u in a.units] == pytest.approx([u.confidence for u in b.units])


def test_a_fit_of_no_chain_is_empty() -> None:
    assert fit_sequence_model([], 2, np.ones(1)).posteriors([]) == []


@pytest.fixture(scope="module")
def pico(shared_data: Path) -> tuple[list[Continuum], list[list[tuple[int, int]]]]:
    folder = shared_data / "pico_spans"
    if not folder.exists():
        pytest.skip("the PICO spans (../shared/data/pico_spans) are not beside this checkout")

    def read(name: str) -> dict[str, dict[str, list[list[int]]]]:
        lines = (folder / f"PICO-annos-{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return {row["docid"]: row["Participants"] for row in map(json.loads, lines)}

    crowd, expert = read("crowdsourcing"), read("professional")
    documents = [
        continuum(
            [(s, e, 0, a) for a, spans in enumerate(of.values()) for s, e in spans],
            tuple(of),
            ("participants",),
        )
        for of in crowd.values()
    ]
    gold = [[(s, e) for spans in expert[d].values() for s, e in spans] for d in crowd]
    return documents, gold


@pytest.mark.long
def test_character_f_on_pico_is_above_every_plain_vote(
    pico: tuple[list[Continuum], list[list[tuple[int, int]]]],
) -> None:
    """Votes: .703 at best; published Dawid–Skene .753; ours .758, with exact F .568."""
    documents, gold = pico
    found = consensus_of_units(documents)
    hits = kept = true = exact = n_units = n_gold = 0
    for one, spans in zip(found.documents, gold, strict=True):
        made = {c for u in one.units for c in range(int(u.start), int(u.end))}
        real = {c for start, end in spans for c in range(start, end)}
        hits, kept, true = hits + len(made & real), kept + len(made), true + len(real)
        exact += len({(u.start, u.end) for u in one.units} & set(spans))
        n_units, n_gold = n_units + len(one.units), n_gold + len(spans)
    assert 2 * hits / (kept + true) > 0.75
    assert 2 * exact / (n_units + n_gold) > 0.55
