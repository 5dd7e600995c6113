"""crowd-kit: nominal α of labels in a data frame."""

PACKAGE = "crowd-kit"


def value(case):
    import pandas as pd
    from crowdkit.metrics.data import alpha_krippendorff

    conventions, given = case["conventions"], case["given"]
    if case["measure"] != "krippendorff_alpha" or conventions.get("distance") != "nominal":
        raise NotImplementedError("computes nominal α")
    if conventions.get("missing") == "complete":
        raise NotImplementedError("uses items with missing labels")
    times = given.get("times", [1] * len(given["labels"]))
    if sum(times) > 2000:
        raise NotImplementedError("too slow for thousands of items")
    table = [row for row, n in zip(given["labels"], times) for _ in range(n)]
    long = [
        (str(i), str(a), str(x))
        for i, row in enumerate(table)
        for a, x in enumerate(row)
        if x is not None
    ]
    return alpha_krippendorff(pd.DataFrame(long, columns=["task", "worker", "label"]))
