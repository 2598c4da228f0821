"""Limits and weights of search, each with its unit and its reason."""

# Words
QUERY_CHARS = 1024
"""A longer query is cut, with a remark: tantivy fails on far longer ones."""
OPENING_CHARS = 160
"""Length of the first paragraph that counts as the subject of a memory."""
BM25_K1 = 1.2
"""Saturation of term frequency in a document."""
BM25_B = 0.75
"""Weight of document length. Like ``BM25_K1`` it is fixed in tantivy, whose score is an
upper bound of ours."""
BOOST_HEAD = 0.75
"""Weight of title and headings; the whole text has 1.0."""
BOOST_CONTEXT = 0.5
"""Weight of tags and path, measured by ``bench/retrieval.py`` as ``BOOST_HEAD`` was."""
REPAIR_CHARS = 3
"""Minimum characters of a word to correct: shorter ones have too many neighbours."""
REPAIR_LONGEST = 40
"""Maximum characters of a word to correct: longer ones are digests and the like, and
the words one mistake away take quadratic memory."""
REPAIR_ALPHABETS = 3
"""Blocks of 128 characters, at most, that the letters of a word to correct are in,
besides ASCII: a script has one or two."""
REPAIR_STEM_CHARS = 8
"""Minimum characters of a stem for two mistakes, if one does not explain them."""
REPAIR_UNKNOWN = 16
"""Unknown words of a question, at most, that are corrected: each may be compared with a
share of all words of the vault, and a text of more is no question."""
REPAIR_WORDS = 3
"""Known words that are searched for in place of one unknown word."""
GUARD_PLACES = (3, 4)
"""Places (from 0) reserved for the two most relevant hits, whatever their scope."""
TOPIC_FALLBACK = 3
"""With fewer hits on the topic the search is repeated without it."""
NAMED = 256
"""Documents with all words of a question, at most, whose titles are compared."""
NAME_WORDS = 40
"""Words of a question, at most, that may be those of a title."""
SNIPPET_CHARS = 160
"""Characters of a snippet: two lines of a terminal."""
CANDIDATES = 128
"""Documents that the index proposes at first, then four times as many each time: more
than `POOL`, to know that no other belongs to it."""
TOPIC_HITS = 32
"""Memories of a topic, the first of them all, that may enter the prompt."""
POOL = 100
"""Best documents by words, which feedback orders again; 32 cost 0.01 of recall."""
FEEDBACK_HITS = 3
"""Best hits from which terms are taken."""
FEEDBACK_TERMS = 20
"""Terms taken from them."""
FEEDBACK_WEIGHT = 0.15
"""Weight of the strongest of these terms; a word of the question has 1.0."""

# Meaning; figures of ``bench/retrieval.py`` and ``bench/semantic.py``
MEANING_WEIGHT = 1.1
"""Weight of the most similar document, relative to 1.0 for the best by words."""
MEANING_FLOOR = 0.2
"""Cosine from which a document that shares no word with a question is a hit: the most
similar one to an unrelated question has 0.18 to 0.3 (medians of six pairs of sets)."""
MEANING_WORDS = 2
"""Words of a question, at least, for hits that share none of them."""
MEANING_SPAN = 0.3
"""Minimum upper end of the scale of cosines; any vault of more than a handful of
memories exceeds it."""
MEANING_CANDIDATES = 32
"""Documents that may be hits by meaning alone."""
MODEL_WEIGHT = 1.0
"""Weight of the most similar document by the model."""
MODEL_FLOOR = 0.25
"""As ``MEANING_FLOOR``, by the model: the median is 0.25."""
MODEL_WORDS = 0.3
"""Share of the table's cosine in that of the model: their mistakes are not the same."""
MODEL_COVERAGE = 0.7
"""Share of a question's words, by idf, from which the best document by words counts
fully. Long questions have words in common with many documents by chance."""
MODEL_FEEDBACK = 0.3
"""Weight of the strongest term of the feedback where the model chose its documents."""
VECTOR_CHARS = 500
"""Characters of a passage whose words' vectors are added up."""
VECTOR_HEAD = 0.5
"""Weight of title and opening in the vector of each passage below them."""
VECTORS_READ = 300
"""Documents, at most, that are all compared with a question; among more, only those
that have one of its words or a similar one."""
SIMILAR_WEIGHT = 0.15
"""Weight of a word that is similar to one of the question, times their cosine."""
VECTORS = 60
"""Passages of one document with vectors: 30,000 characters."""
PASSAGE_CHARS = 500
"""About 120 word pieces. The model may read 256, but the vector of a longer text has
less of each detail: 1,000 characters cost 0.012 of recall among long memories."""
PASSAGE_TITLE_CHARS = 200
"""Characters of a title above each passage, so as to leave space for the text."""
PASSAGE_PIECES = 256
"""Word pieces of one passage that the model reads."""
PASSAGES = 60
"""Passages of one document that are embedded: 30,000 characters."""
MEANING_STEP = 256
"""Passages embedded before the vectors are written, so that they are not lost; less
often as the number grows."""
