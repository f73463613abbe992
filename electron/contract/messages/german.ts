import { documents } from "./de/documents.ts";
import { general } from "./de/general.ts";
import type { english } from "./english.ts";
import type { Translation } from "./translation.ts";

/** Every message of the engine and of main in German, by name. */
export const german = { ...general, ...documents } as const satisfies Translation<typeof english>;
