"""A real small model, served on loopback: opt-in, `make test-model`."""
