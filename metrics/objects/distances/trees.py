"""Distances between dependency trees over the same or over different tokens.

Text of a tree: for each token in order its head, counted from 1 (0 for a root), a colon, and its
relation, separated by blanks: `2:nsubj 0:root 2:obj`. Forms are not part of it.

`tree_edit` deletes, inserts and relabels nodes, each at cost 1, in trees whose children are ordered
as their tokens are and whose labels are the relations (Zhang & Shasha 1989); several roots stand
below one artificial root. It compares trees of different sentences, and its square is δ_plain of
Skjærholt 2014, the distance of α_plain. `uas` and `las` compare the heads of the same tokens: there
is no expected distance between sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...arrays import Floats
from ..object_distance import ObjectDistance, ObjectKind


@dataclass(frozen=True, eq=False, slots=True)
class DependencyTree:
    """A dependency tree of n tokens and its nodes in post-order, with the artificial root last.

    heads      head of each token, from 1, 0 for a root (n)
    relations  relation of each token (n)
    order      token of each node, from 0; n for the artificial root (n + 1)
    leftmost   node of the leftmost leaf below each node, in post-order (n + 1)
    """

    heads: tuple[int, ...]
    relations: tuple[str, ...]
    order: tuple[int, ...]
    leftmost: tuple[int, ...]


def read_tree(text: str) -> DependencyTree:
    """Read `2:nsubj 0:root 2:obj`. Raises ValueError as `read_heads` and for heads in a circle."""
    read = read_heads(text)
    order, leftmost = _post_order(read.heads)
    return replace(read, order=order, leftmost=leftmost)


def read_heads(text: str) -> DependencyTree:
    """Read `2:nsubj 0:root 2:obj` without the order of the nodes: heads may form a circle.

    Raises ValueError for no token, a token without head and relation, and a head outside the
    sentence.
    """
    tokens = [token.partition(":") for token in text.split()]
    if not tokens:
        raise ValueError("a tree without tokens; expected HEAD:RELATION for each token")
    heads = []
    for number, (head, _, relation) in enumerate(tokens, 1):
        is_number = head.isascii() and head.isdigit() and len(head) < 10
        if not is_number or int(head) > len(tokens) or not relation:
            found = f"{head}:{relation}"[:40]
            raise ValueError(
                f"token {number} is {found!r}; expected HEAD:RELATION, such as 2:nsubj, with a "
                f"head from 0 to {len(tokens)}"
            )
        heads.append(int(head))
    return DependencyTree(tuple(heads), tuple(one[2] for one in tokens), (), ())


def _post_order(heads: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the token and the leftmost leaf of each node in post-order."""
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for token, head in enumerate(heads, 1):
        children[head].append(token)
    order: list[int] = []
    leftmost: list[int] = []
    first_below: dict[int, int] = {}
    to_visit = [(0, False)]
    while to_visit:
        node, is_open = to_visit.pop()
        if not is_open:
            first_below[node] = len(order)
            to_visit.append((node, True))
            to_visit += [(child, False) for child in reversed(children[node])]
        else:
            order.append((node or len(heads) + 1) - 1)
            leftmost.append(first_below[node])
    if len(order) <= len(heads):
        lost = next(token for token in range(len(heads)) if token not in order)
        raise ValueError(
            f"token {lost + 1} does not depend on a root: its heads form a circle, and the "
            "sentence has no tree to edit; the distances uas and las compare such heads, too"
        )
    return tuple(order), tuple(leftmost)


def tree_edits(first: Sequence[DependencyTree], second: Sequence[DependencyTree]) -> Floats:
    """Return the numbers of edits between pairs of trees."""
    from .tree_edit_kernel import edits_of_pairs

    trees = list({id(tree): tree for tree in (*first, *second)}.values())
    place = {id(tree): at for at, tree in enumerate(trees)}
    codes: dict[str, int] = {}
    labels: list[int] = []
    for tree in trees:
        relations = (*tree.relations, "")
        labels += [codes.setdefault(relations[token], len(codes)) for token in tree.order]
    starts = np.cumsum([0, *(len(tree.order) for tree in trees)])
    leftmost = np.array([at for tree in trees for at in tree.leftmost], dtype=np.int64)
    pairs = np.array([[place[id(a)], place[id(b)]] for a, b in zip(first, second, strict=True)])
    return edits_of_pairs(
        pairs.reshape(-1, 2).astype(np.int64), starts, np.array(labels, dtype=np.int64), leftmost
    )


def _squared_edits(first: Sequence[DependencyTree], second: Sequence[DependencyTree]) -> Floats:
    return tree_edits(first, second) ** 2


def attachment_errors(
    first: Sequence[DependencyTree], second: Sequence[DependencyTree], *, labelled: bool
) -> Floats:
    """Return 1 − UAS, or 1 − LAS if labelled: the share of tokens with another head or relation.

    Where the annotators have different numbers of tokens, tokens that only one of them has count
    as errors, and the share is of the longer sentence's tokens.
    """
    shares = np.zeros(len(first))
    for k, (one, two) in enumerate(zip(first, second, strict=True)):
        same = [a == b for a, b in zip(one.heads, two.heads, strict=False)]
        if labelled:
            relations = zip(same, one.relations, two.relations, strict=False)
            same = [heads and a == b for heads, a, b in relations]
        shares[k] = 1 - sum(same) / max(len(one.heads), len(two.heads))
    return shares


TREE_EDIT = ObjectDistance(
    name="tree_edit",
    read=read_tree,
    distances=tree_edits,
    compares_items=True,
    metric=True,
    is_text=False,
    largest=None,
    source="Zhang & Shasha 1989; for dependency trees Skjærholt 2014",
    kind=ObjectKind.tree,
)
TREE_EDIT_SQUARED = replace(
    TREE_EDIT,
    name="tree_edit_squared",
    distances=_squared_edits,
    metric=False,
    source="Skjærholt 2014, δ_plain; Zhang & Shasha 1989",
)
UAS = ObjectDistance(
    name="uas",
    read=read_heads,
    distances=partial(attachment_errors, labelled=False),
    compares_items=False,
    metric=True,
    is_text=False,
    largest=1.0,
    source="unlabelled attachment score, Buchholz & Marsi 2006, 1 − score",
    kind=ObjectKind.tree,
)
LAS = replace(
    UAS,
    name="las",
    distances=partial(attachment_errors, labelled=True),
    source="labelled attachment score, Buchholz & Marsi 2006, 1 − score",
)
