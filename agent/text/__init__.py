"""Words and sentences of English and Chinese text, for search, quoting and checking."""
