"""The campaign's flows, its configuration and the command line."""
