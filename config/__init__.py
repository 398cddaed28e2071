"""Typed settings, the sentences for a rejected one, and the log format; imports nothing of ours."""
