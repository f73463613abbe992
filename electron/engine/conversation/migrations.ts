/**
 * The database's history, oldest first; `user_version` counts the ones applied. One that has shipped is never edited: a change is
 * a new entry.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    locked INTEGER NOT NULL,
    opened_at INTEGER NOT NULL
  );
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    documents TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    status TEXT NOT NULL,
    figures TEXT,
    problem TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (conversation_id, position)
  );
  `,
  // Passages that are never evicted, as JSON (contract/pin.ts).
  `ALTER TABLE conversations ADD COLUMN pins TEXT NOT NULL DEFAULT '[]';`,
  // What the library says of a document that is not open: its title, its tokens as a model counts them, its first page.
  `
  ALTER TABLE documents ADD COLUMN title TEXT;
  ALTER TABLE documents ADD COLUMN tokens INTEGER;
  ALTER TABLE documents ADD COLUMN tokens_model TEXT;
  ALTER TABLE documents ADD COLUMN thumbnail BLOB;
  ALTER TABLE documents ADD COLUMN thumbnail_width INTEGER;
  `,
];
