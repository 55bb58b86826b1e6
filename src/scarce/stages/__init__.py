"""One module per rule of the Snakefile: read its inputs, call pure functions, write its outputs."""
