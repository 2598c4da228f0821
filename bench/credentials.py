"""Count the credentials found in labelled sentences, and the harmless ones flagged.

    python -m bench.credentials FILE.jsonl ...

A line has ``text`` and ``secret`` (or ``credential``), true or false. Each sentence on
which the detection is wrong is printed.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from toolmem.core.secrets.detect import find_secrets


def main(paths: list[str]) -> None:
    counts = Counter[tuple[bool, bool]]()
    for path in paths:
        for line in Path(path).read_text("utf-8").splitlines():
            row = json.loads(line)
            is_secret = bool(row.get("secret", row.get("credential")))
            is_found = bool(find_secrets(row["text"]))
            counts[is_secret, is_found] += 1
            if is_secret != is_found:
                print(f"{'missed' if is_secret else 'false'}: {row['text']!r}")
    found, flagged = counts[True, True], counts[False, True]
    secrets, harmless = found + counts[True, False], flagged + counts[False, False]
    print(f"found {found}/{secrets}, false {flagged}/{harmless}")


if __name__ == "__main__":
    main(sys.argv[1:])
