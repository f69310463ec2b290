"""Are limits kept? Every command, backend and question on instances that are too much for them."""
