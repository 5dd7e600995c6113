"""The page of a resampling study: `results` is what it shows, `render` writes it."""
