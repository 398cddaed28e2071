"""The kinds of drive, one file each."""
