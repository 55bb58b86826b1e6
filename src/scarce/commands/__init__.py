"""What the command line does: read files, call the pure functions, write files."""
