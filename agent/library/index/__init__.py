"""The full-text index: what it holds, and the form it has on each database."""
