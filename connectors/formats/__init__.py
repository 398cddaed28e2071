"""Files of every kind into headed sections, each parsed in a child process with limits."""
