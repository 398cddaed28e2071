"""Slack: the only package that imports slack_bolt."""
