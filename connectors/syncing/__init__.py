"""The steps of one run, called by `connectors.sync`: list, compare, let go, read, judge, commit."""
