"""Two runs of a campaign compared: values, documents, data, options, code."""
