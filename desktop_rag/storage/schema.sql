-- The catalog: text, offsets, vectors, chats. Everything else can be rebuilt from it.

CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    is_folder INTEGER NOT NULL,
    device INTEGER NOT NULL,      -- st_dev when last seen: tells an empty mount point from an empty folder
    added_at TEXT NOT NULL,
    tier TEXT NOT NULL DEFAULT 'normal',   -- domain.library.Tier
    rules TEXT NOT NULL DEFAULT '{}',      -- domain.library.FolderRules as JSON
    mounts TEXT NOT NULL DEFAULT '[]',     -- folders in it that other drives were at, as JSON
    position INTEGER NOT NULL DEFAULT 0    -- where the person put it in the list
) STRICT;

-- What a person removed from inside a folder source stays removed until it is added again.
CREATE TABLE excluded (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,          -- domain.library.FileState
    format TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL DEFAULT '',
    created TEXT NOT NULL DEFAULT '',
    reader TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '[]',
    failure_code TEXT NOT NULL DEFAULT '',
    failure TEXT NOT NULL DEFAULT '',
    indexed_at TEXT NOT NULL DEFAULT '',
    page_count INTEGER NOT NULL DEFAULT 0,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    coverage TEXT NOT NULL DEFAULT '{}'    -- domain.documents.Coverage as JSON
) STRICT;
CREATE INDEX documents_by_source ON documents (source_id);

-- Files of a folder that were left out on purpose, so that nobody has to wonder.
CREATE TABLE skipped_files (
    path TEXT PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    size INTEGER NOT NULL,
    code TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX skipped_by_source ON skipped_files (source_id);

CREATE TABLE document_tags (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (document_id, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE collection_members (
    collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    path TEXT NOT NULL,           -- a file, or a folder that stands for all below it
    PRIMARY KEY (collection_id, path)
) STRICT, WITHOUT ROWID;

-- What text recognition found, by content: a renamed, copied or re-read file costs nothing again.
CREATE TABLE recognised_pages (
    sha256 TEXT NOT NULL,         -- of the file
    page INTEGER NOT NULL,
    engine TEXT NOT NULL,
    contents BLOB NOT NULL,       -- domain.documents.RecognisedPage, deflated JSON
    attempts INTEGER NOT NULL DEFAULT 0,   -- tries that ended with a crash or a time-out
    failure TEXT NOT NULL DEFAULT '',      -- why the page was given up; it has no contents then
    PRIMARY KEY (sha256, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_texts (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    blocks BLOB NOT NULL,         -- storage.packing
    parts BLOB NOT NULL DEFAULT x''        -- storage.packing; empty: none
) STRICT;

CREATE TABLE pages (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    width REAL NOT NULL,
    height REAL NOT NULL,
    lines BLOB NOT NULL,          -- storage.packing
    PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: an id is never used twice, so a stale index cannot cite a newer text.
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    text TEXT NOT NULL,
    header TEXT NOT NULL,
    section TEXT NOT NULL,
    kind TEXT NOT NULL,
    first_page INTEGER,
    last_page INTEGER,
    hash BLOB NOT NULL,           -- of the embedded text: equal text shares one vector
    place TEXT NOT NULL DEFAULT '',       -- domain.documents.Chunk.place
    written TEXT NOT NULL DEFAULT '',     -- domain.documents.Chunk.written
    before TEXT NOT NULL DEFAULT '',      -- domain.documents.Chunk.before
    after TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX chunks_by_document ON chunks (document_id);
CREATE INDEX chunks_by_hash ON chunks (hash);

CREATE TABLE vectors (
    hash BLOB NOT NULL,
    fingerprint TEXT NOT NULL,    -- of the embedder that made it
    vector BLOB NOT NULL,         -- float16, little-endian, unit length
    PRIMARY KEY (hash, fingerprint)
) STRICT, WITHOUT ROWID;

-- One quantised vector for each token that carries meaning (`domain.ports.Embedding.tokens`).
CREATE TABLE token_vectors (
    hash BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    tokens BLOB NOT NULL,
    PRIMARY KEY (hash, fingerprint)
) STRICT;
CREATE TRIGGER vector_removed AFTER DELETE ON vectors
BEGIN DELETE FROM token_vectors WHERE hash = old.hash AND fingerprint = old.fingerprint; END;

-- Names that stand in a chunk, as compared: what multi-hop search goes from chunk to chunk by.
CREATE TABLE chunk_entities (
    chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    entity TEXT NOT NULL,
    is_subject INTEGER NOT NULL,  -- the chunk is about it; otherwise it merely names it
    PRIMARY KEY (entity, chunk_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entities_by_chunk ON chunk_entities (chunk_id);
CREATE INDEX chunks_by_subject ON chunk_entities (entity) WHERE is_subject = 1;

-- What a language model wrote about passages, so that it need not be written twice.
CREATE TABLE written_texts (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    key BLOB NOT NULL,            -- hash of the model and all it was told
    text TEXT NOT NULL,
    PRIMARY KEY (document_id, key)
) STRICT, WITHOUT ROWID;

-- How searches went, without what was asked or found: zero-result rate, speed.
CREATE TABLE query_log (
    id INTEGER PRIMARY KEY,
    asked_at TEXT NOT NULL,
    kind TEXT NOT NULL,           -- 'search' or 'ask'
    confidence TEXT NOT NULL,     -- domain.answers.Confidence
    passages INTEGER NOT NULL,
    search_ms REAL NOT NULL,      -- until the passages were found
    elapsed_ms REAL NOT NULL      -- until the result was there
) STRICT;

-- What the search index has yet to learn. A replay applies the chunk's row as it is then, so it is
-- idempotent; rows are pruned once applied, and an index that is older than that starts afresh.
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk_id INTEGER NOT NULL
) STRICT;

CREATE TRIGGER chunk_added AFTER INSERT ON chunks
BEGIN INSERT INTO changes (chunk_id) VALUES (new.id); END;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunks
BEGIN INSERT INTO changes (chunk_id) VALUES (old.id); END;

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running')),
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'read',     -- storage.jobs.JobKind
    rank INTEGER NOT NULL DEFAULT 0        -- whose turn is first: the lowest
) STRICT;
CREATE UNIQUE INDEX one_live_job_per_document ON jobs (document_id);
CREATE INDEX jobs_by_rank ON jobs (rank, id);

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    is_pinned INTEGER NOT NULL DEFAULT 0,
    deleted_at TEXT NOT NULL DEFAULT '',  -- empty: not deleted; else purged at the next start
    scope TEXT NOT NULL DEFAULT ''        -- JSON of which documents are asked; empty: all
) STRICT;

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    answer_json TEXT,             -- domain.answers.Answer with its citations as they were then
    retired INTEGER NOT NULL DEFAULT 0 -- 0: shown; else the number of the cut that took it away
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id);

CREATE TABLE feedback (           -- what the person thinks of an answer
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    rating INTEGER NOT NULL,      -- 1 or -1
    reason TEXT NOT NULL,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE evaluations (        -- what was measured on the person's own questions
    id INTEGER PRIMARY KEY,
    created_at TEXT NOT NULL,
    name TEXT NOT NULL,
    figures TEXT NOT NULL         -- JSON
) STRICT;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
