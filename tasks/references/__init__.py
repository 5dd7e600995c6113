"""References: what a run builds from its annotators, releases, and keeps for scores."""
