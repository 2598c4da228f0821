"""``python -I -S ask.py AGENT``: answer a hook through a helper.

Only these lines are compiled at each run; Python caches the code of ``client``.
"""

import sys

sys.path.append(__file__.rpartition("/")[0])

import client  # type: ignore[import-not-found]

client.main(sys.argv[1:])
