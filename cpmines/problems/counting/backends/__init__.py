"""The backends of counting; the file name is the registration."""
