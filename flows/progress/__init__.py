"""Progress of a run: bars, remaining time, log lines, names of tasks."""
