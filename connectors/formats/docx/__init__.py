"""Word files: every visible word once, under the heading a reader sees it under."""
