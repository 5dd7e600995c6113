"""Distances built in: values by hand, brute force, the contract with its ordering test."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from accordeur.metrics.objects.distances import BUILT_IN
from accordeur.metrics.objects.distances.texts import text_error
from accordeur.metrics.objects.object_distance import ObjectDistance
from accordeur.testing import Noise, check_object_distance

NAMED = {one.name: one for one in BUILT_IN}


def between(distance: ObjectDistance, first: str, second: str) -> float:
    return float(distance.distances([distance.read(first)], [distance.read(second)])[0])


@pytest.mark.parametrize(
    ("name", "first", "second", "expected"),
    [
        ("word_error", "the cat sat", "a cat sat down", 2 / 4),
        ("word_error", "Le chat,", "le chat", 1.0),
        ("word_error_normalised", "Le «chat», dort.", "le chat dort", 0.0),
        ("word_error", "", "", 0.0),
        ("word_error", "", "a", 1.0),
        ("character_error", "kitten", "sitting", 3 / 7),  # Wagner & Fischer's usual example
        ("character_error", "e\u0301te\u0301", "été", 0.0),
        ("character_error_normalised", "ＡＢＣ\u00a0d", "abc  d", 0.0),
        ("uas", "2:nsubj 0:root 2:obj", "2:obj 0:root 2:obj", 0.0),
        ("las", "2:nsubj 0:root 2:obj", "2:obj 0:root 2:obj", 1 / 3),
        ("uas", "2:nsubj 0:root 2:obj", "0:root 1:obj", 1.0),
        ("uas", "0:root 1:obj", "0:root 1:obj 2:punct", 1 / 3),
        ("las", "2:a 1:b 0:root", "3:a 1:b 0:root", 1 / 3),  # heads in a circle are compared, too
        ("tree_edit", "2:nsubj 0:root 2:obj", "2:obj 0:root 2:obj", 1.0),
        ("tree_edit", "0:root 1:obj", "0:root 1:obj 2:punct", 1.0),
        ("tree_edit_squared", "0:a 1:b", "0:a 1:b 1:c 1:d", 4.0),
        ("kendall_tau", "a > b > c", "c > b > a", 1.0),
        ("kendall_tau", "a > b > c", "a > c > b", 1 / 3),
        ("kendall_tau", "a > b = c", "a > b > c", 1 / 6),
        ("kendall_tau", "a > b > c", "a", 1 / 6),  # b and c stand last in the second, tied
        ("kendall_tau", "a", "a", 0.0),
        ("box_iou", "0 0 2 2", "1 0 2 2", 1 - 2 / 6),
        ("box_iou", "0 0 2 2; 5 5 1 1", "5 5 1 1", 1 / 2),
        ("box_iou", "0 0 4 1; 1 0 4 1", "1 0 4 1; 2 0 4 1", 1 - (1 + 1 / 3) / 2),
        ("box_iou", "none", "", 0.0),
        ("box_iou", "none", "1 1 1 1", 1.0),
        ("labelled_box_iou", "0 0 2 2 car", "0 0 2 2 red bus", 1.0),
        ("labelled_box_iou", "0 0 2 2 car; 0 0 2 2 bus", "0 0 2 2 bus", 1 / 2),
    ],
)
def test_values_by_hand(name: str, first: str, second: str, expected: float) -> None:
    assert between(NAMED[name], first, second) == pytest.approx(expected, abs=1e-12)
    assert between(NAMED[name], second, first) == pytest.approx(expected, abs=1e-12)


def test_costlier_substitutions_compare_what_both_texts_contain() -> None:
    words = text_error("common_words", "word", substitution=2)
    assert between(words, "a b", "c d e") == 1.0
    assert between(words, "a b c", "a x c") == pytest.approx(2 / 6)
    with pytest.raises(ValueError, match="at least 1"):
        text_error("free", "word", substitution=0)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tree_edit", "", "without tokens"),
        ("uas", "2:nsubj root", "token 2 is 'root:'.*HEAD:RELATION"),
        ("las", "4:nsubj 0:root", "head from 0 to 2"),
        ("las", "0000000009:nsubj 0:root", "head from 0 to 2"),
        ("tree_edit", "2:a 1:b 0:root", "token 1 .* circle.* uas and las"),
        ("kendall_tau", "a > > b", "place without a candidate"),
        ("kendall_tau", "a > b = a", "ranks 'a' twice"),
        ("box_iou", "1 2 3", "is not a box"),
        ("box_iou", "1 2 0 3", "is not a box"),
        ("box_iou", "1 2 nan 3", "is not a box"),
    ],
)
def test_texts_that_stand_for_no_object(name: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NAMED[name].read(text)


def test_tree_edits_equal_the_recursive_definition() -> None:
    """The recursion of Zhang & Shasha 1989 on ordered forests of (label, children)."""

    @cache
    def edits(one, two) -> int:
        if not one or not two:
            return size(one) + size(two)
        (label1, below1), (label2, below2) = one[-1], two[-1]
        return min(
            edits(one[:-1] + below1, two) + 1,
            edits(one, two[:-1] + below2) + 1,
            edits(below1, below2) + edits(one[:-1], two[:-1]) + (label1 != label2),
        )

    def size(forest) -> int:
        return sum(1 + size(below) for _, below in forest)

    def forest(tree: str, head: int = 0):
        tokens = [token.split(":") for token in tree.split()]
        below = [n for n, (of, _) in enumerate(tokens, 1) if int(of) == head]
        return tuple((tokens[n - 1][1], forest(tree, n)) for n in below)

    rng = np.random.default_rng(4)
    trees = [random_tree(rng, rng.integers(1, 8)) for _ in range(60)]
    for one, two in itertools.pairwise(trees):
        assert between(NAMED["tree_edit"], one, two) == edits(forest(one), forest(two))


def test_kendall_and_boxes_equal_brute_force() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        one, two = (rng.integers(0, 4, 6) for _ in range(2))
        pairs = list(itertools.combinations(range(6), 2))
        signs = [[np.sign(r[a] - r[b]) for a, b in pairs] for r in (one, two)]
        expected = sum(abs(a - b) / 2 for a, b in zip(*signs, strict=True)) / len(pairs)
        assert between(NAMED["kendall_tau"], ranking(one), ranking(two)) == pytest.approx(expected)
    for _ in range(20):
        first, second = (random_boxes(rng, n).split("; ") for n in (3, 4))
        table = [[between(NAMED["box_iou"], a, b) for b in second] for a in first]
        best = min(
            sum(table[k][at] for k, at in enumerate(chosen)) + 1
            for chosen in itertools.permutations(range(4), 3)
        )
        found = between(NAMED["box_iou"], "; ".join(first), "; ".join(second))
        assert found == pytest.approx(best / 4)


def random_tree(rng: np.random.Generator, n: int) -> str:
    order = rng.permutation(n)
    heads = np.zeros(n, dtype=int)
    for k in range(1, n):
        heads[order[k]] = order[rng.integers(k)] + 1
    return " ".join(f"{head}:{'abc'[rng.integers(3)]}" for head in heads)


def random_boxes(rng: np.random.Generator, n: int) -> str:
    sides = np.hstack([rng.uniform(0, 20, (n, 2)), rng.uniform(5, 20, (n, 2))])
    return "; ".join(f"{' '.join(map(str, box))} {'ab'[rng.integers(2)]}" for box in sides)


def ranking(places) -> str:
    groups = [np.flatnonzero(places == place) for place in np.unique(places)]
    return " > ".join(" = ".join("abcdefgh"[k] for k in group) for group in groups)


def noisy_tree(text: str, share: float, rng: np.random.Generator) -> str:
    """Attach a share of the tokens to the root, with a random relation."""
    tokens = text.split()
    return " ".join(f"0:{rng.integers(9)}" if rng.random() < share else t for t in tokens)


def noisy_words(text: str, share: float, rng: np.random.Generator) -> str:
    return " ".join(f"#{rng.integers(99)}#" if rng.random() < share else w for w in text.split())


def noisy_letters(text: str, share: float, rng: np.random.Generator) -> str:
    return "".join("xyz"[rng.integers(3)] if rng.random() < share else one for one in text)


def noisy_ranking(text: str, share: float, rng: np.random.Generator) -> str:
    """Put a share of the candidates in each other's places."""
    names = np.array(text.split(" > "))
    moved = np.flatnonzero(rng.random(names.size) < share)
    names[moved] = names[rng.permutation(moved)]
    return " > ".join(names)


