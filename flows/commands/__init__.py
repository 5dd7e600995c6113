"""Commands of `accordeur` that have a module of their own; `flows.cli` registers them."""
