"""The pieces of a reply that are the same on every platform."""
