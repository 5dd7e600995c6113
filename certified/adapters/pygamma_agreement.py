"""pygamma-agreement: disorder of the best alignment of located units."""

from fractions import Fraction

PACKAGE = "pygamma-agreement"
MEASURES = ("gamma_disorder", "soft_gamma_disorder", "gamma_with_chance")


def value(case):
    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    settings, given = case["conventions"], case["given"]
    if case["measure"] not in MEASURES or settings.get("position") != "positional":
        raise NotImplementedError("aligns units by their positional dissimilarity")
    continuum = Continuum()
    for name in given["annotators"]:
        continuum.add_annotator(name)
    for name, start, end, category in given["units"]:
        continuum.add(name, Segment(start, end), category)
    number = {key: float(Fraction(settings[key])) for key in ("alpha", "beta", "delta_empty")}
    dissimilarity = CombinedCategoricalDissimilarity(**number)
    best = (
        continuum.get_best_soft_alignment
        if case["measure"] == "soft_gamma_disorder"
        else continuum.get_best_alignment
    )
    disorder = best(dissimilarity).disorder
    if case["measure"] == "gamma_with_chance":
        return 1 - disorder / float(Fraction(settings["expected"]))
    return disorder
