"""Random instances, backends and relations against each other, and what is found made small and kept."""
