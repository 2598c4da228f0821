"""Continue's ``cn``: the block in a file of rules.

Version 1.5.47 reads hooks in its own and in Claude Code's settings and runs none.
"""

from toolmem.core.agents.agent import Agent
from toolmem.core.agents.wiring import Wiring

AGENT = Agent(
    "Continue",
    Wiring(
        "continue",
        ".continue/rules/toolmem.md",
        ".continue/rules/toolmem.md",
        shape="section",
        note="cn is shown the rules, its calls are not checked: run this again when "
        "rules change",
        moved=("CONTINUE_GLOBAL_DIR", ".continue/"),
        programs=("cn",),
    ),
    tools=("Bash", "Read", "Write", "List", "Fetch", "MultiEdit", "Checklist"),
)
