"""HTML pages, and the HTML inside other formats."""
