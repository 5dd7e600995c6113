"""From the campaign file and what was found in the exports to what each task is told."""
