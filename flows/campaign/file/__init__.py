"""The campaign file: TOML, checked whole, and what it declares for a run and for `check` alike."""
