"""Runs on a schedule, and notifications."""
