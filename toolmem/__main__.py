"""``python -m toolmem``."""

from toolmem.cli.main import main

if __name__ == "__main__":
    main()
