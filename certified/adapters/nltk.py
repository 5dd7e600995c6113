"""nltk: S, π, κ, multi-κ, weighted κ and α of AnnotationTask; WindowDiff, P_k and GHD; UAS, LAS."""

from itertools import accumulate

PACKAGE = "nltk"
METHODS = {
    "percent_agreement": "avg_Ao", "bennett_s": "S", "scott_pi": "pi", "fleiss_kappa": "pi",
    "cohen_kappa": "kappa", "light_kappa": "kappa", "conger_kappa": "multi_kappa",
    "krippendorff_alpha": "alpha", "weighted_kappa": "weighted_kappa",
}  # fmt: skip


def value(case):
    if case["kind"] == "segmentations":
        return segmentation(case)
    if case["kind"] == "trees":
        return attachment(case)
    if case["kind"] != "items" or case["measure"] not in METHODS:
        raise NotImplementedError(f"has no {case['measure']}")
    return items(case)


def items(case):
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import (
        binary_distance,
        interval_distance,
        jaccard_distance,
        masi_distance,
    )

    measure, given, conventions = case["measure"], case["given"], case["conventions"]
    distances = {
        "nominal": binary_distance, "interval": interval_distance,
        "jaccard": jaccard_distance, "masi": masi_distance,
    }  # fmt: skip
    distance = conventions.get("distance", "nominal")
    if measure == "weighted_kappa" and len(given["labels"][0]) > 2:
        raise NotImplementedError("weighted κ of many annotators is the mean over pairs")
    rank = {label: k for k, label in enumerate(given["tagset"])}
    if measure == "weighted_kappa":
        distances |= {
            "linear_values": lambda c, k: abs(c - k),
            "linear_ranks": lambda c, k: abs(rank[c] - rank[k]),
            "quadratic_ranks": lambda c, k: (rank[c] - rank[k]) ** 2,
        }
    if distance not in distances:
        raise NotImplementedError(f"has no distance {distance}")
    gaps = any(x is None for row in given["labels"] for x in row)
    if gaps and measure != "krippendorff_alpha" and conventions["missing"] != "complete":
        raise NotImplementedError("has missing labels for α only")
    rows = [
        row
        for row in given["labels"]
        if conventions.get("missing") != "complete" or None not in row
    ]
    times = given.get("times", [1] * len(rows))
    if sum(times) > 2000:
        raise NotImplementedError("too slow for thousands of items")
    table = [row for row, n in zip(rows, times) for _ in range(n)]
    data = [
        (f"{a:03d}", i, frozenset(x) if isinstance(x, list) else x)
        for i, row in enumerate(table)
        for a, x in enumerate(row)
        if x is not None
    ]
    task = AnnotationTask(data, distance=distances[distance])
    method = getattr(task, METHODS[measure])
    if distance == "linear_values":
        return method(max_distance=max(abs(c - k) for c in task.K for k in task.K))
    return method()


def segmentation(case):
    from nltk.metrics.segmentation import ghd, pk, windowdiff

    reference, hypothesis = (places(case["given"][side]) for side in ("reference", "hypothesis"))
    conventions, measure = case["conventions"], case["measure"]
    if measure == "pk":
        return pk(reference, hypothesis, k=conventions["k"])
    if measure == "window_diff":
        return windowdiff(reference, hypothesis, conventions["k"])
    if measure == "ghd":
        costs = [number(conventions[name]) for name in ("insertion", "deletion", "shift")]
        return ghd(reference, hypothesis, *costs)
    raise NotImplementedError(f"has no {measure}")


def attachment(case):
    from nltk.parse import DependencyEvaluator, DependencyGraph

    rows, distance = case["given"]["objects"], case["conventions"]["distance"]
    if case["measure"] != "mean_distance" or distance not in ("uas", "las"):
        raise NotImplementedError("has UAS and LAS of trees")
    if len(rows) > 1:
        raise NotImplementedError("has UAS and LAS of all tokens, not the mean over sentences")

    if len({len(text.split()) for text in rows[0]}) > 1:
        raise NotImplementedError("compares the same tokens")

    def graph(text):
        tokens = [token.split(":", 1) for token in text.split()]
        lines = (f"word{k} X {head} {name}" for k, (head, name) in enumerate(tokens))
        return DependencyGraph("\n".join(lines), top_relation_label="root")

    one, other = map(graph, rows[0])
    las, uas = DependencyEvaluator([one], [other]).eval()
    return 1 - (las if distance == "las" else uas)


def number(text):
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)


def places(masses):
    ends = set(list(accumulate(masses))[:-1])
    return "".join("1" if x in ends else "0" for x in range(1, sum(masses)))
