import type { Kind } from "../kind.ts";
import { answers } from "./answers.ts";
import { appBusy } from "./appBusy.ts";
import { appOpen } from "./appOpen.ts";
import { appText } from "./appText.ts";
import { documents } from "./documents.ts";
import { evaluation } from "./evaluation.ts";
import { eviction } from "./eviction.ts";
import { freed } from "./freed.ts";
import { load } from "./load.ts";
import { longAnswer } from "./longAnswer.ts";
import { memory } from "./memory.ts";
import { needles } from "./needles.ts";
import { policies } from "./policies.ts";
import { quality } from "./quality.ts";
import { reopen } from "./reopen.ts";
import { reselect } from "./reselect.ts";
import { selection } from "./selection.ts";
import { speed } from "./speed.ts";
import { start } from "./start.ts";
import { streaming } from "./streaming.ts";
import { window } from "./window.ts";

/** Every kind that the report knows, in its order: what answers are worth, what it costs, what it is to work with. A new bench adds a file and a line. */
export const kinds: readonly Kind[] = [
  quality,
  needles,
  answers,
  evaluation,
  streaming,
  policies,
  speed,
  eviction,
  selection,
  memory,
  freed,
  longAnswer,
  reopen,
  reselect,
  start,
  load,
  appOpen,
  appText,
  window,
  appBusy,
  documents,
];
