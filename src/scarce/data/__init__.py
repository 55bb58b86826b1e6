"""Data sets: described by `scarce.config.datasets`, fetched from sources, read by readers, prepared, encoded.

`store` has the entry points. This module imports nothing, so that the Snakefile starts without NumPy.
"""
