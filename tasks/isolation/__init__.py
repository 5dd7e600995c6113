"""Documents that kill their workers: found one by one, remembered, left out."""
