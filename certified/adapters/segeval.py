"""segeval: P_k, WindowDiff, boundary similarity B and segmentation similarity S of masses."""

PACKAGE = "segeval"


def value(case):
    import collections
    import collections.abc

    for name in ("Mapping", "Callable", "Iterable", "Sequence", "MutableMapping"):
        if not hasattr(collections, name):  # segeval is older than Python 3.10
            setattr(collections, name, getattr(collections.abc, name))
    import segeval

    if case["kind"] != "segmentations":
        raise NotImplementedError("compares segmentations")
    given, conventions = case["given"], case["conventions"]
    sides = tuple(given["hypothesis"]), tuple(given["reference"])
    if case["measure"] in ("pk", "window_diff"):
        measure = segeval.pk if case["measure"] == "pk" else segeval.window_diff
        return measure(*sides, window_size=conventions["k"])
    if case["measure"] in ("boundary_similarity", "segmentation_similarity"):
        return getattr(segeval, case["measure"])(*sides, n_t=conventions["span"])
    raise NotImplementedError(f"has no {case['measure']}")
