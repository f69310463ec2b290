"""The backends of deduction; the file name is the registration."""
