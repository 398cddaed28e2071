"""The makers of decisions."""
