"""The commands ``cpmines`` and ``python -m cpmines``: interrupts are seen to before anything is loaded."""

from cpmines import interrupts

interrupts.install()


def main() -> None:
    """Run the command line and exit."""
    from cpmines.cli import main as run

    run()


if __name__ == "__main__":
    main()
