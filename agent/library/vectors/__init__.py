"""Search by meaning: texts as vectors, kept in the store, compared by brute force.

Optional. Without an embedder, without numpy, or while it fails, search goes by words alone.
"""
