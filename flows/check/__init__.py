"""`accordeur check`: validate a campaign's exports with the rules of a run, without running it."""
