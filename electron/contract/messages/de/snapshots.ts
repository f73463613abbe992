import type { snapshots as english } from "../en/snapshots.ts";
import type { Translation } from "../translation.ts";

export const snapshots = {
  notKeptHere: "In dieser Sitzung wird nichts Gelesenes auf der Festplatte behalten.",
  snapshotsNotRemoved:
    "Die gespeicherten Caches in {{folder}} konnten nicht gelöscht werden. Prüfen Sie, ob die Festplatte noch Platz hat und ob Longsight dort schreiben darf.",
  roomNotChanged:
    "Der Platz für gespeicherte Caches in {{folder}} konnte nicht geändert werden. Prüfen Sie, ob die Festplatte noch Platz hat und ob Longsight dort schreiben darf.",
  snapshotsNotRead:
    "Was das Modell gelesen hat, konnte in {{folder}} nicht wiedergefunden werden: {{why}}. Antworten gehen ohne es weiter, und Dokumente werden das nächste Mal neu gelesen.",
  snapshotsNotStored:
    "Was das Modell gelesen hat, konnte nicht in {{folder}} gespeichert werden: {{why}}. Antworten gehen ohne es weiter, und Dokumente werden das nächste Mal neu gelesen.",
  diskFull: "Die Festplatte ist voll",
  diskForbidden: "Longsight darf dort nicht schreiben",
  diskReadOnly: "Auf die Festplatte kann nicht geschrieben werden",
  storedUnreadable: "Ein gespeicherter Cache konnte nicht aus {{folder}} gelesen werden, deshalb wird das Dokument neu gelesen ({{why}}).",
  readingNotStored: "Was gelesen wurde, konnte nicht für den nächsten Start gespeichert werden ({{why}}).",
  storedDamaged:
    "Ein gespeicherter Cache ist beschädigt ({{reason}}). Er wurde in {{folder}} beiseitegelegt, und dieser Teil des Dokuments wird neu gelesen.",
  storedDamagedOf:
    "Ein gespeicherter Cache von {{files, quoted}} ist beschädigt ({{reason}}). Er wurde in {{folder}} beiseitegelegt, und dieser Teil des Dokuments wird neu gelesen.",
  partStored:
    "Nur ein Teil von dem, was gelesen wurde, konnte für den nächsten Start gespeichert werden: Es ist größer als der Platz für gespeicherte Caches.",
  partStoredOf:
    "Nur ein Teil von {{files, quoted}} konnte für den nächsten Start gespeichert werden: Es ist mehr als der Platz für gespeicherte Caches.",

  recordIsFolder: "es ist ein Ordner",
  recordCutOff: "das Ende fehlt",
  recordTooShort: "kürzer als die erste Zeile",
  recordIsNone: "der Anfang ist nicht der eines gespeicherten Caches",
  recordLength: "{{found}} statt {{expected}} Bytes",
  recordNamedOtherwise: "der Name ist der eines anderen Eintrags",
  recordMisnamed: "der Name ist nicht der Schlüssel des Inhalts",
  recordPartChanged: "der Teil „{{part}}“ wurde verändert",
  metadataCutOff: "das Ende der Metadaten fehlt",
  metadataChanged: "die Metadaten wurden verändert",
  metadataUnreadable: "die Metadaten sind nicht lesbar",
  metadataUnknown: "die Metadaten werden nicht verstanden: {{why}}",
} as const satisfies Translation<typeof english>;
