"""Scores of systems against a reference, by direct distances, without chance correction.

| module | scores |
|---|---|
| accuracy, category_counts | labels: accuracy; precision, recall, F, micro and macro |
| precision_recall_f, unit_match_counts | units: five matches, classes of errors |
| slot_error_rate, disorder | units: errors per unit; the campaign's own dissimilarity |
| segmentation, boundary_edits | Pk, WindowDiff, generalised Hamming, edits of boundaries |
| diarization, coreference | speakers' turns; chains of mentions |
| baseline, expected_annotator_score | values to compare a score with |
| score_estimates, compare_systems | values with intervals; pairs of systems |
| soft_scores | against distributions of labels |
| open_places, reference_error | what a reference does not decide; how often it is wrong |

Counts come first and add over documents; each value is an `Estimate` with its signature.
"""
