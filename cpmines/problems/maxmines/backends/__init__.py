"""The backends of maxmines; the file name is the registration."""
