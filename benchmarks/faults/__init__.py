"""``python -m benchmarks faults``: commands on a machine that fails, and what they say and leave."""
