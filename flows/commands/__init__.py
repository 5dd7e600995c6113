"""Commands of `accordeur`, one function each; `on_demand` lists and locates them."""
