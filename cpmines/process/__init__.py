"""The one way to run what may have to be ended: processes, their limits, and how they end."""
