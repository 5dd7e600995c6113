"""The Python interface behind `import accordeur`: frames and exports in, values and frames out.

It calls what the commands call, so that a notebook and a terminal give the same numbers.
"""
