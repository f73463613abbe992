import type { main as english } from "../en/main.ts";
import type { Translation } from "../translation.ts";

export const main = {
  engineStopped:
    "Die Engine hat aufgehört: {{why}} (Exit-Code {{code}}). Ihre Gespräche bleiben. Starten Sie die Engine neu, um weiterzumachen.",
  engineNotBegun:
    "Die Engine konnte nicht starten: {{why}} (Exit-Code {{code}}). Ihre Gespräche bleiben. Starten Sie die Engine neu, um weiterzumachen.",
  endCrashed: "Sie ist abgestürzt",
  endKilled: "Sie wurde von außen beendet",
  endOutOfMemory: "Ihr ging der Speicher aus",
  endWithError: "Sie endete mit einem Fehler",
  endLaunchFailed: "Sie ließ sich nicht starten",
  endFilesChanged: "Ihre Dateien wurden verändert",
  endUnexpected: "Sie endete unerwartet",
  engineSilent:
    "Die Engine hat {{seconds}} Sekunden lang nicht geantwortet. Vielleicht kommt sie wieder; oder starten Sie sie neu: Was geschrieben war, bleibt.",
  engineEnded: "Die Engine antwortete nicht mehr und wurde beendet. Was geschrieben war, bleibt.",
  engineNotReady: "Die Engine war nach {{seconds}} Sekunden nicht bereit. Starten Sie sie neu, um es noch einmal zu versuchen.",
  downloadAsked: "„{{model}}“ herunterladen ({{megabytes, number}} MB, {{licence}})?",
  downloadConnects:
    "Longsight wird sich mit dieser Adresse verbinden, die den Download an Server von {{servers, list}} weitergeben kann. Nichts von Ihnen wird gesendet. Die Datei wird nur verwendet, wenn sie nach ihrer SHA-256 die ist, die geprüft wurde.",
  settingsNotSaved: "Die Einstellungen konnten nicht in {{file}} gespeichert werden. Prüfen Sie, ob die Festplatte noch Platz hat.",
  folderNotOpened: "Der Ordner {{path}} konnte nicht geöffnet werden. Öffnen Sie ihn in Ihrer Dateiverwaltung.",
  linkNotOpened: "Dieser Link wird nicht geöffnet: Das geht nur mit https-Adressen.",
} as const satisfies Translation<typeof english>;
