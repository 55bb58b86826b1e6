"""When a difference is practically none; a module of its own, which the command line can import without NumPy."""

#: Differences up to it are practically none, where nobody says otherwise.
ROPE = 0.01
