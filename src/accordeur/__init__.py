"""Agreement, alignment, chance, resampling and system scores from raw annotation exports.

Nothing is imported here, so that a measure does not wait for what only a campaign needs.
"""
