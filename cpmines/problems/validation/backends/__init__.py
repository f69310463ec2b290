"""The backends of validation; the file name is the registration."""
