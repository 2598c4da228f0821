"""Run toolmem with the time for hooks that ``HOOK_SECONDS`` names, if it does."""

import os

from toolmem.__main__ import main
from toolmem.core import hook_limits

if "HOOK_SECONDS" in os.environ:
    seconds = float(os.environ["HOOK_SECONDS"])
    hook_limits.SECONDS = hook_limits.CALL_SECONDS = seconds
main()
