"""``python -m benchmarks interrupts``: signals at random moments of every command, and what came of them."""
