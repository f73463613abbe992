import { basename, resolve } from "node:path";
import type { DocumentSummary } from "../contract/document.ts";
import { LongsightError } from "../contract/errors.ts";
import type { Pin } from "../contract/pin.ts";
import type { CallOptions } from "../engine/callOptions.ts";
import type { Engine } from "../engine/engine.ts";
import type { NamedPin, ReadingOptions } from "./arguments.ts";
import type { Prepared } from "./prepare.ts";

/**
 * The passages that --pin and --pin-text name.
 * @param find tells where words stand on the chosen pages
 * @throws LongsightError `usage` for a file that is none of the documents, and for words that stand nowhere, or in several places
 */
export async function pinsOf(
  options: Pick<ReadingOptions, "pin" | "pin-text">,
  documents: readonly DocumentSummary[],
  find: (text: string) => Promise<readonly Pin[]>,
): Promise<Pin[]> {
  const pins = options.pin.map((named) => resolvePin(named, documents));
  for (const quotation of options["pin-text"]) {
    pins.push(onlyPlace(quotation, await find(quotation), documents));
  }
  return pins;
}

/** A new conversation about these documents, with the passages pinned that the options name. @throws as {@link pinsOf} */
export async function startPinned(
  engine: Engine,
  options: Pick<ReadingOptions, "pin" | "pin-text">,
  { documents, choices }: Pick<Prepared, "documents" | "choices">,
  call: CallOptions,
): Promise<string> {
  const pins = await pinsOf(options, documents, (text) => engine.call("findPassages", { documents: choices, text }, call));
  const { id } = await engine.call("createConversation", { documents: choices }, call);
  if (pins.length > 0) await engine.call("setPins", { conversationId: id, pins }, call);
  return id;
}

/** @throws LongsightError `usage` for a file that is none of the documents, or more than one */
function resolvePin({ file, ...place }: NamedPin, documents: readonly DocumentSummary[]): Pin {
  const exact = documents.filter((document) => document.path === resolve(file));
  const [document, ...more] = exact.length > 0 ? exact : documents.filter((known) => known.name === basename(file));
  const named = `--pin names “${file}”, which is`;
  if (document === undefined) throw new LongsightError("usage", `${named} none of the files that are asked about.`);
  if (more.some(({ id }) => id !== document.id))
    throw new LongsightError("usage", `${named} the name of several files. Write its whole path.`);
  return { documentId: document.id, ...place };
}

function onlyPlace(quotation: string, found: readonly Pin[], documents: readonly DocumentSummary[]): Pin {
  const words = quotation.length > 60 ? `${Array.from(quotation).slice(0, 60).join("")}…` : quotation;
  const [pin, ...more] = found;
  if (pin === undefined) {
    throw new LongsightError(
      "usage",
      `--pin-text: “${words}” stands on none of the chosen pages. Quote it as the page has it (inspect FILE --text shows that).`,
    );
  }
  if (more.length === 0) return pin;
  const nameOf = (id: string) => documents.find((document) => document.id === id)?.name ?? id;
  const places = found.slice(0, 5).map(({ documentId, page, start, end }) => `${nameOf(documentId)}:${page}:${start}-${end}`);
  const others = found.length > places.length ? ", …" : "";
  throw new LongsightError(
    "usage",
    `--pin-text: “${words}” stands in several places (${places.join(", ")}${others}). Quote more of it, or name the place with --pin.`,
  );
}
