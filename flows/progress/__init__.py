"""What a run shows while it works: bars, time left, log lines, names of tasks."""
