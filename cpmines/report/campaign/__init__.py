"""A campaign's report: what its figures show (`figures`), as pictures (`plots`), as one page (`page`)."""
