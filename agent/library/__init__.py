"""Documents, sections, windows, passages; scope inside every query; search."""
