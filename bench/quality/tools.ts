/** What the launcher (run.mjs) hands to a bench: what only scripts in their own place can do. */
export type Tools = {
  /** A hash of all code of the bench, and of the engine where both are one process. */
  readonly code: string;
  /** Where set-up puts models. */
  readonly modelsFolder: string;
  /** The lookahead modules that the app comes with. */
  readonly modulesFolder: string;
  /** The data sets of shared/data/SOURCES.md. */
  readonly dataFolder: string;
  /** What paths that people type are relative to. */
  readonly callerFolder: string;
  ensureEmbeddedModel(): Promise<unknown>;
  /** @returns path of a module that has learned nothing */
  ensureUntrainedModule(basePath: string): Promise<string>;
  /** Writes raw figures to docs/results. @returns the file */
  writeResults(name: string, results: object): Promise<string>;
  /** What {@link Tools.writeResults} writes. */
  describeResults(name: string, results: object): object;
  /**
   * A program of the bench as one file, for a process that is to hold nothing else.
   * @param entry its file below bench/, without its ending. @returns `code`: a hash of all that it runs
   */
  bundleProgram(entry: string): Promise<{ readonly file: string; readonly code: string; readonly remove: () => Promise<void> }>;
  /** This checkout's scripts, for what has to run in a process of its own. */
  readonly scripts: { readonly bench: string; readonly native: string };
};