def noisy_boxes(text: str, share: float, rng: np.random.Generator) -> str:
    """Move every box by a share of up to 20."""
    boxes = [box.split() for box in text.split("; ")]
    for box in boxes:
        box[:2] = [str(float(at) + share * 20 * rng.random()) for at in box[:2]]
    return "; ".join(map(" ".join, boxes))


def kinds() -> dict[str, tuple[list[str], Noise]]:
    rng = np.random.default_rng(6)
    trees = [random_tree(rng, 9) for _ in range(8)]
    words = [" ".join(rng.choice(["le", "chat", "noir", "dort"], 7)) for _ in range(8)]
    rankings = [" > ".join(rng.permutation(list("abcdef"))) for _ in range(8)]
    boxes = [random_boxes(rng, n) for n in (1, 1, 2, 3, 4, 1, 2)]
    return {
        **dict.fromkeys(("tree_edit", "tree_edit_squared", "uas", "las"), (trees, noisy_tree)),
        **dict.fromkeys(("word_error",), (words, noisy_words)),
        **dict.fromkeys(("character_error", "character_error_normalised"), (words, noisy_letters)),
        "word_error_normalised": (words, noisy_words),
        "kendall_tau": (rankings, noisy_ranking),
        **dict.fromkeys(("box_iou", "labelled_box_iou"), (boxes, noisy_boxes)),
    }


@pytest.mark.parametrize("distance", BUILT_IN, ids=lambda one: one.name)
def test_every_distance_keeps_the_contract_and_grows_with_noise(distance) -> None:
    examples, noise = kinds()[distance.name]
    check_object_distance(distance, examples, noise)


def test_a_distance_that_breaks_a_rule_is_told_which() -> None:
    errors, (words, noise) = NAMED["character_error"], kinds()["character_error"]

    def check(rule: str, examples=words, noise=None, **changed) -> None:
        with pytest.raises(AssertionError, match=rule):
            check_object_distance(replace(errors, **changed), examples, noise)

    check("is not in lower_case", name="Errors")
    check("is not symmetric", distances=lambda a, b: np.greater(a, b) * 1.0)
    check("of equal texts is not 0", distances=lambda a, b: np.ones(len(a)))
    check("more than its largest", largest=0.1)
    check("triangle inequality: from 'ab' to 'ba'", ["ab", "aba", "ba"], metric=True)
    check("does not grow with noise", noise=lambda text, level, rng: noise(text, level > 0, rng))
    check("three different examples", ["a", "b", "b"])
