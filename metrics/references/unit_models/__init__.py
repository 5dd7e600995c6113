"""Models of annotators of units, and the consensus of units that weighs annotators by them.

| module | content |
|---|---|
| unit_consensus | the consensus: units with calibrated confidence |
| segments, sequence_model | units as segments between bounds, and their hidden Markov model |
| held_out_units, unit_fit, noisy_targets, logistic | probabilities, trained without known truth |
| unit_error_counts | errors of each annotator relative to the consensus |
"""
