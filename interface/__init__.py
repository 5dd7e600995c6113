"""The Python interface behind `import accordeur`: frames and exports in, values and frames out.

It calls the same functions as the commands, so that notebook and terminal give the same numbers.
"""
