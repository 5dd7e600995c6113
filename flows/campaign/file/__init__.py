"""The campaign file (TOML), validated as a whole, and its declarations for `run` and `check`."""
