"""The commands of the terminal: what they do, and how a person and a program read it."""
