"""Every number in the product, with its unit and its reason."""

# Rules
RULE_CHARS = 500
"""Characters of a rule's text after whitespace is collapsed (one line)."""
HIGH_RULES_IN_PROMPT = 30
"""High rules in the prompt block, beside every critical one."""
CRITICAL_RULES = 30
"""Critical rules in force from which on a program proposes further ones."""
RULE_FILE_BYTES = 64 * 1024
"""A rule file: far above what a person writes, below what stalls a parser."""
TOML_KEY_DOTS = 32
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
"""Bytes of a header: a page of fields; a longer one stalls the YAML parser."""
FRONT_MATTER_DEPTH = 16
"""Lists and tables inside each other in a header; recursion ends there."""

# Prompt block: tokens of each part
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
"""More critical rules than this share, and none of them stands out."""
CRITICAL_SHARE_FROM = 20
"""Rules a vault must have before the share says anything."""

# Locking
LOCK_SECONDS = 5.0
"""How long a writer waits for another before it gives up."""

# Search
QUERY_CHARS = 1024
"""A longer query is cut, and said to be: tantivy falls over on far longer ones."""
OPENING_CHARS = 160
"""How much of the first paragraph counts as what a memory is about."""
BM25_K1 = 1.2
"""How soon more occurrences of a word in a document count less."""
BM25_B = 0.75
"""How much the length of a document counts. Like ``BM25_K1`` it is fixed in tantivy,
whose score bounds ours from above."""
BOOST_HEAD = 0.75
"""Weight of title and headings; the whole text has 1.0."""
BOOST_CONTEXT = 0.5
"""Weight of tags and path, measured by ``bench/retrieval.py`` as ``BOOST_HEAD`` was."""
REPAIR_CHARS = 3
"""Shorter unknown words have too many neighbours to be corrected."""
REPAIR_STEM_CHARS = 8
"""In stems this long two mistakes are forgiven, where one does not explain them."""
SLIP_CHARS = 8
"""In words this long two letters may differ and the word still be the same."""
REPAIR_WORDS = 3
"""Known words that are searched for in the place of one unknown word."""
GUARD_PLACES = (3, 4)
"""Places (from 0) kept for the two most relevant hits, whatever their scope."""
TOPIC_FALLBACK = 3
"""With fewer hits on the topic the search is repeated without it."""
SNIPPET_CHARS = 160
"""Characters of a snippet: two lines of a terminal."""
CANDIDATES = 32
"""Documents that the index proposes at first; four times as many each time on."""

# Saving
SIMILAR_RELATED = 0.80
"""Similarity (0 to 1) from which two memories are one and can be merged."""
SIMILAR_COMPARED = 10
"""Memories that a new one is compared with, the nearest in the index."""
# Memories
IMPORTANCE = 0.5
"""What an absent importance counts as."""
HEADER_SEARCH_CHARS = 4096
"""How far down a text without a header is searched for one gone wrong."""
# Files and git
PATH_DEPTH = 32
"""Folders below the vault: deeper is no vault a person made, and costs descriptors."""
OPEN_FOLDERS = 64
"""Folder descriptors that one reading of a vault keeps open."""
TEMP_SECONDS = 3600
"""A temporary file older than this was left behind by a writer that died."""
GIT_SECONDS = 30.0
"""How long one git command may take before it is stopped."""
REMOTE_SECONDS = 300.0
"""How long a fetch or a push may take: a large vault over a slow line."""
SYNC_TRIES = 20
"""How often ``sync`` merges again because another one pushed first."""
SYNC_WAIT = 2.0
"""Seconds between two of these tries, at most."""
OBJECT_BYTES = 64 * 1024 * 1024
"""A commit or a folder in git: one of a million files is half as large."""
# Transcripts
TOOL_OUTPUT_CHARS = 4_000
"""What is kept of one tool output: its head and its tail, never all of it."""
TOOL_ARG_CHARS = 20_000
"""What is kept of one string in a tool's arguments (a written file can be MBs)."""
TOOL_ARG_DEPTH = 6
"""Arguments nested deeper are cut off: no tool needs them, a parser dies of them."""
SNIFF_RECORDS = 1_000
"""Lines looked at before a transcript counts as of no known format."""
SNIFF_SURE = 6
"""Points after which the format is settled: two lines that fit no other one."""

# Turn memory
TARGET_BYTES = 256
"""A path or a command in a rendered line, in UTF-8 bytes."""
ERROR_CHARS = 80
"""The first line of an error that statistics keep."""
FAILURES_OF_ONE_TOOL = 2
"""Failures in one turn from which they count as repeated."""
FAILURE_SESSIONS = 2
"""Sessions in which a repeated failure must have happened to become a rule file."""
TURN_FILES = 50
"""Files that one line of a turn's memory names; the rest is a number."""
TURN_COMMANDS = 20
"""Commands of one kind that a turn's memory lists; the rest is a number."""

