"""The backends of reconstruction; the file name is the registration."""
