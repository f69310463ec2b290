"""Every reader of data from outside, on thousands of damaged inputs: an answer or a refusal, within bounds."""
