"""Limits and weights of the product, each with its unit and its reason."""

# Rules
RULE_CHARS = 500
"""Characters of a rule's text after whitespace is collapsed (one line)."""
HIGH_RULES_IN_PROMPT = 30
"""High rules in the prompt block, in addition to every critical one."""
CRITICAL_RULES = 30
"""Critical rules in force from which on programs only propose further ones."""
RULE_FILE_BYTES = 64 * 1024
"""A rule file: far more than a person writes, less than stalls a parser."""
TOML_KEY_DOTS = 32
"""Dots in one key: a key of 40 KB of dots costs the TOML parser seconds."""
ID_SHOWN = 8
"""Characters of an id in file names and listings."""

# Names
NAME_BYTES = 200
"""An encoded name stays below the 255 bytes of a file name, suffix included."""

# Files
TEXT_FILE_BYTES = 1024 * 1024
"""Maximum size of facts, guidance, profiles, overrides, settings and memories."""
FRONT_MATTER_BYTES = 16 * 1024
"""Bytes of a header: a page of fields; a longer one stalls the YAML parser."""
FRONT_MATTER_DEPTH = 16
"""Nesting of lists and tables in a header, to bound the recursion."""

# Prompt block: tokens of each part
ROLE_TOKENS = 50
"""Tokens of the role in a block (tier L0): it is rendered whole, whatever its size."""
ROLE_MOST_TOKENS = 2 * ROLE_TOKENS
"""Tokens of a role that is far over its budget: `check` warns."""
FACTS_TOKENS = 200
"""Tokens of the facts in a block (tier L1)."""
GUIDANCE_TOKENS = 300
"""Tokens of the guidance in a block (tier L1): about one page."""
MEMORIES_TOKENS = 500
"""Tokens of the memories on the topic in a block (tier L2)."""

# Scopes
WEIGHT_OVERRIDE = 1.2
"""Weight of a project override: more specific than its project."""
WEIGHT_AGENT = 1.2
"""Weight of an agent's own scope: as specific as an override."""
WEIGHT_PROJECT = 1.0
"""Weight of a project, the measure of the others."""
WEIGHT_AGENT_TYPE = 0.7
"""Weight of an agent type: less specific than a project."""
WEIGHT_SYSTEM = 0.4
"""Weight of the broadest scope."""

# Check
CRITICAL_SHARE = 0.5
"""With a larger share of critical rules, none of them is conspicuous."""
CRITICAL_SHARE_FROM = 20
"""Minimum rules in a vault for the share to be significant."""

# Locking
LOCK_SECONDS = 5.0
"""Time that a writer waits for another before it gives up."""

# Saving
SIMILAR_RELATED = 0.80
"""Similarity (0 to 1) from which two memories count as one and can be merged."""
SIMILAR_COMPARED = 10
"""Memories that a new one is compared with, the most similar in the index."""
# Memories
IMPORTANCE = 0.5
"""Importance of a memory that states none."""
HEADER_SEARCH_CHARS = 4096
"""Characters in which a malformed header is searched for."""
# Files and git
PATH_DEPTH = 32
"""Folders below the vault: deeper vaults are not real, and cost descriptors."""
OPEN_FOLDERS = 64
"""Folder descriptors that one scan of a vault has open."""
TEMP_SECONDS = 3600
"""Age at which a temporary file counts as left behind by a crashed writer."""
OLD_INDEX_SECONDS = 7 * 86_400
"""Age at which an unchanged index of an older format counts as unused."""
GIT_SECONDS = 30.0
"""Time of one git command before it is stopped."""
REMOTE_SECONDS = 300.0
"""Time of a fetch or a push: a large vault over a slow line."""
SYNC_TRIES = 20
"""Repeated merges of ``sync`` after another push came first."""
SYNC_WAIT = 2.0
"""Maximum seconds between two of these tries."""
DIFF_FILES = 10_000
"""Changed files that `diff` and `review` read; more are counted, or listed by name."""
LOG_FILES = 100
"""Files of a commit whose changes `log` shows one by one; of more it counts them."""
# Transcripts
TOOL_OUTPUT_CHARS = 4_000
"""Stored characters of one tool output: its head and its tail, never all of it."""
TOOL_ARG_CHARS = 20_000
"""Stored characters of one string in a tool's arguments (a file can be MBs)."""
TYPED_CHARS = 1_000_000
"""Characters of a typed message in which a quotation is found: about 250,000 tokens,
and in what a hook reads in its time."""
TYPED_BYTES = 16 * 1024 * 1024
"""Typed messages of a session that are stored for the check of quotations."""
TOOL_ARG_DEPTH = 6
"""Nesting of arguments; deeper ones are cut off, as they break parsers."""
SNIFF_RECORDS = 1_000
"""Lines read before a transcript counts as being of no known format."""
SNIFF_SURE = 6
"""Points at which the format is certain: two lines that fit no other one."""

