"""The page of a resampling study: `results` is its content, `render` writes it."""
