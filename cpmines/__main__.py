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
        print(f"cpmines: the installation is broken, install it again: {error!r}", file=sys.stderr)
        sys.exit(2)
    try:
        run()
    except SystemExit as end:
        interrupts.finish(end.code if isinstance(end.code, int) else 0)
        raise


if __name__ == "__main__":
    main()
