/** What is said of models: of their files, of loading and downloading them, and of the lookahead modules that go with them. */
export const models = {
  noSuchModelNone: "There is no model “{{model}}”. No model is installed: run `npm start` once, or give the path of a GGUF file.",
  noSuchModel: "There is no model “{{model}}”. Installed: {{models, commas}}. Or give the path of a GGUF file.",
  noModelLoaded: "No model is loaded. Choose a model first.",
  modelFileMissing: "The model file “{{file}}” was not found.",
  modelFileGone: "“{{file}}” is not in its place any more ({{folder}}). Put it back or connect its drive, or take it off the list.",
  modelNoFile: "“{{file}}” is not a file, so it cannot be a model.",
  modelFileEmpty: "The model file “{{file}}” is empty. Download it again.",
  modelUnnamed: "“{{file}}” does not say which model it is.",
  modelIsPart: "“{{file}}” holds a part of a model ({{kind}}), not a model that can answer.",
  modelKindUnread:
    "“{{file}}” is of the kind “{{kind}}”, which Longsight cannot read: it takes text models that answer. Choose another model.",
  modelCutOff: "“{{file}}” ends too early: the file is incomplete. Download it again.",
  modelIsSplit:
    "“{{file}}” is one of {{parts}} parts of a model. Longsight takes models in one file: download one that is not split, or join the parts with llama.cpp's llama-gguf-split --merge.",
  noGguf: "“{{file}}” is not a GGUF file, whatever its name says. Choose a model's GGUF file, or download it again.",
  noGgufHolds:
    "“{{file}}” is not a GGUF file, whatever its name says. It holds {{content}}. Choose a model's GGUF file, or download it again.",
  holdsWebPage: "a web page",
  holdsPointer: "a pointer to a file of Git LFS, not the file",
  holdsZip: "an archive (ZIP)",
  holdsSafetensors: "weights as safetensors",
  holdsOldModel: "a model in a format from before GGUF",
  ggufOtherVersion:
    "“{{file}}” is a GGUF file of a version that Longsight cannot read (it reads 2 and 3). Look for a newer file of this model.",
  ggufIncomplete: "“{{file}}” is not a complete GGUF model file. Download it again.",
  kindUnknownToEngine:
    "“{{model}}” is of the kind “{{kind}}”, which this version of llama.cpp does not know. Choose another model, or wait for a newer Longsight.",
  modelRecurrent:
    "“{{model}}” ({{kind}}) keeps a recurrent state instead of keys and values, so nothing of it could be evicted. Choose a transformer model.",
  modelNotRemovable: "“{{file}}” cannot be taken off the list: only models that were added or downloaded can.",
  modelNotDeleted: "“{{path}}” could not be deleted. Is another program using it?",
  modelInUse: "“{{model}}” is loaded. Load another model first, then take it off the list.",

  loadingStopped: "Loading the model was stopped.",
  modelNotLoaded: "The model “{{model}}” could not be loaded: its file is damaged or made for another version.",
  nativePartMissing:
    "The engine's native part is missing or was built for another version. Run `npm run native:build` in Longsight's folder and start again.",
  fits: "Fits: needs about {{needed, oneDigit}} GB of {{free, oneDigit}} GB free memory with a context of {{tokens, number}} tokens.",
  fitsTightly:
    "Tight: needs about {{needed, oneDigit}} GB of {{free, oneDigit}} GB free memory with a context of {{tokens, number}} tokens; other programs may slow down.",
  doesNotFit:
    "Does not fit: needs about {{needed, oneDigit}} GB of {{free, oneDigit}} GB free memory with a context of {{tokens, number}} tokens.",
  modelTooLarge: "“{{model}}” was not loaded. {{fit}} Choose the cache type q8_0 or q4_0, or a smaller model.",
  contextTooLarge:
    "“{{model}}” was not loaded. {{fit}} Choose a context of at most {{tokens, number}} tokens, the cache type q8_0 or q4_0, or a smaller model.",
  noChatTemplate: "This model has no chat template: it was made to continue texts, so its answers may wander.",
  longerThanTrained:
    "The context is longer than the {{tokens, number}} tokens this model was trained for: expect worse answers beyond that.",
  modelComputesNonsense:
    "The model “{{model}}” computes nothing that can be read: its file seems to be damaged. Download it again, or choose another model.",
  templateUnusable: "This model's chat template does not work with this conversation. Start a new conversation, or choose another model.",

  cacheTypeMissing: "This build has no cache type {{type}}.",
  cacheNotAllocated: "A cache of {{tokens, number}} tokens could not be allocated. Choose a shorter context or the cache type q8_0.",
  cacheFull: "The cache is full although there should be room. Ask again to read the document anew.",
  modelFailed: "The model failed to compute.",
  cacheNotWhole: "The cache is not whole. Ask again to read the document anew.",
  notScored: "The document was not scored. Ask again.",
  notKept: "What the answer needs could not be kept. Ask again, or with the full cache.",
  notCopied: "What was read of the document could not be copied from the cache. It will be read again when it is needed.",
  storedCacheUnfit: "A stored cache does not fit into this one. The document will be read again.",
  nothingEvictable:
    "Nothing can be evicted for this model: it does not keep keys and values of every position. Ask with the full cache, or choose another model.",
  noMemoryToScore: "There is not enough memory to score the document. Choose another policy, such as snapkv.",
  rotationUnknown:
    "The policy “expected-attention” does not know how this model rotates its queries. Choose another policy, such as lookahead or snapkv.",

  moduleUnusable: "“{{file}}” cannot be used as a lookahead module: {{why}}. Get or make it again; until then answers do without it.",
  moduleIsNone: "it is not one",
  moduleMissing: "it was not found",
  moduleNoFile: "it is not a file",
  moduleDamaged: "it is damaged or incomplete",
  moduleDamagedOrOther: "it is damaged, incomplete or made by another version",
  moduleNotLoaded:
    "The lookahead module “{{file}}” could not be loaded for “{{model}}”. Get or make it again; until then answers do without it.",
  moduleOfOtherModel:
    "The lookahead module “{{file}}” was made for “{{base}}”; the loaded model is “{{model}}”. They differ in {{what}}. Use a module that was made for this model; until then answers do without it.",
  differsInKind: "the kind of model",
  differsInLayers: "the number of layers",
  differsInWidth: "the width of the embeddings",
  differsInHeads: "the number of attention heads",
  differsInKvHeads: "the number of key-value heads",
  differsInTokenizer: "the tokenizer",
  differsInSize: "the size of {{matrix}}",

  notInCatalogue: "There is no model “{{model}}” in the catalogue.",
  noDownloads: "Nothing is downloaded in this run.",
  downloadRunning: "“{{model}}” is being downloaded already. Pause it first.",
  downloadPaused: "The download of “{{model}}” was paused. What has arrived is kept.",
  downloadDeclined: "“{{model}}” was not downloaded.",
  downloadNoRoom:
    "The disk has no room for “{{model}}”: {{needed, number}} MB are needed, {{free, number}} MB are free in {{folder}}. Make room and try again.",
  downloadDiskFull: "“{{model}}” was not downloaded: the disk is full. Make room and try again; what has arrived is kept.",
  downloadNotWritten:
    "“{{model}}” was not downloaded: it could not be written. Check that you may write there and try again; what has arrived is kept.",
  downloadUnreachable: "“{{model}}” was not downloaded: the connection to {{host}} failed. Check the network and press Download again.",
  downloadBroken:
    "“{{model}}” was not downloaded: the connection to {{host}} failed. The {{megabytes, number}} MB that have arrived are kept. Check the network and press Download again.",
  downloadFailed: "“{{model}}” was not downloaded: {{why}}. Choose another model, or look for a newer Longsight.",
  downloadOtherFile:
    "“{{model}}” was not downloaded: what arrived is not the file that was tested, so it was deleted. Try again; if that does not help, the server has another file.",
  leadsElsewhere: "its address leads to “{{host}}”, which is not in the catalogue, so nothing was loaded from there",
  leadsWithoutEnd: "its address leads from one to the next without end",
  leadsNowhere: "its address leads to one that is none",
  serverHasOther: "the server has another file ({{found}} bytes instead of {{expected}})",
  serverSentMore: "the server sent more than the {{expected}} bytes of the file",
  serverHasNone: "the file is not there any more",
  serverRefused: "the server refused it ({{status}})",
} as const;
