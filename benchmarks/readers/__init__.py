"""Every reader of data from outside on thousands of damaged inputs: taken or refused, within bounds."""
