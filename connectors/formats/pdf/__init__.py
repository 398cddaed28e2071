"""PDF files: lines with their place and size, then headings, then sections with pages."""
