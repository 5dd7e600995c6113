"""The dry reading of a campaign: its exports through a run's rules, and nothing else."""
