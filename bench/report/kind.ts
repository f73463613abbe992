import { z } from "zod";
import { machineName, machineSchema } from "./machine.ts";
import type { Aim, Origin, Shown } from "./model.ts";

/** What the report knows besides raw files. */
export type Context = {
  /** SHA-256 of the lookahead modules that come with the app: aims are about them, not about trials. */
  readonly shipped: ReadonlySet<string>;
};

/** What a raw file says, but for its name. */
type Reading = { readonly origin: Omit<Origin, "file">; readonly shown: Shown };

/** One kind of raw file: what it looks like, and what is shown of it. Each is a file in kinds/, and stands in its list. */
export type Kind = {
  /** As benches are called. */
  readonly name: string;
  readonly title: string;
  /** A sentence or two: what was done. */
  readonly about: string;
  /** Everything that issues ask of it; a raw file's verdicts are about these very objects. */
  readonly aims: readonly Aim[];
  /** Whether a file's content claims to be of this kind. */
  readonly claims: (content: unknown) => boolean;
  /** @throws z.ZodError for content that is not what it claims to be */
  readonly read: (content: unknown, context: Context) => Reading;
};

const claimSchema = z.object({ bench: z.string() });
const headSchema = claimSchema.extend({
  date: z.iso.datetime(),
  commit: z.string(),
  machine: machineSchema,
  command: z.string().optional(),
});

/** The bench that a file's content names, or null. */
export function benchOf(content: unknown): string | null {
  return claimSchema.safeParse(content).data?.bench ?? null;
}

/**
 * A kind of the files that benches write (figures.mjs).
 * @param about.options what was typed, of files that are older than the note of it
 */
export function benchKind<Schema extends z.ZodType>(
  about: Pick<Kind, "name" | "title" | "about" | "aims"> & {
    readonly schema: Schema;
    readonly options?: (raw: z.infer<Schema>) => string;
    readonly show: (raw: z.infer<Schema>, context: Context) => Shown;
  },
): Kind {
  const { schema, options, show, ...rest } = about;
  return {
    ...rest,
    claims(content) {
      const bench = benchOf(content);
      return bench !== null && (bench === about.name || bench.startsWith(`${about.name}-`));
    },
    read(content, context) {
      const { bench, date, commit, machine, command } = headSchema.parse(content);
      const raw = schema.parse(content);
      const typed = command ?? `npm run bench -- ${about.name} ${options?.(raw) ?? ""}`.trimEnd();
      return { origin: { command: typed, date, commit, machine: machineName(machine), series: bench }, shown: show(raw, context) };
    },
  };
}
