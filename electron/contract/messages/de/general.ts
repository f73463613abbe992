import type { general as english } from "../en/general.ts";
import type { Translation } from "../translation.ts";

export const general = {
  unexpected: "In Longsight ist etwas schiefgegangen. Die Einzelheiten darunter helfen, es zu melden.",
  unknownCase: "Ein unbekannter Fall ist eingetreten.",
  notUnderstood: "Nicht verstanden wurde: {{door}} ({{fields}}).",
  requestDoor: "Anfrage",
  requestOfDoor: "Anfrage {{method}}",
  messageDoor: "Nachricht",
  appReplyDoor: "Antwort der App",
  noSuchRequest: "Eine Anfrage „{{method}}“ gibt es nicht.",
  replyNotUnderstood: "Die Engine hat etwas geantwortet, was Longsight nicht versteht.",
  engineNotStarted: "Die Engine ist noch nicht gestartet.",
  oneAfterOther: "{{before}}\n\n{{next}}",
  stopped: "Das wurde angehalten.",
  stoppedBeforeBegin: "Das wurde angehalten, bevor es begann.",
  notWritten: "„{{path}}“ konnte nicht geschrieben werden. Prüfen Sie, ob die Festplatte noch Platz hat und ob Sie dort schreiben dürfen.",
} as const satisfies Translation<typeof english>;
