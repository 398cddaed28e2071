"""Microsoft's botbuilder, and nothing else of ours: the only package that imports it."""