# Turn memory
TARGET_BYTES = 256
"""A path or a command in a rendered line, in UTF-8 bytes."""
FAILURES_OF_ONE_TOOL = 2
"""Failures in one turn from which they count as repeated."""
FAILURE_SESSIONS = 2
"""Sessions in which a repeated failure must have happened to become a rule file."""
TURN_FILES = 50
"""Files that one line of a turn's memory names; the rest is a number."""
TURN_COMMANDS = 20
"""Commands of one kind that a turn's memory lists; the rest is a number."""

# Secrets
SECRET_BODY_ENTROPY = 2.5
"""Bits per character below which a key of a known shape is a placeholder."""

# Capture
CAPTURED_A_TURN = 3
"""Captured rules that one message may add at once; more are proposed."""
CAPTURED_CHARS = 4_000
"""A longer find is not a decree; between the two lengths it is proposed."""
EVIDENCE_CHARS = 500
"""Stored characters of the sentence that a rule came from."""
FAILURE_DAYS = 14
"""Days that the rule about a repeated failure applies after its last occurrence."""
TURNS_SHOWN = 10
"""Turns whose memory is listed or rendered when no number is given."""
SESSION_DAYS = 90
"""Days that local state stores a session, unless a setting says otherwise."""
ERROR_CLASSES = 5
"""Distinct error classes in the statistics of a tool, newest first."""
SPOOL_MESSAGES = 1_000
"""Messages that wait until a vault can be written; the oldest are dropped first."""

# Guard
SHELL_BYTES = 64 * 1024
"""Characters of shell text to parse, those of nested shells counted again; longer ones
are matched as text."""
SHELL_LISTED = 2000
"""Names in a list that a command takes its files from; a longer one may name any."""
SHELL_VALUE_CHARS = 1000
"""Characters of a variable's value; a longer one is not followed (doubling ones
explode)."""
SHELL_GRAMMAR_CHARS = 8 * 1024
"""Input of the grammar, without quoted text and here-documents: its error recovery is
quadratic (75 s were measured for 64 KiB)."""
SHELL_OPERATORS = 1500
"""Operators of one command: error recovery is quadratic mainly in these."""
SHELL_DEPTH = 8
"""Shells inside shells (`bash -c "bash -c …"`)."""
SHELL_COMMANDS = 2000
"""Simple commands of one text; the rest is matched as text."""
BRACE_WORDS = 64
"""Maximum words of one brace expansion."""
REGEX_STATES = 500
"""States of one automaton: a pattern with its counted repeats written out."""
REGEX_PATTERN_CHARS = 8 * 1024
"""Characters of one pattern: longer ones have too many states anyway."""
REGEX_DEPTH = 40
"""Groups inside groups in one pattern."""
REGEX_STEPS = 20_000
"""Transitions computed for one text before the match is abandoned."""
REGEX_CHARS = 1024 * 1024
"""Characters of one value that a pattern is run on."""
GLOB_CHARS = 256
"""Characters of a glob: longer ones would not fit an automaton."""
GUARD_COMMANDS = 64
"""Command lines that one guard's alternatives may expand to."""

# Saving memories
SUMMARY_FROM_TOKENS = 200
"""A body longer than this gets a summary on top (800 characters)."""
SUMMARY_TOKENS = 120
"""A summary, so that several fit into a prompt."""
MEMORY_INLINE_BYTES = 64 * 1024
"""Bytes of a text in the memory's own file, some 15 pages; a longer one gets a separate
file, so that the memory with its header and summary can be reviewed."""
ORIGINAL_BYTES = 256 * 1024 * 1024
"""Maximum size of such a file."""
SEARCHED_BYTES = 8 * 1024 * 1024
"""Maximum size of such a file that is searched: it is indexed in memory."""
TOPIC_WORDS = 2
"""Distinctive words that a memory must share with a text to decide its topic."""
TOPIC_OVERLAP = 0.2
"""… and this share of the text's distinctive words: two of a hundred are too few."""
TOPIC_COVERED = 0.3
"""Share of the distinctive words that is enough, however few they are."""
TOPIC_MARGIN = 1.5
"""Factor by which a topic's shared words must exceed those of any other topic."""
TOPIC_NEIGHBOURS = 10
"""Most similar memories that vote on the topic of a new one."""

