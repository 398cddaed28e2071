"""The pages for people: ask, read a source, see the map and the gaps."""
