"""Fetches files from drives, parses them, keeps the library in step."""
