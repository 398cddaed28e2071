"""Recognises the text of scanned pages with tesseract, where the settings ask for it."""
