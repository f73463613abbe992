import type { exported as english } from "../en/exported.ts";
import type { Translation } from "../translation.ts";

export const exported = {
  exportedConversation: "Gespräch",
  exportedDocument: "Dokument",
  exportedQuestion: "Frage {{place}}",
  exportedAnswer: "Antwort {{place}}",
  exportedAnswerAlone: "Antwort",
  exportedNothing: "(es wurde nichts geschrieben)",
  exportedPages: "{{name}}, S. {{pages, commas}}",
  exportedPage: "{{name}}, Seite {{page}}",
  exportedSource: "Quelle: {{source}}",
  exportedFrom: "Aus Longsight exportiert, {{time}} UTC. Quellen sind Seiten, auf denen dieselben Wörter stehen wie in einer Antwort.",

  "answer-writing": "wird geschrieben",
  "answer-done": "fertig",
  "answer-stopped": "angehalten",
  "answer-interrupted": "unterbrochen",
  "answer-failed": "fehlgeschlagen",
  exportedFigures: "{{status}} · {{model}} · {{tokens, number}} Tokens im Prompt · {{kept}} · {{speed, number}} Tokens/s",
  exportedFull: "voller Cache {{megabytes, oneDigit}} MB",
  exportedKept:
    "{{tokens, number}} je Schicht und Kopf behalten nach {{policy}} ({{mode}}), Cache {{full, oneDigit}} MB → {{kept, oneDigit}} MB",

  exportedHeat: "Was für die letzte Frage wichtig war",
  exportedHeatOf:
    "Von {{tokens, number}} Tokens, gelesen mit {{model}}, würde {{policy}} in jeder Schicht und jedem Kopf {{kept, number}} behalten, gefragt ohne das Gespräch davor. {{shade}} Unterstrichen: behalten in einem Viertel aller Schichten und Köpfe (gepunktet), der Hälfte (dünn), drei Vierteln (dick). Schraffiert: behalten ungeachtet des Werts.",
  exportedShade: "Farbe: Rang nach Aufmerksamkeit unter den Tokens der Dokumente.",
  exportedNoShade: "Diese Regel vergibt keine Werte, daher ist nichts eingefärbt.",
  exportedHighest: "die höchsten {{percent}} %",
} as const satisfies Translation<typeof english>;
