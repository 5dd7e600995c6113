"""scorch: MUC, B³, CEAF, BLANC and their CoNLL mean of coreference chains."""

PACKAGE = "scorch"
SCORES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


def value(case):
    from scorch import scores

    measure = case["measure"]
    if measure not in (*SCORES, "conll"):
        raise NotImplementedError(f"has no {measure}")
    one, other = (chains(column) for column in zip(*case["given"]["chains"]))
    if measure == "conll":
        return scores.conll2012(one, other)
    return getattr(scores, measure)(one, other)[2]


def chains(column):
    names = {name for name in column if name is not None}
    return [{m for m, one in enumerate(column) if one == name} for name in sorted(names)]
