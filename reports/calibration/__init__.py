"""The page of a calibration: `results` is its content, `render` writes it."""
