"""The formats, one file each; the name of the file is the name of the format.

A module offers ``write(statement, encoding, limits, out)``, which writes the bytes of a file and returns the
number of its variables. The encoding matters to formats of clauses only. It raises `LimitError`, and
`UsageError` for what the format can't say.
"""
