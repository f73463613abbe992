import type { models as english } from "../en/models.ts";
import type { Translation } from "../translation.ts";

export const models = {
  noSuchModelNone:
    "Ein Modell „{{model}}“ gibt es nicht. Es ist keines installiert: Führen Sie einmal `npm start` aus, oder nennen Sie den Pfad einer GGUF-Datei.",
  noSuchModel: "Ein Modell „{{model}}“ gibt es nicht. Installiert: {{models, commas}}. Oder nennen Sie den Pfad einer GGUF-Datei.",
  noModelLoaded: "Kein Modell ist geladen. Wählen Sie zuerst ein Modell.",
  modelFileMissing: "Die Modelldatei „{{file}}“ wurde nicht gefunden.",
  modelFileGone:
    "„{{file}}“ ist nicht mehr an ihrem Ort ({{folder}}). Legen Sie die Datei zurück, schließen Sie ihr Laufwerk an, oder nehmen Sie sie aus der Liste.",
  modelNoFile: "„{{file}}“ ist keine Datei und kann daher kein Modell sein.",
  modelFileEmpty: "Die Modelldatei „{{file}}“ ist leer. Laden Sie sie noch einmal herunter.",
  modelUnnamed: "„{{file}}“ sagt nicht, welches Modell es ist.",
  modelIsPart: "„{{file}}“ enthält einen Teil eines Modells ({{kind}}), kein Modell, das antworten kann.",
  modelKindUnread:
    "„{{file}}“ ist von der Art „{{kind}}“, die Longsight nicht lesen kann: Es nimmt Textmodelle, die antworten. Wählen Sie ein anderes Modell.",
  modelCutOff: "„{{file}}“ endet zu früh: Die Datei ist unvollständig. Laden Sie sie noch einmal herunter.",
  modelIsSplit:
    "„{{file}}“ ist einer von {{parts}} Teilen eines Modells. Longsight nimmt Modelle in einer Datei: Laden Sie eines herunter, das nicht geteilt ist, oder fügen Sie die Teile mit llama-gguf-split --merge von llama.cpp zusammen.",
  noGguf:
    "„{{file}}“ ist keine GGUF-Datei, was auch der Name sagt. Wählen Sie die GGUF-Datei eines Modells, oder laden Sie sie noch einmal herunter.",
  noGgufHolds:
    "„{{file}}“ ist keine GGUF-Datei, was auch der Name sagt. Darin ist {{content}}. Wählen Sie die GGUF-Datei eines Modells, oder laden Sie sie noch einmal herunter.",
  holdsWebPage: "eine Webseite",
  holdsPointer: "ein Verweis auf eine Datei von Git LFS, nicht die Datei selbst",
  holdsZip: "ein Archiv (ZIP)",
  holdsSafetensors: "ein Satz Gewichte als safetensors",
  holdsOldModel: "ein Modell in einem Format aus der Zeit vor GGUF",
  ggufOtherVersion:
    "„{{file}}“ ist eine GGUF-Datei in einer Version, die Longsight nicht lesen kann (es liest 2 und 3). Suchen Sie nach einer neueren Datei dieses Modells.",
  ggufIncomplete: "„{{file}}“ ist keine vollständige GGUF-Modelldatei. Laden Sie sie noch einmal herunter.",
  kindUnknownToEngine:
    "„{{model}}“ ist von der Art „{{kind}}“, die diese Version von llama.cpp nicht kennt. Wählen Sie ein anderes Modell, oder warten Sie auf ein neueres Longsight.",
  modelRecurrent:
    "„{{model}}“ ({{kind}}) behält einen rekurrenten Zustand statt Schlüsseln und Werten, daher könnte nichts davon verworfen werden. Wählen Sie ein Transformer-Modell.",
  modelNotRemovable:
    "„{{file}}“ kann nicht aus der Liste genommen werden: Das geht nur mit Modellen, die hinzugefügt oder heruntergeladen wurden.",
  modelNotDeleted: "„{{path}}“ konnte nicht gelöscht werden. Benutzt ein anderes Programm die Datei?",
  modelInUse: "„{{model}}“ ist geladen. Laden Sie zuerst ein anderes Modell, und nehmen Sie dieses dann aus der Liste.",

  loadingStopped: "Das Laden des Modells wurde angehalten.",
  modelNotLoaded: "Das Modell „{{model}}“ konnte nicht geladen werden: Die Datei ist beschädigt oder für eine andere Version gemacht.",
  nativePartMissing:
    "Der native Teil der Engine fehlt oder wurde für eine andere Version gebaut. Führen Sie im Ordner von Longsight `npm run native:build` aus, und starten Sie neu.",
  fits: "Passt: braucht etwa {{needed, oneDigit}} GB von {{free, oneDigit}} GB freiem Speicher bei einem Kontext von {{tokens, number}} Tokens.",
  fitsTightly:
    "Knapp: braucht etwa {{needed, oneDigit}} GB von {{free, oneDigit}} GB freiem Speicher bei einem Kontext von {{tokens, number}} Tokens; andere Programme können langsamer werden.",
  doesNotFit:
    "Passt nicht: braucht etwa {{needed, oneDigit}} GB von {{free, oneDigit}} GB freiem Speicher bei einem Kontext von {{tokens, number}} Tokens.",
  modelTooLarge: "„{{model}}“ wurde nicht geladen. {{fit}} Wählen Sie die Cache-Art q8_0 oder q4_0 oder ein kleineres Modell.",
  contextTooLarge:
    "„{{model}}“ wurde nicht geladen. {{fit}} Wählen Sie einen Kontext von höchstens {{tokens, number}} Tokens, die Cache-Art q8_0 oder q4_0 oder ein kleineres Modell.",
  noChatTemplate: "Dieses Modell hat keine Chat-Vorlage: Es wurde gemacht, um Texte fortzusetzen; Antworten können daher abschweifen.",
  longerThanTrained:
    "Der Kontext ist länger als die {{tokens, number}} Tokens, für die dieses Modell trainiert wurde: Erwarten Sie darüber hinaus schlechtere Antworten.",
  modelComputesNonsense:
    "Das Modell „{{model}}“ berechnet nichts, was sich lesen lässt: Die Datei scheint beschädigt zu sein. Laden Sie sie noch einmal herunter, oder wählen Sie ein anderes Modell.",
  templateUnusable:
    "Die Chat-Vorlage dieses Modells passt nicht zu diesem Gespräch. Beginnen Sie ein neues Gespräch, oder wählen Sie ein anderes Modell.",

  cacheTypeMissing: "Die Cache-Art {{type}} gibt es in diesem Build nicht.",
  cacheNotAllocated:
    "Ein Cache für {{tokens, number}} Tokens konnte nicht angelegt werden. Wählen Sie einen kürzeren Kontext oder die Cache-Art q8_0.",
  cacheFull: "Der Cache ist voll, obwohl Platz sein sollte. Fragen Sie noch einmal, um das Dokument neu zu lesen.",
  modelFailed: "Das Modell konnte nicht rechnen.",
  cacheNotWhole: "Der Cache ist nicht vollständig. Fragen Sie noch einmal, um das Dokument neu zu lesen.",
  notScored: "Das Dokument wurde nicht bewertet. Fragen Sie noch einmal.",
  notKept: "Was die Antwort braucht, konnte nicht behalten werden. Fragen Sie noch einmal, oder mit dem vollen Cache.",
  notCopied: "Was vom Dokument gelesen war, konnte nicht aus dem Cache kopiert werden. Es wird neu gelesen, wenn es gebraucht wird.",
  storedCacheUnfit: "Ein gespeicherter Cache passt nicht in diesen. Das Dokument wird neu gelesen.",
  nothingEvictable:
    "Bei diesem Modell kann nichts verworfen werden: Es behält nicht von jeder Stelle Schlüssel und Werte. Fragen Sie mit dem vollen Cache, oder wählen Sie ein anderes Modell.",
  noMemoryToScore: "Der Speicher reicht nicht, um das Dokument zu bewerten. Wählen Sie eine andere Regel, etwa SnapKV.",
  rotationUnknown:
    "Die Regel „Erwartete Aufmerksamkeit“ kennt die Drehung der Anfragen (Queries) dieses Modells nicht. Wählen Sie eine andere Regel, etwa Lookahead oder SnapKV.",

  moduleUnusable:
    "„{{file}}“ kann nicht als Lookahead-Modul verwendet werden: {{why}}. Besorgen oder erzeugen Sie es neu; bis dahin geht es ohne.",
  moduleIsNone: "Es ist keines",
  moduleMissing: "Die Datei wurde nicht gefunden",
  moduleNoFile: "Es ist keine Datei",
  moduleDamaged: "Die Datei ist beschädigt oder unvollständig",
  moduleDamagedOrOther: "Die Datei ist beschädigt, unvollständig oder von einer anderen Version gemacht",
  moduleNotLoaded:
    "Das Lookahead-Modul „{{file}}“ konnte für „{{model}}“ nicht geladen werden. Besorgen oder erzeugen Sie es neu; bis dahin geht es ohne.",
  moduleOfOtherModel:
    "Das Lookahead-Modul „{{file}}“ wurde für „{{base}}“ gemacht; geladen ist das Modell „{{model}}“. Der Unterschied: {{what}}. Verwenden Sie ein Modul, das für dieses Modell gemacht ist; bis dahin geht es ohne.",
  differsInKind: "die Art des Modells",
  differsInLayers: "die Zahl der Schichten",
  differsInWidth: "die Breite der Embeddings",
  differsInHeads: "die Zahl der Aufmerksamkeitsköpfe",
  differsInKvHeads: "die Zahl der Schlüssel-Wert-Köpfe",
  differsInTokenizer: "der Tokenizer",
  differsInSize: "die Größe von {{matrix}}",

  notInCatalogue: "Ein Modell „{{model}}“ ist nicht im Katalog.",
  noDownloads: "In dieser Sitzung wird nichts heruntergeladen.",
  downloadRunning: "„{{model}}“ wird schon heruntergeladen. Halten Sie das zuerst an.",
  downloadPaused: "Das Herunterladen von „{{model}}“ wurde angehalten. Was angekommen ist, bleibt.",
  downloadDeclined: "„{{model}}“ wurde nicht heruntergeladen.",
  downloadNoRoom:
    "Die Festplatte hat keinen Platz für „{{model}}“: {{needed, number}} MB sind nötig, {{free, number}} MB sind frei in {{folder}}. Schaffen Sie Platz, und versuchen Sie es noch einmal.",
  downloadDiskFull:
    "„{{model}}“ wurde nicht heruntergeladen: Die Festplatte ist voll. Schaffen Sie Platz, und versuchen Sie es noch einmal; was angekommen ist, bleibt.",
  downloadNotWritten:
    "„{{model}}“ wurde nicht heruntergeladen: Die Datei konnte nicht geschrieben werden. Prüfen Sie, ob Sie dort schreiben dürfen, und versuchen Sie es noch einmal; was angekommen ist, bleibt.",
  downloadUnreachable:
    "„{{model}}“ wurde nicht heruntergeladen: Die Verbindung zu {{host}} kam nicht zustande. Prüfen Sie das Netz, und drücken Sie noch einmal auf „Herunterladen“.",
  downloadBroken:
    "„{{model}}“ wurde nicht heruntergeladen: Die Verbindung zu {{host}} brach ab. Die {{megabytes, number}} MB, die angekommen sind, bleiben. Prüfen Sie das Netz, und drücken Sie auf „Weiter“.",
  downloadFailed:
    "„{{model}}“ wurde nicht heruntergeladen: {{why}}. Wählen Sie ein anderes Modell, oder suchen Sie nach einem neueren Longsight.",
  downloadOtherFile:
    "„{{model}}“ wurde nicht heruntergeladen: Was ankam, ist nicht die Datei, die geprüft wurde, und wurde gelöscht. Versuchen Sie es noch einmal; hilft das nicht, hat der Server eine andere Datei.",
  leadsElsewhere: "Die Adresse führt zu „{{host}}“, das nicht im Katalog steht, deshalb wurde von dort nichts geladen",
  leadsWithoutEnd: "Die Adresse führt ohne Ende von einer zur nächsten",
  leadsNowhere: "Die Adresse führt zu einer, die keine ist",
  serverHasOther: "Der Server hat eine andere Datei ({{found}} statt {{expected}} Bytes)",
  serverSentMore: "Der Server hat mehr als die {{expected}} Bytes der Datei gesendet",
  serverHasNone: "Die Datei ist nicht mehr dort",
  serverRefused: "Der Server hat sie verweigert ({{status}})",
} as const satisfies Translation<typeof english>;
