"""What is known of a document without opening it."""
