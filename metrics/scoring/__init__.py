"""Systems against a reference, by direct distances; no chance-corrected coefficient here.

| module | scores |
|---|---|
| accuracy, category_counts, rates | labels: accuracy; precision, recall, F, micro and macro |
| precision_recall | units: five matches, classes of errors |
| slot_error_rate, disorder | units: errors per unit; the campaign's own dissimilarity |
| segmentation | Pk, WindowDiff, generalised Hamming, boundary and segmentation similarity |
| diarization, coreference | speakers' turns; chains of mentions |
| baseline, human_range | what a score is read against |
| estimates, compare | values with intervals; pairs of systems, correction for many |
| wall | what is refused, and why |

Counts come first and add over documents; each value is an `Estimate` with its signature.
"""
