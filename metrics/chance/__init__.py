"""Chance models, which produce continua without reading the text, and the expected disorder.

| module | content |
|---|---|
| `corpus` | a corpus as flat arrays, the input of the chance models and of workers |
| `draws` | batches of virtual documents as flat arrays |
| `random1`, `random2`, `shuffle`, `statistical` | the four chance models |
| `sample_drawing` | a virtual continuum by (model, study, index), with its own seed and generator |
| `disorders` | disorders of many documents as counts that add |
| `samples` | the samples of a chance model: mean, error, precision; the expected disorder |
| `sample_plan` | the samples still missing, for a scheduler |
| `expected` | the whole procedure: sample to a required precision, choose the lowest model |
"""
