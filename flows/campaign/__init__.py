"""Campaigns: the campaign file, the stages of a run, and the use of earlier runs.

| folder | contents |
|---|---|
| here | the run: stages in order (`measure`), handling of killed workers (`isolation`) |
| `file` | the campaign file and its declarations |
| `task_settings` | settings of each task, from the campaign file and the exports |
| `stages` | stages of a run that are more than one call |
| `earlier` | earlier runs: values, changes since then, and reuse of unchanged runs |
| `adjudication` | export of cases, and import of decisions |
"""
