"""Data and documentation that a release audit publishes beside the report."""
