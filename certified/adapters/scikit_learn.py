"""scikit-learn: Cohen's κ of two annotators, with linear or quadratic weights of ranks."""

PACKAGE = "scikit-learn"
WEIGHTS = {"linear_ranks": "linear", "quadratic_ranks": "quadratic"}


def value(case):
    from sklearn.metrics import cohen_kappa_score

    given, weights = case["given"], None
    if case["measure"] == "weighted_kappa" and case["conventions"]["distance"] in WEIGHTS:
        weights = WEIGHTS[case["conventions"]["distance"]]
    elif case["measure"] != "cohen_kappa":
        raise NotImplementedError("computes κ, plain or with weights by rank")
    if len(given["labels"][0]) != 2:
        raise NotImplementedError("compares two annotators")
    times = given.get("times", [1] * len(given["labels"]))
    pairs = [(row, n) for row, n in zip(given["labels"], times) if None not in row]
    if len(pairs) < len(times) and case["conventions"]["missing"] != "complete":
        raise NotImplementedError("has no missing labels")
    first, second = zip(*(row for row, _ in pairs))
    return cohen_kappa_score(
        first, second, labels=given["tagset"], weights=weights, sample_weight=[n for _, n in pairs]
    )
