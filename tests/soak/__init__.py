"""Long trials that are no part of the test suite: each is a command, and prints the line of docs/reliability.md."""
