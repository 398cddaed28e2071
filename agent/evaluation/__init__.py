"""Measures an engine: question sets, scoring, the baselines, the report.

It takes a callable that answers and never builds a library; that is the commands' work.
"""
