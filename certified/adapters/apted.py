"""apted: tree edit distance (Pawlik & Augsten)."""

from __main__ import two_trees

PACKAGE = "apted"


def value(case):
    from apted import APTED
    from apted.helpers import Tree

    def node(tree):
        name, children = tree
        return Tree(name, *map(node, children))

    return APTED(*map(node, two_trees(case))).compute_edit_distance()
