"""Scores of systems against a reference, by direct distances, without chance correction.

| module | scores |
|---|---|
| accuracy, category_counts, rates | labels: accuracy; precision, recall, F, micro and macro |
| precision_recall | units: five matches, classes of errors |
| slot_error_rate, disorder | units: errors per unit; the campaign's own dissimilarity |
| segmentation | Pk, WindowDiff, generalised Hamming, boundary and segmentation similarity |
| diarization, coreference | speakers' turns; chains of mentions |
| baseline, expected_annotator_score | values to compare a score with |
| estimates, compare | values with intervals; pairs of systems, multiple-comparison correction |

Counts come first and add over documents; each value is an `Estimate` with its signature.
"""
