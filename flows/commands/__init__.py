"""Commands of `accordeur`, a function each; `on_demand` says which, and where they are."""
