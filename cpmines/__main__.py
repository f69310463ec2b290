"""The commands ``cpmines`` and ``python -m cpmines``: interrupts are seen to before anything is loaded."""

import sys

from cpmines import interrupts

interrupts.install()


def main() -> None:
    """Run the command line and exit."""
    try:
        from cpmines.cli import main as run
    except (ImportError, SyntaxError, OSError, MemoryError) as error:
        # The interpreter would end with 1, which is for conflicts.
        memory = isinstance(error, MemoryError) or "failed to map segment" in str(error)
        why = "the machine has no more memory" if memory else "the installation is broken, install it again"
        print(f"cpmines: {why}: {error!r}", file=sys.stderr)
        sys.exit(2)
    try:
        run()
    except SystemExit as end:
        interrupts.finish(end.code if isinstance(end.code, int) else 0)
        raise


if __name__ == "__main__":
    main()