# Hooks
STATE_SECONDS = 2.0
"""Time that a command waits for another writer of local state."""
HOOK_LOCK_SECONDS = 0.8
"""Time that a hook waits for another writer of the vault."""
HOOK_STATE_SECONDS = 0.2
"""Time that a hook waits for another writer of local state."""
HOOK_WAITING_SECONDS = 0.5
"""Time in which a hook captures messages that waited for an earlier one."""
HOOK_CHARS = 9_000
"""Text of a session start: Claude Code cuts at 10,000 characters, others later."""
HOOK_BLOCK_CHARS = 7_000
"""Share of the prompt block in it, to leave space for news."""
HOOK_CALL_CHARS = 2_000
"""Stored characters of one argument or error of a call until its turn ends."""
HOOK_RULES_SHOWN = 10
"""High rules of one tool that are shown at its first call."""
HOOK_FILES_READ = 200
"""Changed files that a hook reads for the index; more are read after its answer."""
INDEX_UPDATE_SECONDS = 600
"""Time that such an update may take."""
JOURNAL_BYTES = 2 * 1024 * 1024
"""Unread data that a session may leave; a longer turn is not remembered in full."""
JOURNAL_DAYS = 30
"""Days after which a journal that was not processed is deleted."""
# Scratch page, working memory, conversation, trace
ENTRY_CHARS = 64 * 1024
"""Characters of a scratch entry or working memory value; longer ones are refused."""
ENTRY_NAME_CHARS = 200
"""Characters of a type, a tag, a source, a key."""
ENTRY_TAGS = 50
"""Tags of an entry; more are refused."""
ENTRY_TABLE_CHARS = 16 * 1024
"""Characters of the context and the metadata of an entry, each as JSON."""
ENTRY_MOST_DAYS = 365
"""A longer time to live is invalid: the default applies."""
CONFIDENCE = 0.5
"""Confidence of an entry that states none."""
SCRATCH_ACTIVE = 100
"""Active entries of one agent's scratch page; the next one is refused."""
SCRATCH_CLOSED = 1_000
"""Entries per agent with any other status: the oldest closed ones are dropped."""
SCRATCH_DAYS = 7
"""Days that a scratch entry is active, and that a resolved one is shown before it is
archived."""
SCRATCH_ARCHIVE_DAYS = 90
"""Days that an archived entry is stored."""
WORKING_HOURS = 24
"""Hours that a value of working memory is stored: a task ends without notice."""
WORKING_VALUES = 100
"""Values of an agent's working memory; the oldest are dropped."""
CONVERSATION_DAYS = 30
"""Days that a message is stored."""
CONVERSATION_MESSAGES = 1_000
"""Messages of an agent's conversations, which are searched as a whole."""
TRACE_LINES = 10_000
"""Lines of the trace: about 2 MB; the oldest are dropped."""
TRACE_CHARS = 500
"""Characters of one field of the trace: an id or a reason; longer ones are cut."""

# Tool memory access (the specification's figures where it has one)
QUERY_LIMIT = 10
"""Results of a query that states no limit."""
QUERY_MOST_RESULTS = 100
"""Maximum results of a query."""
QUERY_TOKENS = 500
"""Tokens of a query that states no budget."""
QUERY_MOST_TOKENS = 1000
"""Maximum tokens of a query."""
REQUEST_TOKENS = 500
"""Tokens that the queries of a request share."""
REQUEST_QUERIES = 50
"""Queries of one request; each further one is denied."""
REQUEST_BYTES = 1024 * 1024
"""Bytes of a request; a longer one is refused before it is parsed."""
REQUEST_DEPTH = 64
"""Nesting of lists and objects in a request, to bound the recursion."""
QUERY_NAME_CHARS = 200
"""Characters of a query's id, a tag, a type, a source."""
QUERY_TAGS = 50
"""Tags of a query; more are refused."""
QUERY_MS = 2000
"""Time of one query; after that it is an error, and the others continue."""
QUERY_READ = 100
"""Matches that are read at first, by each figure; then four times as many."""
CACHE_SECONDS = 300.0
"""Time that an answer is cached for an equal query."""
CACHE_ANSWERS = 1024
"""Answers in a server's cache; the oldest are dropped."""
TRUST_USER = 1.0
"""Trust in a user's statement."""
TRUST_TOOL = 0.8
"""Trust in a tool's report."""
TRUST_INFERENCE = 0.6
"""Trust in an agent's inference."""
RECENCY_UNKNOWN = 0.5
"""Recency without a date: facts and guidance apply until they change."""
WRITES = 100
"""Memories, and entries of the scratch page, that one response may write."""
WRITE_MOST_DAYS = 3650
"""Longest time to live that a tool can request: ten years."""
# Servers
SERVER_LINE_BYTES = 16 * 1024 * 1024
"""Bytes of one message, a line; a longer one is refused, and the next is read."""
SERVER_LOCK_SECONDS = 20.0
"""Time that a request waits for other writers: eight servers may write at once."""
SERVER_END_SECONDS = 0.8
"""Time that a running request may delay the end of a server."""
# Import
IMPORT_BYTES = 64 * 1024 * 1024
"""Bytes of an imported file: a large knowledge graph or vault, not a disk image."""
TOPIC_CHARS = 60
"""Characters of a topic made of a heading or a path."""
SOURCE_HASH_CHARS = 16
"""Hex digits of the digest that detects changes to an imported text."""
# Reflection
PLAN_BYTES = 64 * 1024 * 1024
"""Bytes of a plan, which contains the texts of merged memories."""
UNUSED_DAYS = 90
"""Age from which an unused memory or guarded rule is reported."""
SEEN_IN_SESSIONS = 3
"""Sessions in which a command must have failed to be proposed as a rule."""
RETRIEVED_BYTES = 64 * 1024
"""Bytes of the log of retrievals before it is added up."""
SERVER_DRAIN_SECONDS = 60.0
"""Time that a server may finish its requests after its input has ended."""
