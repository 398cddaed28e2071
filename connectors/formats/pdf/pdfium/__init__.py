"""What PDFium gives of a page; the only package that knows pypdfium2."""
