"""From a question to windows: understood, weighed, scored, read."""
