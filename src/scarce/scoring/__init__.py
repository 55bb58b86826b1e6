"""From saved scores and true labels to metrics; nothing is fitted here."""
