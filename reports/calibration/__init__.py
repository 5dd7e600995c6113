"""The page of a calibration: `results` is what it shows, `render` writes it."""
