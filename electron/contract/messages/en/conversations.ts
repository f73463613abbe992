/** What is said of questions and answers: of prompts that do not fit, of choosing what is kept, of conversations and their file. */
export const conversations = {
  "policy-full": "full",
  "policy-lookahead": "lookahead",
  "policy-snapkv": "snapkv",
  "policy-pyramidkv": "pyramidkv",
  "policy-laq": "laq",
  "policy-speckv": "speckv",
  "policy-h2o": "h2o",
  "policy-tova": "tova",
  "policy-nacl": "nacl",
  "policy-expected-attention": "expected-attention",
  "policy-streamingllm": "streamingllm",
  "policy-random": "random",
  "mode-question": "question",
  "mode-once": "once",
  "mode-streaming": "streaming",
  "share-score": "score",
  "share-even": "even",
  "share-length": "length",

  answerStopped: "The answer was stopped.",
  questionWithdrawn: "The question was withdrawn.",
  heatmapStopped: "The heatmap was stopped.",
  comparisonStopped: "The comparison was stopped.",
  answerUnderWay: "An answer is being written in this conversation. Stop it first, or wait for it.",
  nothingAsked: "Nothing was asked in this conversation yet, so there is nothing to choose from.",
  nothingToShade: "There is no question about a document in this conversation that words could matter for. Export it without the shades.",
  readAgain: "The prompt was read again: it was neither in memory nor on disk any more.",
  noRoomForQuestion: "The cache has no room for the question. Choose a longer context.",

  beyondCache:
    "Reading this at once takes a full cache of {{tokens, number}} tokens; the model was loaded with one of {{most, number}}. Choose fewer pages, a larger full cache, or a budget and reading in windows (the mode “streaming”), which never needs one. Nothing was cut.",
  unscorable:
    "The prompt has {{tokens, number}} tokens and scoring it takes {{rows, number}} more; the context holds {{most, number}}. Choose fewer pages, a longer context, or the policy snapkv. Nothing was cut.",
  unscorableOnce:
    "The prompt has {{tokens, number}} tokens and scoring it takes {{rows, number}} more; the context holds {{most, number}}. Choose fewer pages, a longer context, or the mode “question”, which chooses for each question. Nothing was cut.",
  tooLong:
    "The prompt has {{tokens, number}} tokens (documents {{documents}}, question {{question, number}}, conversation and instructions {{others, number}}); the context holds {{most, number}}. Choose fewer pages, a longer context, or another model. Nothing was cut.",
  tooLongDespiteBudget:
    "The prompt has {{tokens, number}} tokens (documents {{documents}}, question {{question, number}}, conversation and instructions {{others, number}}); the context holds {{most, number}}. Choose fewer pages, a longer context, or another model; a budget does not help: each token needs a position in the context, whatever is kept. Nothing was cut.",
  tokensInAll: "{{tokens, number}}",
  tokensByDocument: "{{tokens, number}}: {{each, commas}}",
  tokensOfDocument: "“{{file}}” {{tokens, number}}",

  nothingToCompare:
    "A budget of {{budget}} keeps the whole prompt of {{tokens}} tokens: there is nothing to compare. Choose a smaller one.",
  fullKeepsAll: "The policy “full” keeps everything, a budget of {{budget}} does not. Choose a policy, or no budget.",
  policyNeedsBudget: "The policy “{{policy}}” needs a budget: how many tokens it keeps per layer and head.",
  modeNeedsBudget: "The mode “{{mode}}” keeps a part of what it reads: it needs a budget, how many tokens per layer and head.",
  shareNotInMode:
    "The share “{{share}}” divides a budget once, over the whole prompt; the mode “{{mode}}” chooses again whenever its cache is full. Choose the share “score”, or the mode “question”.",
  policyNotInMode:
    "The policy “{{policy}}” scores a whole prompt, which the mode “{{mode}}” never has at once. Choose another policy, such as lookahead or snapkv, or the mode “question”.",
  policyNeedsDraft:
    "The policy “{{policy}}” needs a draft model: a smaller GGUF that drafts the answer (--draft-model). Name one, or choose the policy laq, which drafts with the model itself.",
  policyNeedsNoDraft: "The policy “{{policy}}” uses no draft model. Leave it out, or choose the policy speckv.",
  draftIsTarget:
    "“{{model}}” answers the question itself, so it cannot be the draft model too. Name a smaller one, or choose the policy laq.",
  draftNotSmaller:
    "The draft model “{{model}}” is no smaller than “{{target}}”, which answers: a draft would cost more than the answer. Name a smaller one.",
  draftTooLarge: "The draft model “{{model}}” was not loaded. {{fit}} Name a smaller one, or choose another policy.",
  budgetTooSmall:
    "A budget of {{budget}} tokens is too small for this prompt: {{least}} tokens are always kept ({{which, list}}). Choose a budget of at least {{least}}.",
  budgetTooSmallForPins:
    "A budget of {{budget}} tokens is too small for this prompt: {{least}} tokens are always kept ({{which, list}}). Choose a budget of at least {{least}}, or unpin a passage.",
  keptFirst: "the first {{tokens}}",
  keptLast: "the last {{tokens}} of the prompt",
  keptPinned: "{{tokens}} in pinned passages",
  noSuchHead:
    "This model has {{layers}} layers of {{heads}} heads that are scored, counted from 0; there is no head {{head}} of layer {{layer}}.",

  layoutUnknown: "What a cache of this model keeps is not known yet: nothing was evicted since it was loaded. Ask again with this budget.",
  scoresOfOtherMode:
    "There are no scores by {{policy}} of this prompt in memory: the mode “{{mode}}” scores by parts. Ask again in the mode “question”.",
  scoresOfDraft:
    "There are no scores by {{policy}} of this prompt in memory: it drafts an answer anew for each budget. Ask again with this budget.",
  scoresGone:
    "There are no scores by {{policy}} of this prompt in memory: the prompt was changed, or others were scored since. Ask again with this budget.",

  pinOfNoDocument: "A passage on page {{page}} is pinned of a document that is not part of this. Add it, or unpin the passage.",
  pinBeyondDocument_one:
    "The pinned passage {{start}}-{{end}} on page {{page}} of “{{file}}” cannot be kept: it has {{count, number}} page. Choose the page, or unpin the passage.",
  pinBeyondDocument_other:
    "The pinned passage {{start}}-{{end}} on page {{page}} of “{{file}}” cannot be kept: it has {{count, number}} pages. Choose the page, or unpin the passage.",
  pinOnOtherPage:
    "The pinned passage {{start}}-{{end}} on page {{page}} of “{{file}}” cannot be kept: that page is not chosen. Choose the page, or unpin the passage.",
  pinBeyondPage_one:
    "The pinned passage {{start}}-{{end}} on page {{page}} of “{{file}}” goes beyond the page's text, which has {{count, number}} character. Pin it anew.",
  pinBeyondPage_other:
    "The pinned passage {{start}}-{{end}} on page {{page}} of “{{file}}” goes beyond the page's text, which has {{count, number}} characters. Pin it anew.",

  conversationDeleted: "This conversation was deleted.",
  questionGone: "The question to change is not in this conversation any more.",
  historyOfNewerVersion:
    "These conversations were written by a newer version of Longsight. Install that version to open them; nothing was changed.",
  historyBusyOnOpening:
    "The conversations could not be opened: another program is using “{{file}}”. Close it, or wait until it is done, and try again.",
  historyBusy:
    "The conversations could not be read or changed: another program is using “{{file}}”. Close it, or wait until it is done, and try again.",
  historyDamagedOnOpening: "The conversations could not be opened: a part of “{{file}}” is damaged.",
  historyDamaged: "The conversations could not be read or changed: a part of “{{file}}” is damaged.",
  historyFaultOnOpening: "The conversations could not be opened: check that the disk has room and that Longsight may write to its folder.",
  historyFault: "The conversations could not be read or changed: check that the disk has room and that Longsight may write to its folder.",
  historyPutAside:
    "The file with your conversations and your list of documents is damaged and could not be read. It was put aside as “{{file}}”, and a new one was begun. The documents themselves are untouched.",
  homesGiven_one:
    "There were questions of a conversation that is not in the list any more. They are in it again, without their documents: {{titles}}.",
  homesGiven_other:
    "There were questions of {{count}} conversations that are not in the list any more. They are in it again, without their documents: {{titles}}.",
  straysPlaced_one:
    "1 question was found without the one before. Nothing is lost: switch between the versions of the first question to see them, in {{titles}}.",
  straysPlaced_other:
    "{{count}} questions were found without the one before. Nothing is lost: switch between the versions of the first question to see them, in {{titles}}.",
  titles: "{{titles, quoted}}",
  titlesAndMore: "{{titles, quoted}} and {{more}} more",
} as const;
