"""Data sets: described in specs, fetched by sources, read by readers, prepared, encoded. `store` has the entry points.

Nothing is imported here: a Snakefile that reads descriptions must not pay for NumPy.
"""
