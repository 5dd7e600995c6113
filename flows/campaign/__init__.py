"""A campaign: its file, the stages of its run, what a run keeps of earlier ones."""
