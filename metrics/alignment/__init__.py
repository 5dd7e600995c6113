"""The exact alignment engine."""
