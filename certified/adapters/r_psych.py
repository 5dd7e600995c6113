"""psych (R): intraclass correlations by analysis of variance, Cohen's κ with quadratic weights."""

from __main__ import r_table, run_r

PACKAGE = "psych (R)"
ROWS = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")


def version():
    return run_r('cat(as.character(packageVersion("psych")))')


def value(case):
    measure, given = case["measure"], case["given"]
    if measure in ROWS:
        call = f"psych::ICC(m, lmer = FALSE)$results$ICC[{ROWS.index(measure) + 1}]"
        return number(given["ratings"], call)
    quadratic = case["conventions"].get("distance") == "quadratic_ranks"
    if measure != "cohen_kappa" and not (measure == "weighted_kappa" and quadratic):
        raise NotImplementedError(f"has no {measure} with this distance")
    if len(given["labels"][0]) != 2 or any(None in row for row in given["labels"]):
        raise NotImplementedError("two annotators without missing labels")
    size, times = len(given["tagset"]), given.get("times", [1] * len(given["labels"]))
    table = [[0] * size for _ in range(size)]
    for row, n in zip(given["labels"], times):
        table[given["tagset"].index(row[0])][given["tagset"].index(row[1])] += n
    of = "weighted.kappa" if measure == "weighted_kappa" else "kappa"
    return number(table, f"psych::cohen.kappa(m)${of}")


def number(rows, call):
    return float(
        run_r(f"m <- {r_table(rows)}; cat(format({call}, digits = 17))").replace("NA", "nan")
    )
