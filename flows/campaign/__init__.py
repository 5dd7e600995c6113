"""A campaign: its file, the stages of its run, what a run keeps of earlier ones.

| folder | what is in it |
|---|---|
| here | the run: `measure` has its stages in order, `isolation` what follows a killed worker |
| `file` | the campaign file and what it declares |
| `task_settings` | what each task needs to know, from the campaign file and what the exports hold |
| `stages` | stages of a run that are more than a call |
| `earlier` | earlier runs: their values, what changed since, what stands |
| `adjudication` | cases out, decisions in |
"""
