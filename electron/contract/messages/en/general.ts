/** What any part says: of requests, of what was stopped, of the unexpected. */
export const general = {
  unexpected: "Something went wrong inside Longsight. The details below help to report it.",
  unknownCase: "An unknown case was met.",
  notUnderstood: "The {{door}} was not understood ({{fields}}).",
  requestDoor: "request",
  requestOfDoor: "request {{method}}",
  messageDoor: "message",
  appReplyDoor: "reply of the app",
  noSuchRequest: 'There is no request "{{method}}".',
  replyNotUnderstood: "The engine gave a reply that Longsight does not understand.",
  engineNotStarted: "The engine has not started yet.",
  oneAfterOther: "{{before}}\n\n{{next}}",
  stopped: "This was stopped.",
  stoppedBeforeBegin: "This was stopped before it began.",
  notWritten: "“{{path}}” could not be written. Check that the disk has room and that you may write there.",
} as const;
