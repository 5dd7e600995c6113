"""zss: tree edit distance (Zhang & Shasha)."""

from __main__ import two_trees

PACKAGE = "zss"


def value(case):
    from zss import Node, simple_distance

    def node(tree):
        name, children = tree
        return Node(name, [node(child) for child in children])

    return simple_distance(*map(node, two_trees(case)))
