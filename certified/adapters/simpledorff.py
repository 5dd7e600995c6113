"""simpledorff: α of labels in a data frame, nominal or interval."""

PACKAGE = "simpledorff"


def value(case):
    import pandas as pd
    from simpledorff import calculate_krippendorffs_alpha_for_df
    from simpledorff.metrics import interval_metric, nominal_metric

    distance = case["conventions"].get("distance")
    if case["measure"] != "krippendorff_alpha" or distance not in ("nominal", "interval"):
        raise NotImplementedError("computes α, nominal or interval")
    if case["conventions"].get("missing") == "complete":
        raise NotImplementedError("uses items with missing labels")
    given = case["given"]
    times = given.get("times", [1] * len(given["labels"]))
    if sum(times) > 2000:
        raise NotImplementedError("too slow for thousands of items")
    table = [row for row, n in zip(given["labels"], times) for _ in range(n)]
    long = [(i, a, x) for i, row in enumerate(table) for a, x in enumerate(row) if x is not None]
    frame = pd.DataFrame(long, columns=["item", "annotator", "label"])
    return calculate_krippendorffs_alpha_for_df(
        frame,
        experiment_col="item",
        annotator_col="annotator",
        class_col="label",
        metric_fn=interval_metric if distance == "interval" else nominal_metric,
    )
