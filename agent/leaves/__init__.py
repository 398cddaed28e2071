"""The leaves of a plan: one while it is worked on, all in their order, and what is seen of it."""
