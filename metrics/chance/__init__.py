"""Ways to produce continua without reading the text, and the expected disorder.

| module | holds |
|---|---|
| `corpus` | a corpus as flat arrays, what the processes draw from and workers are sent |
| `draws` | virtual documents, many together, as flat arrays |
| `random1`, `random2`, `shuffle`, `statistical` | the four processes |
| `sampler` | a virtual continuum by (process, study, index), with a seed of its own |
| `streams` | the random generators of many samples at once |
| `disorders` | disorders of many documents as counts that add |
| `samples` | the samples of a process: mean, error, precision; the expected disorder |
| `plan` | which samples are still missing, for a scheduler |
| `expected` | the whole: sample to an asked precision, choose the least process |
"""
