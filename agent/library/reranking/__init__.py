"""A second opinion on the order of passages, from a model that reads question and text together.

Optional. Without a reranker, or while it fails, the order of the search stays.
"""
