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
  // Versions of turns (turnTree.ts), a search index over what was asked and answered, a deletion that can be undone, drafts (decision 25).
  // `number` is a key of its own because the index refers to it: SQLite may renumber rows that have none.
  `
  ALTER TABLE conversations ADD COLUMN deleted_at INTEGER;
  ALTER TABLE conversations ADD COLUMN draft TEXT NOT NULL DEFAULT '';
  CREATE TABLE turns_in_versions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    parent TEXT,
    shown INTEGER NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    status TEXT NOT NULL,
    figures TEXT,
    problem TEXT,
    created_at INTEGER NOT NULL
  );
  INSERT INTO turns_in_versions (id, conversation_id, parent, shown, question, answer, status, figures, problem, created_at)
  SELECT id, conversation_id,
    (SELECT earlier.id FROM turns AS earlier
     WHERE earlier.conversation_id = turns.conversation_id AND earlier.position < turns.position
     ORDER BY earlier.position DESC LIMIT 1),
    position, question, answer, status, figures, problem, created_at
  FROM turns ORDER BY conversation_id, position;
  DROP TABLE turns;
  ALTER TABLE turns_in_versions RENAME TO turns;
  CREATE INDEX turns_by_conversation ON turns (conversation_id, parent);
  CREATE VIRTUAL TABLE turn_words USING fts5 (
    question, answer, content = 'turns', content_rowid = 'number', tokenize = 'trigram remove_diacritics 1'
  );
  INSERT INTO turn_words (turn_words) VALUES ('rebuild');
  INSERT INTO turn_words (turn_words, rowid, question, answer)
  SELECT 'delete', number, question, answer FROM turns WHERE status = 'writing';
  CREATE TRIGGER turn_added AFTER INSERT ON turns WHEN new.status <> 'writing' BEGIN
    INSERT INTO turn_words (rowid, question, answer) VALUES (new.number, new.question, new.answer);
  END;
  CREATE TRIGGER turn_removed AFTER DELETE ON turns WHEN old.status <> 'writing' BEGIN
    INSERT INTO turn_words (turn_words, rowid, question, answer) VALUES ('delete', old.number, old.question, old.answer);
  END;
  CREATE TRIGGER turn_changed AFTER UPDATE OF question, answer, status ON turns
  WHEN old.status <> 'writing' OR new.status <> 'writing' BEGIN
    INSERT INTO turn_words (turn_words, rowid, question, answer)
    SELECT 'delete', old.number, old.question, old.answer WHERE old.status <> 'writing';
    INSERT INTO turn_words (rowid, question, answer)
    SELECT new.number, new.question, new.answer WHERE new.status <> 'writing';
  END;
  `,
  // How a conversation's answers are made, as JSON (contract/conversation.ts); null: as the settings say.
  "ALTER TABLE conversations ADD COLUMN choice TEXT;",
];
