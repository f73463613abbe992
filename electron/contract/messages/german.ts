import { conversations } from "./de/conversations.ts";
import { documents } from "./de/documents.ts";
import { exported } from "./de/exported.ts";
import { general } from "./de/general.ts";
import { main } from "./de/main.ts";
import { models } from "./de/models.ts";
import { snapshots } from "./de/snapshots.ts";
import type { english } from "./english.ts";
import type { Translation } from "./translation.ts";

/** Every message of the engine and of main in German, by name. */
export const german = {
  ...general,
  ...documents,
  ...models,
  ...conversations,
  ...snapshots,
  ...exported,
  ...main,
} as const satisfies Translation<typeof english>;
