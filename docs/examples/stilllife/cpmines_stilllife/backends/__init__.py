"""The backends; the file name is the registration."""
