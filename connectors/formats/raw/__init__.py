"""What lies under every format: bytes into text, ZIP packages, the XML inside them."""
