"""The backends of mosaic; the file name is the registration."""
