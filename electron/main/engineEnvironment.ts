// What the engine process gets to know of our environment: an allow-list, so that neither secrets nor switches of Node and
// Electron (NODE_OPTIONS, ELECTRON_RUN_AS_NODE, LD_PRELOAD …) travel on.

const allowedNames: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  // Windows
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
  "PROCESSOR_IDENTIFIER",
  // where the drivers of graphics cards are found
  "LD_LIBRARY_PATH",
]);

/** Longsight's own, the locale, the user's folders, and what steers compute libraries. */
const allowedPrefixes = ["LONGSIGHT_", "LC_", "XDG_", "OMP_", "GOMP_", "KMP_", "GGML_", "CUDA_", "NVIDIA_", "VK_", "MESA_"];

/** The part of an environment that the engine process gets. */
export function engineEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    const allowed = allowedNames.has(upper) || allowedPrefixes.some((prefix) => upper.startsWith(prefix));
    if (allowed && value !== undefined) kept[name] = value;
  }
  return kept;
}
