"""``python -m toolmem``, and the short way for hooks.

A hook runs on every tool call of an agent: it is answered before the command
line program, which takes longer to import than the answer to give.
"""

import sys


def main() -> None:
    """Run the program on the process's own arguments and exit."""
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] not in ([], ["-h"], ["--help"]):
        from toolmem.hooks.main import main as answer

        sys.exit(answer(sys.argv[2:]))
    from toolmem.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
