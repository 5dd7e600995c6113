"""Releases: the check of a bundle and of its signature, its deposit, the software that made it."""
