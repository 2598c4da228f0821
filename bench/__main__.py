"""Every measurement, one after the other: ``python -m bench``; 1 on a miss."""

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """Run each benchmark module here, and report those that missed a target."""
    names = sorted(
        path.stem
        for path in FOLDER.glob("*.py")
        if path.stem not in ("bare", "measure", "__init__", "__main__")
    )
    missed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"bench.{name}"], check=False, cwd=FOLDER.parent
        )
        if done.returncode:
            missed.append(name)
    if missed:
        print(f"\nmissed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
