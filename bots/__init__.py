"""What people meet: messages translated, conversations held, everything assembled in `app`."""
