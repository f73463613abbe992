import type { conversations as english } from "../en/conversations.ts";
import type { Translation } from "../translation.ts";

export const conversations = {
  "policy-full": "Voller Cache",
  "policy-lookahead": "Lookahead",
  "policy-snapkv": "SnapKV",
  "policy-pyramidkv": "PyramidKV",
  "policy-laq": "LAQ",
  "policy-speckv": "SpecKV",
  "policy-h2o": "H2O",
  "policy-tova": "TOVA",
  "policy-nacl": "NACL",
  "policy-expected-attention": "Erwartete Aufmerksamkeit",
  "policy-streamingllm": "StreamingLLM",
  "policy-random": "Zufall",
  "mode-question": "Für jede Frage",
  "mode-once": "Einmal für die Dokumente",
  "mode-streaming": "Abschnittsweise",
  "share-score": "Nach Wichtigkeit",
  "share-even": "Gleichmäßig",
  "share-length": "Nach Länge",

  answerStopped: "Die Antwort wurde angehalten.",
  questionWithdrawn: "Die Frage wurde zurückgezogen.",
  heatmapStopped: "Das Wärmebild wurde angehalten.",
  comparisonStopped: "Der Vergleich wurde angehalten.",
  answerUnderWay: "In diesem Gespräch wird gerade eine Antwort geschrieben. Halten Sie sie zuerst an, oder warten Sie auf sie.",
  nothingAsked: "In diesem Gespräch wurde noch nichts gefragt, daher gibt es nichts, woraus gewählt werden könnte.",
  nothingToShade:
    "In diesem Gespräch gibt es keine Frage zu einem Dokument, für die Wörter wichtig sein könnten. Exportieren Sie es ohne das Wärmebild.",
  readAgain: "Der Prompt wurde noch einmal gelesen: Er war weder im Arbeitsspeicher noch auf der Festplatte.",
  noRoomForQuestion: "Der Cache hat keinen Platz für die Frage. Wählen Sie einen längeren Kontext.",

  beyondCache:
    "Um das auf einmal zu lesen, ist ein voller Cache von {{tokens, number}} Tokens nötig; das Modell wurde mit einem von {{most, number}} geladen. Wählen Sie weniger Seiten, einen größeren vollen Cache oder ein Budget und den Modus „Abschnittsweise“, der keinen braucht. Nichts wurde abgeschnitten.",
  unscorable:
    "Der Prompt hat {{tokens, number}} Tokens, und ihn zu bewerten braucht {{rows, number}} mehr; der Kontext fasst {{most, number}}. Wählen Sie weniger Seiten, einen längeren Kontext oder die Regel SnapKV. Nichts wurde abgeschnitten.",
  unscorableOnce:
    "Der Prompt hat {{tokens, number}} Tokens, und ihn zu bewerten braucht {{rows, number}} mehr; der Kontext fasst {{most, number}}. Wählen Sie weniger Seiten, einen längeren Kontext oder den Modus „Für jede Frage“. Nichts wurde abgeschnitten.",
  tooLong:
    "Der Prompt hat {{tokens, number}} Tokens (Dokumente {{documents}}, Frage {{question, number}}, Gespräch und Anweisungen {{others, number}}); der Kontext fasst {{most, number}}. Wählen Sie weniger Seiten, einen längeren Kontext oder ein anderes Modell. Nichts wurde abgeschnitten.",
  tooLongDespiteBudget:
    "Der Prompt hat {{tokens, number}} Tokens (Dokumente {{documents}}, Frage {{question, number}}, Gespräch und Anweisungen {{others, number}}); der Kontext fasst {{most, number}}. Wählen Sie weniger Seiten, einen längeren Kontext oder ein anderes Modell; ein Budget hilft nicht: Jedes Token braucht einen Platz im Kontext, was auch behalten wird. Nichts wurde abgeschnitten.",
  tokensInAll: "{{tokens, number}}",
  tokensByDocument: "{{tokens, number}}: {{each, commas}}",
  tokensOfDocument: "„{{file}}“ {{tokens, number}}",

  nothingToCompare:
    "Ein Budget von {{budget}} behält den ganzen Prompt von {{tokens}} Tokens: Es gibt nichts zu vergleichen. Wählen Sie ein kleineres.",
  fullKeepsAll: "Die Regel „Voller Cache“ behält alles, ein Budget von {{budget}} nicht. Wählen Sie eine andere Regel oder kein Budget.",
  policyNeedsBudget: "Die Regel „{{policy}}“ braucht ein Budget: wie viele Tokens je Schicht und Kopf sie behält.",
  modeNeedsBudget:
    "Der Modus „{{mode}}“ behält einen Teil von dem, was er liest: Er braucht ein Budget, also wie viele Tokens je Schicht und Kopf.",
  shareNotInMode:
    "Die Verteilung „{{share}}“ teilt ein Budget einmal, über den ganzen Prompt; der Modus „{{mode}}“ wählt neu, sooft sein Cache voll ist. Wählen Sie die Verteilung „Nach Wichtigkeit“ oder den Modus „Für jede Frage“.",
  policyNotInMode:
    "Die Regel „{{policy}}“ bewertet einen ganzen Prompt, den der Modus „{{mode}}“ nie auf einmal hat. Wählen Sie eine andere Regel, etwa Lookahead oder SnapKV, oder den Modus „Für jede Frage“.",
  policyNeedsDraft:
    "Die Regel „{{policy}}“ braucht ein Entwurfsmodell: eine kleinere GGUF-Datei, die die Antwort entwirft (--draft-model). Nennen Sie eines, oder wählen Sie die Regel LAQ, die mit dem Modell selbst entwirft.",
  policyNeedsNoDraft: "Die Regel „{{policy}}“ verwendet kein Entwurfsmodell. Lassen Sie es weg, oder wählen Sie die Regel SpecKV.",
  draftIsTarget:
    "„{{model}}“ beantwortet die Frage selbst und kann nicht auch das Entwurfsmodell sein. Nennen Sie ein kleineres, oder wählen Sie die Regel LAQ.",
  draftNotSmaller:
    "Das Entwurfsmodell „{{model}}“ ist nicht kleiner als „{{target}}“, das antwortet: Ein Entwurf würde mehr kosten als die Antwort. Nennen Sie ein kleineres.",
  draftTooLarge: "Das Entwurfsmodell „{{model}}“ wurde nicht geladen. {{fit}} Nennen Sie ein kleineres, oder wählen Sie eine andere Regel.",
  budgetTooSmall:
    "Ein Budget von {{budget}} Tokens ist zu klein für diesen Prompt: {{least}} Tokens werden immer behalten ({{which, list}}). Wählen Sie ein Budget von mindestens {{least}}.",
  budgetTooSmallForPins:
    "Ein Budget von {{budget}} Tokens ist zu klein für diesen Prompt: {{least}} Tokens werden immer behalten ({{which, list}}). Wählen Sie ein Budget von mindestens {{least}}, oder lösen Sie eine angeheftete Stelle.",
  keptFirst: "die ersten {{tokens}}",
  keptLast: "die letzten {{tokens}} des Prompts",
  keptPinned: "{{tokens}} in angehefteten Stellen",
  noSuchHead:
    "Dieses Modell hat {{layers}} Schichten mit je {{heads}} Köpfen, die bewertet werden, gezählt ab 0; einen Kopf {{head}} der Schicht {{layer}} gibt es nicht.",

  layoutUnknown:
    "Was ein Cache dieses Modells behält, ist noch nicht bekannt: Seit es geladen wurde, wurde nichts verworfen. Fragen Sie mit diesem Budget noch einmal.",
  scoresOfOtherMode:
    "Eine Bewertung dieses Prompts nach {{policy}} ist nicht im Speicher: Der Modus „{{mode}}“ bewertet Teil für Teil. Fragen Sie noch einmal im Modus „Für jede Frage“.",
  scoresOfDraft:
    "Eine Bewertung dieses Prompts nach {{policy}} ist nicht im Speicher: Die Regel entwirft für jedes Budget eine neue Antwort. Fragen Sie mit diesem Budget noch einmal.",
  scoresGone:
    "Eine Bewertung dieses Prompts nach {{policy}} ist nicht im Speicher: Der Prompt wurde geändert, oder seither wurden andere bewertet. Fragen Sie mit diesem Budget noch einmal.",

  pinOfNoDocument:
    "Auf Seite {{page}} ist eine Stelle eines Dokuments angeheftet, das hier nicht dazugehört. Nehmen Sie es auf, oder lösen Sie die Stelle.",
  pinBeyondDocument_one:
    "Die angeheftete Stelle {{start}}–{{end}} auf Seite {{page}} von „{{file}}“ kann nicht behalten werden: Das Dokument hat {{count, number}} Seite. Wählen Sie die Seite, oder lösen Sie die Stelle.",
  pinBeyondDocument_other:
    "Die angeheftete Stelle {{start}}–{{end}} auf Seite {{page}} von „{{file}}“ kann nicht behalten werden: Das Dokument hat {{count, number}} Seiten. Wählen Sie die Seite, oder lösen Sie die Stelle.",
  pinOnOtherPage:
    "Die angeheftete Stelle {{start}}–{{end}} auf Seite {{page}} von „{{file}}“ kann nicht behalten werden: Diese Seite ist nicht gewählt. Wählen Sie die Seite, oder lösen Sie die Stelle.",
  pinBeyondPage_one:
    "Die angeheftete Stelle {{start}}–{{end}} auf Seite {{page}} von „{{file}}“ reicht über den Text der Seite hinaus, der {{count, number}} Zeichen hat. Heften Sie sie neu an.",
  pinBeyondPage_other:
    "Die angeheftete Stelle {{start}}–{{end}} auf Seite {{page}} von „{{file}}“ reicht über den Text der Seite hinaus, der {{count, number}} Zeichen hat. Heften Sie sie neu an.",

  conversationDeleted: "Dieses Gespräch wurde gelöscht.",
  questionGone: "Die Frage, die geändert werden soll, ist nicht mehr in diesem Gespräch.",
  historyOfNewerVersion:
    "Diese Gespräche hat eine neuere Version von Longsight geschrieben. Installieren Sie diese, um sie zu öffnen; nichts wurde geändert.",
  historyBusyOnOpening:
    "Die Gespräche konnten nicht geöffnet werden: Ein anderes Programm benutzt „{{file}}“. Schließen Sie es, oder warten Sie, bis es fertig ist, und versuchen Sie es noch einmal.",
  historyBusy:
    "Die Gespräche konnten nicht gelesen oder geändert werden: Ein anderes Programm benutzt „{{file}}“. Schließen Sie es, oder warten Sie, bis es fertig ist, und versuchen Sie es noch einmal.",
  historyDamagedOnOpening: "Die Gespräche konnten nicht geöffnet werden: Ein Teil von „{{file}}“ ist beschädigt.",
  historyDamaged: "Die Gespräche konnten nicht gelesen oder geändert werden: Ein Teil von „{{file}}“ ist beschädigt.",
  historyFaultOnOpening:
    "Die Gespräche konnten nicht geöffnet werden: Prüfen Sie, ob die Festplatte noch Platz hat und ob Longsight in seinen Ordner schreiben darf.",
  historyFault:
    "Die Gespräche konnten nicht gelesen oder geändert werden: Prüfen Sie, ob die Festplatte noch Platz hat und ob Longsight in seinen Ordner schreiben darf.",
  historyPutAside:
    "Die Datei mit Ihren Gesprächen und der Liste Ihrer Dokumente ist beschädigt und konnte nicht gelesen werden. Sie wurde als „{{file}}“ beiseitegelegt, und eine neue wurde begonnen. Die Dokumente selbst sind unberührt.",
  homesGiven_one:
    "Es gab Fragen eines Gesprächs, das nicht mehr in der Liste war. Es steht wieder darin, ohne seine Dokumente: {{titles}}.",
  homesGiven_other:
    "Es gab Fragen von {{count}} Gesprächen, die nicht mehr in der Liste waren. Sie stehen wieder darin, ohne ihre Dokumente: {{titles}}.",
  straysPlaced_one:
    "1 Frage wurde gefunden, der die vorige fehlt. Nichts ist verloren: Wechseln Sie zwischen den Fassungen der ersten Frage, um sie zu sehen, in {{titles}}.",
  straysPlaced_other:
    "{{count}} Fragen wurden gefunden, denen die vorige fehlt. Nichts ist verloren: Wechseln Sie zwischen den Fassungen der ersten Frage, um sie zu sehen, in {{titles}}.",
  titles: "{{titles, quoted}}",
  titlesAndMore: "{{titles, quoted}} und {{more}} weitere",
} as const satisfies Translation<typeof english>;
