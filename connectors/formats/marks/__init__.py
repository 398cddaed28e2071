"""Markdown read line by line: what is plain is read at once, the rest is left to the library."""
