"""The formats of annotation tools: a module or a folder each, with one `READER`."""
