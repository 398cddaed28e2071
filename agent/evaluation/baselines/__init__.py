"""The honest opponents: a plain RAG and a plain loop, strong and short enough to read whole.

They share the library and the model with the engine, and nothing of its loop.
"""
