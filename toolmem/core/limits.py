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
CRITICAL_SHARE_FROM = 20
"""Rules a vault must have before the share says anything."""

# Locking
LOCK_SECONDS = 5.0
"""How long a writer waits for another before it gives up."""

# Files and git
PATH_DEPTH = 32
"""Folders below the vault: deeper is no vault a person made, and costs descriptors."""
OPEN_FOLDERS = 64
"""Folder descriptors that one reading of a vault keeps open."""
TEMP_SECONDS = 3600
"""A temporary file older than this was left behind by a writer that died."""
GIT_SECONDS = 30.0
"""How long one git command may take before it is stopped."""