# Secrets
SECRET_ENTROPY = 2.75
"""Bits a character from which a value beside a word like ``token`` looks random."""
SECRET_BODY_ENTROPY = 2.5
"""Bits a character below which a key of a known shape is a placeholder."""
# Capture
# What capture does with its finds
CAPTURED_A_TURN = 3
"""Captured rules that one message may add at once; more are proposed."""
CAPTURED_CHARS = 4_000
"""A find of more characters is no decree; between the two lengths it is proposed."""
EVIDENCE_CHARS = 500
"""What is kept of the sentence that a rule came from."""
FAILURE_DAYS = 14
"""How long the rule about a repeated failure holds after it last happened."""
TURNS_SHOWN = 10
"""Turns whose memory is listed or rendered when no number is given."""
TURN_DAYS = 90
"""How long local state keeps a turn."""
ERROR_CLASSES = 5
"""Distinct error classes that the statistics of a tool name, newest first."""
SPOOL_MESSAGES = 1_000
"""Messages that wait for a vault that cannot be written; the oldest go first."""
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
REGEX_PATTERN_CHARS = 8 * 1024
"""Characters of one pattern: what is longer has more states than an automaton may."""
REGEX_DEPTH = 40
"""Groups inside groups in one pattern."""
REGEX_STEPS = 20_000
"""Transitions worked out for one text before the pattern is given up on."""
REGEX_CHARS = 1024 * 1024
"""Characters of one value that a pattern is run on."""
GLOB_CHARS = 256
"""A glob: what is longer would not fit an automaton."""
GUARD_COMMANDS = 64
"""Command lines that the alternatives of one guard may multiply to."""

# Saving memories
SUMMARY_FROM_TOKENS = 200
"""A body longer than this gets a summary on top (800 characters)."""
SUMMARY_TOKENS = 120
"""A summary, so that several fit into a prompt."""
MEMORY_INLINE_BYTES = TEXT_FILE_BYTES - 32 * 1024
"""A longer text is kept in a separate file next to the memory: with its header
and summary the memory must not be too large to be read."""
ORIGINAL_BYTES = 256 * 1024 * 1024
"""Such a file is read to here."""
TOPIC_WORDS = 2
"""Telling words that a memory must share with a text to say what the text is about."""
TOPIC_OVERLAP = 0.2
"""… and this share of the text's telling words: two of a hundred say nothing."""
TOPIC_COVERED = 0.3
"""Share of the telling words that is enough, however few they are."""
TOPIC_MARGIN = 1.5
"""How much more a topic must share with a text than any other topic."""
TOPIC_NEIGHBOURS = 10
"""Nearest memories that vote on the topic of a new one."""

# Hooks
STATE_SECONDS = 2.0
"""How long a command waits for another that writes local state."""
HOOK_LOCK_SECONDS = 0.8
"""How long a hook waits for another writer of the vault."""
HOOK_STATE_SECONDS = 0.2
"""How long a hook waits for another writer of local state."""
HOOK_WAITING_SECONDS = 0.5
"""How long a hook captures messages that waited for an earlier one."""
HOOK_CHARS = 9_000
"""What a session start may say: Claude Code cuts at 10,000, others later."""
HOOK_BLOCK_CHARS = 7_000
"""Of that the prompt block, so that what happened since finds room beside it."""
HOOK_CALL_CHARS = 2_000
"""What is kept of one argument or error of a call until its turn ends."""
HOOK_RULES_SHOWN = 10
"""High rules of one tool that are shown at its first call."""
HOOK_MEMORIES_READ = 200
"""Memories that are looked into for a topic before the index is asked instead."""
JOURNAL_BYTES = 2 * 1024 * 1024
"""What a session may leave unread; a longer turn is not remembered in full."""
JOURNAL_DAYS = 30
"""A journal that was not processed is deleted after so many days."""
# Meaning (the extra ``semantic``); figures of ``bench/semantic.py``
MEANING_WEIGHT = 1.0
"""What the nearest document gains, beside 1.0 for the best by words."""
MEANING_FLOOR = 0.2
"""Cosine from which a document that shares no word with a question is a hit: the
nearest to a question about something else lies at 0.25 (median). It costs 0.003
of recall at most."""
MEANING_SPAN = 0.3
"""Cosines are stretched as if the nearest lay here at least: it does in any vault
of more than a handful of memories."""
MEANING_CANDIDATES = 32
"""Documents looked at first, by words and by meaning each; then four times as many."""
PASSAGE_CHARS = 1000
"""About 230 pieces of words, of the 256 that the model was trained to read."""
PASSAGE_TITLE_CHARS = 200
"""What of a title stands above each passage: a longer one would leave no room."""
PASSAGE_PIECES = 256
"""Pieces of words that the model reads of one passage."""
PASSAGES = 32
"""Passages of one document that are read for their meaning: 30,000 characters."""
MEANING_STEP = 256
"""Passages read before the vectors are written, so that they are not lost; later, as
more are known, less often."""

