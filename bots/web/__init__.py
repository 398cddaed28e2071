"""The aiohttp applications of the two listeners."""
