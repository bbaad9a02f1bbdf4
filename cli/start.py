"""Where the command `fairdeal` starts: Ctrl-C is answered also while the program is still being loaded."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Load the commands and run them."""
    try:
        from cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    run()
