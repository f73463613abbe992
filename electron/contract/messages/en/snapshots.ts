/** What is said of readings that are kept on disk. */
export const snapshots = {
  notKeptHere: "Nothing that is read is kept on disk in this run.",
  snapshotsNotRemoved: "The snapshots could not be removed in {{folder}}. Check that the disk has room and that Longsight may write there.",
  roomNotChanged:
    "The room for snapshots could not be changed in {{folder}}. Check that the disk has room and that Longsight may write there.",
  snapshotsNotRead:
    "What was read into the model could not be read in {{folder}}: {{why}}. Answers go on without it, and documents are read again next time.",
  snapshotsNotStored:
    "What was read into the model could not be stored in {{folder}}: {{why}}. Answers go on without it, and documents are read again next time.",
  diskFull: "the disk is full",
  diskForbidden: "Longsight may not write there",
  diskReadOnly: "the disk cannot be written",
  storedUnreadable: "A stored reading could not be read from {{folder}}, so the document is read again ({{why}}).",
  readingNotStored: "What was read could not be stored for the next start ({{why}}).",
  storedDamaged: "A stored reading is damaged ({{reason}}). It was put aside in {{folder}}, and that part of the document is read again.",
  storedDamagedOf:
    "A stored reading of {{files, quoted}} is damaged ({{reason}}). It was put aside in {{folder}}, and that part of the document is read again.",
  partStored: "Only a part of what was read could be stored for the next start: it is larger than the room given to snapshots.",
  partStoredOf: "Only a part of {{files, quoted}} could be stored for the next start: it is larger than the room given to snapshots.",

  recordIsFolder: "it is a folder",
  recordCutOff: "it is cut off",
  recordTooShort: "it is shorter than its first line",
  recordIsNone: "it does not begin as a snapshot does",
  recordLength: "it has {{found}} bytes in place of {{expected}}",
  recordNamedOtherwise: "it has another record's name",
  recordMisnamed: "its name is not the key of what it holds",
  recordPartChanged: "its part “{{part}}” has changed",
  metadataCutOff: "its metadata are cut off",
  metadataChanged: "its metadata have changed",
  metadataUnreadable: "its metadata cannot be read",
  metadataUnknown: "its metadata are not understood: {{why}}",
} as const;
