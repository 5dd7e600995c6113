"""`accordeur check`: a campaign's exports through a run's rules, and nothing else."""
