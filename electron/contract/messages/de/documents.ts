import type { documents as english } from "../en/documents.ts";
import type { Translation } from "../translation.ts";

export const documents = {
  documentMissing: "„{{file}}“ wurde nicht gefunden. Die Datei wurde vielleicht verschoben, umbenannt oder gelöscht.",
  documentForbidden:
    "Sie dürfen „{{file}}“ nicht lesen. Bitten Sie den Eigentümer um die Erlaubnis, oder kopieren Sie die Datei in einen eigenen Ordner.",
  documentIsFolder: "„{{file}}“ ist ein Ordner. Öffnen Sie die Dateien darin.",
  documentNoFile: "„{{file}}“ ist keine gewöhnliche Datei und kann nicht geöffnet werden.",
  documentNotRead: "„{{file}}“ konnte nicht von der Festplatte gelesen werden.",
  documentEmpty: "„{{file}}“ ist leer (0 Bytes). Besorgen Sie sich die Datei noch einmal.",
  documentTooLarge:
    "„{{file}}“ hat {{megabytes}} MB; Longsight öffnet Dateien bis 512 MB. Speichern Sie nur die Seiten, die Sie brauchen, und öffnen Sie diese.",
  textTooLarge: "„{{file}}“ ist ein Text von {{megabytes}} MB; Longsight öffnet Texte bis {{most}} MB. Teilen Sie ihn in mehrere Dateien.",
  documentShrank: "„{{file}}“ wurde kürzer, während die Datei gelesen wurde. Versuchen Sie es noch einmal.",
  documentChanged: "„{{file}}“ wurde geändert, seit die Datei geöffnet wurde. Öffnen Sie sie noch einmal.",
  documentNotOpen: "Dieses Dokument ist nicht mehr geöffnet. Öffnen Sie die Datei noch einmal.",
  readingCancelled: "Das Lesen von „{{file}}“ wurde abgebrochen.",
  openingStopped: "Das Öffnen von „{{file}}“ wurde angehalten.",
  searchStopped: "Die Suche wurde angehalten.",

  passwordWrong: "Dieses Passwort öffnet „{{file}}“ nicht. Prüfen Sie es und versuchen Sie es noch einmal.",
  passwordNeeded: "„{{file}}“ ist mit einem Passwort gesperrt. Geben Sie es ein, um die Datei zu öffnen.",
  encryptionUnknown: "„{{file}}“ ist auf eine Weise verschlüsselt, die Longsight nicht kennt, und kann nicht gelesen werden.",
  documentNeedsMemory:
    "„{{file}}“ braucht zum Lesen mehr als {{megabytes}} MB Arbeitsspeicher, deshalb wurde das Lesen beendet. Speichern Sie eine kleinere Kopie, oder nur die Seiten, die Sie brauchen.",
  documentFault:
    "„{{file}}“ konnte wegen eines Fehlers in Longsight nicht gelesen werden. Die Einzelheiten darunter helfen, ihn zu melden.",
  pdfDamaged: "„{{file}}“ ist beschädigt und kann nicht als PDF gelesen werden. Besorgen Sie sich die Datei noch einmal.",
  pdfPagesDamaged: "„{{file}}“ ist beschädigt: Keine der Seiten kann gelesen werden. Besorgen Sie sich die Datei noch einmal.",
  pdfTooSlow:
    "Das Lesen von „{{file}}“ wurde nach {{seconds}} Sekunden beendet: Etwas darin beschäftigt den PDF-Leser ohne Ende. Drucken Sie die Datei in ein neues PDF und öffnen Sie dieses.",
  docxDamaged: "„{{file}}“ ist beschädigt und kann nicht als Word-Dokument gelesen werden. Besorgen Sie sich die Datei noch einmal.",
  epubDamaged: "„{{file}}“ ist beschädigt und kann nicht als EPUB-Buch gelesen werden. Besorgen Sie sich die Datei noch einmal.",
  htmlDamaged: "„{{file}}“ ist beschädigt und kann nicht als Webseite gelesen werden. Besorgen Sie sich die Datei noch einmal.",
  markupTooLarge:
    "„{{file}}“ enthält mehr, als Longsight entpacken kann, deshalb wurde das Lesen beendet. Speichern Sie die Teile, die Sie brauchen, in einer eigenen Datei.",
  markupProtected:
    "„{{file}}“ ist verschlüsselt, wie es Buchläden mit ihren Büchern tun: Nur deren eigene Leseprogramme können es öffnen. Besorgen Sie sich eine Ausgabe ohne Schutz.",
  markupTooSlow:
    "Das Lesen von „{{file}}“ wurde nach {{seconds}} Sekunden beendet: Etwas darin beschäftigt den Leser ohne Ende. Speichern Sie die Datei als PDF und öffnen Sie dieses.",

  documentOtherKind: "„{{file}}“ ist {{kind}}. {{advice}}",
  documentHolds: "„{{file}}“ ist in Wirklichkeit {{kind}}. {{advice}}",
  documentMisnamed: "„{{file}}“ heißt wie ein PDF, ist aber {{kind}}. {{advice}}",
  kindPicture: "ein {{format}}-Bild",
  kindFilm: "eine Film- oder Tondatei",
  kindZip: "ein ZIP-Archiv",
  kindArchive: "ein {{format}}-Archiv",
  kindXz: "ein xz-Archiv",
  kindOlderOffice: "eine ältere Datei von Word, Excel oder PowerPoint",
  kindOffice: "eine Datei von Word, Excel oder PowerPoint",
  kindOpenDocument: "eine OpenDocument-Datei",
  kindWorkbook: "eine Excel-Arbeitsmappe",
  kindPresentation: "eine PowerPoint-Präsentation",
  kindRtf: "eine RTF-Datei (Rich Text)",
  kindPostScript: "eine PostScript-Datei",
  kindProgram: "ein Programm",
  kindModel: "eine Modelldatei",
  kindDatabase: "eine Datenbank",
  kindWebPage: "eine Webseite (HTML)",
  kindText: "reiner Text",
  kindUnknown: "weder ein PDF noch Text",
  kindLockedWord: "ein Word-Dokument, das mit einem Passwort gesperrt ist",
  adviceKinds: "Longsight öffnet PDF-, Word- (DOCX), EPUB-, HTML-, Text- und Markdown-Dateien.",
  adviceText: "Benennen Sie die Datei in .txt um und öffnen Sie sie noch einmal.",
  advicePicture: "Bilder kann Longsight noch nicht lesen.",
  adviceExport: "Öffnen Sie die Datei in dem Programm, aus dem sie stammt, und speichern Sie sie als PDF.",
  adviceArchive: "Entpacken Sie es und öffnen Sie die Dateien darin.",
  adviceConvert: "Wandeln Sie die Datei in ein PDF um und öffnen Sie dieses.",
  adviceModel: "Wählen Sie die Datei stattdessen als Modell.",
  adviceDownload: "Vielleicht ist es die Meldung eines Downloads, der gescheitert ist: Laden Sie die Datei noch einmal herunter.",
  adviceUnlock: "Öffnen Sie es in Word, entfernen Sie das Passwort und speichern Sie es noch einmal.",

  noSuchPage: "„{{file}}“ hat keine Seite {{page}}; Seiten insgesamt: {{pages}}.",
  pageBeyondEnd_one: "„{{file}}“ hat {{count, number}} Seite; verlangt wurde Seite {{page}}.",
  pageBeyondEnd_other: "„{{file}}“ hat {{count, number}} Seiten; verlangt wurde Seite {{page}}.",
  noTextAtAll: "„{{file}}“ hat auf keiner Seite Text: Die Seiten sind Bilder oder leer, und es gibt nichts, wonach Sie fragen könnten.",
  noTextOnChosen:
    "„{{file}}“ hat auf den gewählten Seiten keinen Text: Sie sind Bilder oder leer, und es gibt nichts, wonach Sie fragen könnten.",

  nothingToRecognise: "„{{file}}“ hat keine Seiten, die Bilder sind, und damit keinen Text, der zu erkennen wäre.",
  recognisingStopped: "Die Texterkennung von „{{file}}“ wurde angehalten.",
  recognisingTooSlow:
    "Die Texterkennung von „{{file}}“ wurde beendet: Von einer Seite kam {{seconds}} Sekunden lang kein Lebenszeichen. Die anderen Seiten sind brauchbar.",
  recognisingFault:
    "Der Text von „{{file}}“ konnte wegen eines Fehlers in Longsight nicht erkannt werden. Die Einzelheiten darunter helfen, ihn zu melden.",
  recognisedNotWritten:
    "Der Text von „{{file}}“ wurde erkannt, konnte aber nicht auf die Festplatte geschrieben werden und wird nach einem Neustart fort sein. Prüfen Sie, ob die Festplatte noch Platz hat.",

  pagesOfAll_one: "{{part}} von {{count, number}} Seite",
  pagesOfAll_other: "{{part}} von {{count, number}} Seiten",
  pageNumber: "Seite {{page}}",
  pageNumbers: "den Seiten {{pages, list}}",
  noTextOnPages: "Kein Text auf {{pages}}: {{what}}. {{advice}}",
  looksLikeScan: "Das sieht nach einem Scan aus",
  pageIsEmpty: "Sie ist leer oder ein Bild",
  pagesAreEmpty: "Sie sind leer oder Bilder",
  noLettersFound: "In den Bildern wurden keine Buchstaben gefunden.",
  canBeRecognised: "Der Text lässt sich erkennen.",
  textWasRecognised: "Der Text auf {{pages}} wurde in Bildern erkannt: Buchstaben können falsch sein.",
  textUnreadable: "Der Text auf {{pages}} ist vielleicht nicht lesbar: Die meisten Zeichen sagen nicht, welche Buchstaben sie sind.",
  pagesBroken: "Der Text auf {{pages}} konnte nicht gelesen werden: Die Datei ist dort beschädigt. Die anderen Seiten sind brauchbar.",
  onlyBlanks: "In dieser Datei ist nichts als leerer Raum.",
  notUtf8:
    "Dieser Text ist nicht in UTF-8. Er wurde als Windows-1252 gelesen; andere als westeuropäische Buchstaben können daher falsch sein.",
  encodingUnknown:
    "Dieser Text sei in „{{encoding}}“, sagt er, was hier nicht bekannt ist. Er wurde als Windows-1252 gelesen; Buchstaben können daher falsch sein.",
  drawnEquations_one: "1 Gleichung ist in diesem Dokument ein Bild, deshalb wurde nichts von ihr gelesen. Der übrige Text wurde gelesen.",
  drawnEquations_other:
    "{{count}} Gleichungen sind in diesem Dokument Bilder, deshalb wurde nichts von ihnen gelesen. Der übrige Text wurde gelesen.",
  missingChapters_one:
    "{{count, number}} Kapitel von {{all}} kann nicht gelesen werden: Das Buch nennt etwas, was nicht in der Datei ist. Die anderen sind brauchbar.",
  missingChapters_other:
    "{{count, number}} Kapitel von {{all}} können nicht gelesen werden: Das Buch nennt etwas, was nicht in der Datei ist. Die anderen sind brauchbar.",
} as const satisfies Translation<typeof english>;
