"""``python -m tests.mutations [WORD]``: try all mutations, or those with the word in their name or file."""

from __future__ import annotations

import sys

from tests.mutations.catalogue import CATALOGUE
from tests.mutations.score import try_out

word = sys.argv[1] if len(sys.argv) > 1 else ""
chosen = [mutation for mutation in CATALOGUE if word in mutation.name or word in mutation.file]
found = 0
for mutation in chosen:
    result = try_out(mutation)
    found += result.found
    print(result, flush=True)
print(f"mutation score: {found} of {len(chosen)}")
sys.exit(found < len(chosen))
