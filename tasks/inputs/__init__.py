"""Exports read and measured in memory: code shared by all commands that read exports directly."""
