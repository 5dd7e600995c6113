"""Agreement on relations and on coreference chains."""
