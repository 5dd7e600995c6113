"""kendall-w: Kendall's W of annotators' ranks, without a correction for ties."""

PACKAGE = "kendall-w"


def value(case):
    from kendall_w.kendall_w import compute_w

    if case["measure"] != "kendall_w":
        raise NotImplementedError("computes Kendall's W")
    if case["conventions"]["ties"] == "corrected" and has_ties(case):
        raise NotImplementedError("has no correction for ties")
    return compute_w(case["given"]["ratings"])  # whole numbers, as it asks for


def has_ties(case):
    return any(len(set(column)) < len(column) for column in zip(*case["given"]["ratings"]))
