"""Run toolmem on a full disk: ``python -m tests.agents.full_disk hook …``."""

from tests.faults import full_disk
from toolmem.__main__ import main

if __name__ == "__main__":
    full_disk.fill()
    main()