# Scratch page, working memory, conversation, trace
ENTRY_CHARS = 64 * 1024
"""A scratch entry or a value of working memory; what is longer is refused."""
ENTRY_NAME_CHARS = 200
"""A type, a tag, a source, a key."""
ENTRY_TAGS = 50
"""Tags of an entry; more are refused."""
ENTRY_TABLE_CHARS = 16 * 1024
"""The context and the metadata of an entry, each as JSON."""
ENTRY_MOST_DAYS = 365
"""A longer time to live is no time to live: the usual one is taken."""
CONFIDENCE = 0.5
"""What an absent confidence counts as."""
SCRATCH_ACTIVE = 100
"""Active entries of one agent's scratch page; the next one is refused."""
SCRATCH_CLOSED = 1_000
"""Entries of any other status an agent: of too many the oldest closed ones go."""
SCRATCH_DAYS = 7
"""How long a scratch entry is to be acted on, and how long a resolved one is shown
before it is archived."""
SCRATCH_ARCHIVE_DAYS = 90
"""How long an archived entry is kept."""
WORKING_HOURS = 24
"""How long a value of working memory lasts: a task ends without notice."""
WORKING_VALUES = 100
"""Values of an agent's working memory; of too many the oldest go."""
CONVERSATION_DAYS = 30
"""How long a message is kept."""
CONVERSATION_MESSAGES = 1_000
"""Messages of an agent's conversations: what was said lately, searched as a whole."""
TRACE_LINES = 10_000
"""Lines of the trace: about 2 MB; the oldest go."""
TRACE_CHARS = 500
"""Characters of one field of the trace: an id or a reason; longer ones are cut."""

# Tool memory access (the specification's figures where it has one)
QUERY_LIMIT = 10
"""Results of a query that states no limit."""
QUERY_MOST_RESULTS = 100
"""Results of a query at most, whatever it asks for."""
QUERY_TOKENS = 500
"""Tokens of a query that states no budget."""
QUERY_MOST_TOKENS = 1000
"""Tokens of a query at most, whatever it asks for."""
REQUEST_TOKENS = 500
"""Tokens that the queries of a request share."""
REQUEST_QUERIES = 50
"""Queries of one request; each further one is denied."""
REQUEST_BYTES = 1024 * 1024
"""Bytes of a request; a longer one is refused before it is parsed."""
REQUEST_DEPTH = 64
"""Lists and objects inside each other in a request; recursion ends there."""
QUERY_NAME_CHARS = 200
"""An id of a query, a tag, a type, a source."""
QUERY_TAGS = 50
"""Tags of a query; more are refused."""
QUERY_MS = 2000
"""How long one query may take; then it is an error, and the others go on."""
QUERY_POOL = 2
"""Candidates that are ranked anew, as a multiple of the results asked for …"""
QUERY_POOL_LEAST = 20
"""… and at the least."""
CACHE_SECONDS = 300.0
"""How long an answer is kept for an equal query."""
CACHE_ANSWERS = 1024
"""Answers that a server keeps; of too many the oldest go."""
TRUST_USER = 1.0
"""Rank of what a user stated."""
TRUST_TOOL = 0.8
"""Rank of what a tool reported."""
TRUST_INFERENCE = 0.6
"""Rank of what an agent inferred."""
RECENCY_UNKNOWN = 0.5
"""What has no date: facts and guidance are in effect until they change."""
WRITES = 100
"""Memories, and entries of the scratch page, that one response may write."""
WRITE_MOST_DAYS = 3650
"""The longest time to live that a tool can ask for: ten years."""
# Servers
SERVER_LINE_BYTES = 16 * 1024 * 1024
"""One message, a line; a longer one is refused, and the next is read."""
SERVER_LOCK_SECONDS = 20.0
"""How long a request waits for other writers: eight servers may write at once."""
SERVER_END_SECONDS = 0.8
"""How long a request that is under way may hold up the end of a server."""
# Import
IMPORT_BYTES = 64 * 1024 * 1024
"""A file that is imported: a large knowledge graph or vault, not a disk image."""
TOPIC_CHARS = 60
"""A topic that is made of a heading or a path."""
SOURCE_HASH_CHARS = 16
"""Of the digest that tells whether what was imported was changed since."""
# Reflection
PLAN_BYTES = 64 * 1024 * 1024
"""A plan holds the texts that merged memories will have."""
UNUSED_DAYS = 90
"""How old a memory or a guarded rule is before it counts as unused."""
SEEN_IN_SESSIONS = 3
"""Sessions in which a command must have failed to deserve a rule."""
DUE_CHANGES = 5
"""Changes since the last reflection from which the next one is due …"""
DUE_DAYS = 3
"""… and days since then …"""
DUE_FIRST = 3
"""… or memories, where there was no reflection yet."""
RETRIEVED_BYTES = 64 * 1024
"""What is noted of retrievals before it is added up."""
SERVER_DRAIN_SECONDS = 60.0
"""How long a server whose input has ended goes on with what it was asked."""
