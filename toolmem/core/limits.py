"""Every number in the product, with its unit and its reason."""

# Rules
RULE_CHARS = 500
"""Characters of a rule's text after whitespace is collapsed (one line)."""
RULES_IN_PROMPT = 30
"""Rules in the prompt block; critical ones count but are never dropped."""
RULE_FILE_BYTES = 64 * 1024
"""A rule file: far above what a person writes, below what stalls a parser."""
TOML_KEY_DOTS = 8
"""Dots in one key: a key of 40 KB of dots costs the TOML parser seconds."""
ID_SHOWN = 8
"""Characters of an id in file names and listings."""

# Names
NAME_BYTES = 200
"""An encoded name stays below the 255 bytes of a file name, suffix included."""

# Files
TEXT_FILE_BYTES = 1024 * 1024
"""Facts, guidance, profiles, overrides, settings and memories are read to here."""
FRONT_MATTER_BYTES = 16 * 1024
FRONT_MATTER_DEPTH = 16

# Prompt block: tokens of each part (agent-queue's tiers)
ROLE_TOKENS = 50
FACTS_TOKENS = 200
GUIDANCE_TOKENS = 300
MEMORIES_TOKENS = 500
FAR_OVER = 2
"""A role this many times over its budget is remarked on."""

# Scopes (agent-queue's weights; the override and agent tiers are ours)
WEIGHT_OVERRIDE = 1.2
WEIGHT_AGENT = 1.2
WEIGHT_PROJECT = 1.0
WEIGHT_AGENT_TYPE = 0.7
WEIGHT_SYSTEM = 0.4

# Check
CRITICAL_SHARE = 0.5
"""More critical rules than this share, and none of them stands out."""
CRITICAL_SHARE_FROM = 10
"""Rules a vault must have before the share says anything."""

# Locking
LOCK_SECONDS = 5.0
"""How long a writer waits for another before it gives up."""

# Guard
SHELL_BYTES = 64 * 1024
"""Characters of shell text that are read, shells inside it counted again; what
is longer is matched as text."""
SHELL_VALUE_CHARS = 1000
"""A variable's value; a longer one is not followed (doubling ones explode)."""
SHELL_GRAMMAR_CHARS = 8 * 1024
"""What the grammar is given once quoted text and here-documents are lifted out:
its error recovery is quadratic (75 s were measured for 64 KiB)."""
SHELL_OPERATORS = 1500
"""Operators of one command: its recovery is quadratic in these above all."""
SHELL_DEPTH = 8
"""Shells inside shells (`bash -c "bash -c …"`)."""
SHELL_COMMANDS = 2000
"""Simple commands of one text; the rest is matched as text."""
BRACE_WORDS = 64
"""Words that one brace expansion may grow to."""
REGEX_STATES = 500
"""States of one automaton: a pattern with its counted repeats written out."""
REGEX_DEPTH = 40
"""Groups inside groups in one pattern."""
REGEX_STEPS = 20_000
"""Transitions worked out for one text before the pattern is given up on."""
REGEX_CHARS = 1024 * 1024
"""Characters of one value that a pattern is run on."""
GUARD_COMMANDS = 64
"""Command lines that the alternatives of one guard may multiply to."""
