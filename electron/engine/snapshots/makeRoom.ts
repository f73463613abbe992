import type { Entry } from "./catalogue.ts";

/**
 * Which files have to go so that `incoming` more bytes are within the budget: the least recently used first, and of a chain its last chunk
 * first, so that what stays can still be reached. Chunks whose chain is broken go before all others.
 * @param protectedKeys chunks that must stay: the chain that is being written
 * @returns names in the order of removal; null where not even all the others would be enough
 */
export function chooseEvictions(
  entries: Iterable<Entry>,
  budgetBytes: number,
  incoming: number,
  protectedKeys: ReadonlySet<string> = new Set(),
): string[] | null {
  const present = new Map([...entries].map((entry) => [entry.name, entry]));
  const chunks = new Map([...present.values()].flatMap((entry) => (entry.kind === "chunk" ? [[entry.key, entry] as const] : [])));
  const children = new Map<string, number>();
  let bytes = incoming;
  for (const entry of present.values()) {
    bytes += entry.bytes;
    children.set(entry.parent, (children.get(entry.parent) ?? 0) + 1);
  }
  const broken = findBroken(present.values(), chunks);
  const isLeaf = (entry: Entry) => entry.kind !== "chunk" || (children.get(entry.key) ?? 0) === 0;
  const isProtected = (entry: Entry) => entry.kind === "chunk" && protectedKeys.has(entry.key);
  const before = (one: Entry, other: Entry) =>
    Number(broken.has(other.name)) - Number(broken.has(one.name)) || one.usedAt - other.usedAt || one.name.localeCompare(other.name);

  const chosen: string[] = [];
  const leaves = [...present.values()].filter((entry) => isLeaf(entry) && !isProtected(entry)).sort(before);
  while (bytes > budgetBytes) {
    const leaf = leaves.shift();
    if (leaf === undefined) return null;
    chosen.push(leaf.name);
    bytes -= leaf.bytes;
    children.set(leaf.parent, (children.get(leaf.parent) ?? 0) - 1);
    const parent = chunks.get(leaf.parent);
    if (parent === undefined || parent === leaf || !isLeaf(parent) || isProtected(parent)) continue;
    const place = leaves.findIndex((other) => before(parent, other) < 0);
    leaves.splice(place < 0 ? leaves.length : place, 0, parent);
  }
  return chosen;
}

/** Names of what builds on a chunk that is not there. */
function findBroken(entries: Iterable<Entry>, chunks: ReadonlyMap<string, Entry>): ReadonlySet<string> {
  const known = new Map<string, boolean>();
  const isWhole = (entry: Entry): boolean => {
    const path: string[] = [];
    let at: Entry | undefined = entry;
    let whole = false;
    while (at !== undefined && !path.includes(at.name)) {
      const earlier = known.get(at.name);
      if (earlier !== undefined || at.parent === at.root) {
        whole = earlier ?? true;
        break;
      }
      path.push(at.name);
      at = chunks.get(at.parent);
    }
    for (const name of path) known.set(name, whole);
    return whole;
  };
  const broken = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== "kept" && entry.kind !== "foreign" && !isWhole(entry)) broken.add(entry.name);
  }
  return broken;
}
