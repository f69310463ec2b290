"""The backends of consistency; the file name is the registration."""
