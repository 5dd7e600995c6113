"""statsmodels: Fleiss' and Randolph's κ of complete tables, Cohen's κ with weights."""

import numpy as np

PACKAGE = "statsmodels"
WEIGHTS = {"linear_ranks": "linear", "quadratic_ranks": "quadratic"}


def value(case):
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    if case["kind"] != "items":
        raise NotImplementedError("computes κ of labels")
    given, measure = case["given"], case["measure"]
    times = given.get("times", [1] * len(given["labels"]))
    table = [(row, n) for row, n in zip(given["labels"], times)]
    if any(None in row for row, _ in table):
        if case["conventions"]["missing"] != "complete":
            raise NotImplementedError("assumes complete tables")
        table = [(row, n) for row, n in table if None not in row]
    if measure in ("fleiss_kappa", "scott_pi", "bennett_s"):
        counts = [[row.count(label) for label in given["tagset"]] for row, _ in table]
        counts = np.repeat(np.array(counts), [n for _, n in table], axis=0)
        return fleiss_kappa(counts, method="randolph" if measure == "bennett_s" else "fleiss")
    distance = case["conventions"].get("distance")
    if measure == "cohen_kappa" or (measure == "weighted_kappa" and distance in WEIGHTS):
        if len(given["labels"][0]) != 2:
            raise NotImplementedError("Cohen's κ of two annotators")
        size = len(given["tagset"])
        confusion = np.zeros((size, size))
        for row, n in table:
            confusion[tuple(given["tagset"].index(x) for x in row)] += n
        return cohens_kappa(confusion, wt=WEIGHTS.get(distance), return_results=False)
    raise NotImplementedError(f"has no {measure} with this distance")
