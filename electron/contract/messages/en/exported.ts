/** What stands in an exported conversation beside its own words. */
export const exported = {
  exportedConversation: "Conversation",
  exportedDocument: "Document",
  exportedQuestion: "Question {{place}}",
  exportedAnswer: "Answer {{place}}",
  exportedAnswerAlone: "Answer",
  exportedNothing: "(nothing was written)",
  exportedPages: "{{name}}, p. {{pages, commas}}",
  exportedPage: "{{name}}, page {{page}}",
  exportedSource: "Source: {{source}}",
  exportedFrom: "Exported from Longsight, {{time}} UTC. Sources are pages that share an answer’s words.",

  "answer-writing": "being written",
  "answer-done": "done",
  "answer-stopped": "stopped",
  "answer-interrupted": "interrupted",
  "answer-failed": "failed",
  exportedFigures: "{{status}} · {{model}} · {{tokens, number}} prompt tokens · {{kept}} · {{speed, number}} tokens/s",
  exportedFull: "full cache {{megabytes, oneDigit}} MB",
  exportedKept: "{{tokens, number}} kept per layer and head by {{policy}} ({{mode}}), cache {{full, oneDigit}} MB → {{kept, oneDigit}} MB",

  exportedHeat: "What mattered for the last question",
  exportedHeatOf:
    "Of {{tokens, number}} tokens read with {{model}}, {{policy}} would keep {{kept, number}} in each layer and head, asked without the turns before. {{shade}} Underlined: kept in a quarter of all layers and heads (dotted), half (thin), three quarters (thick). Hatched: kept whatever its score.",
  exportedShade: "Shade: rank by attention among the documents’ tokens.",
  exportedNoShade: "This policy has no scores, so nothing is shaded.",
  exportedHighest: "the highest {{percent}} %",
} as const;
