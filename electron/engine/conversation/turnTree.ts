/**
 * Where a turn stands in its conversation. `parent` is the turn before it, null for a first one. Turns with the same parent are versions of
 * each other; of these the one with the greatest `shown` is in view.
 */
export type TurnPlace = { readonly id: string; readonly parent: string | null; readonly shown: number };

/** Ids of the turns in view, from the first: at each place the version that was shown last. */
export function turnsInView(places: readonly TurnPlace[]): string[] {
  const shownBy = new Map<string | null, TurnPlace>();
  for (const place of places) {
    const other = shownBy.get(place.parent);
    if (other === undefined || place.shown > other.shown) shownBy.set(place.parent, place);
  }
  const path: string[] = [];
  for (let place = shownBy.get(null); place !== undefined; place = shownBy.get(place.id)) path.push(place.id);
  return path;
}

/** Ids from the first turn to this one, itself included; null for one that is not there. */
export function pathTo(places: readonly TurnPlace[], id: string): string[] | null {
  const byId = new Map(places.map((place) => [place.id, place]));
  const path: string[] = [];
  for (let place = byId.get(id); place !== undefined; place = byId.get(place.parent ?? "")) {
    // A row that was changed by hand may be its own ancestor.
    if (path.includes(place.id)) break;
    path.push(place.id);
  }
  return path.length === 0 ? null : path.reverse();
}

/**
 * Rows that were damaged or changed by hand may lead to no first turn: the one before is not there, or they go round in a circle. Of each such
 * piece, the id of the turn that can begin it, which of a circle is the oldest.
 * @param places oldest first
 */
export function strayHeads(places: readonly TurnPlace[]): string[] {
  const byId = new Map(places.map((place) => [place.id, place]));
  const ages = new Map(places.map((place, age) => [place, age]));
  const settled = new Set<TurnPlace>();
  const heads: TurnPlace[] = [];
  for (const place of places) {
    const way: TurnPlace[] = [];
    let next: TurnPlace | undefined = place;
    while (next !== undefined && !settled.has(next)) {
      const { parent }: TurnPlace = next;
      settled.add(next);
      way.push(next);
      if (parent === null) break;
      const before = byId.get(parent);
      if (before === undefined) heads.push(next);
      else if (way.includes(before)) heads.push(...oldestOf(way.slice(way.indexOf(before)), ages));
      next = before;
    }
  }
  return heads.map(({ id }) => id);
}

function oldestOf(circle: readonly TurnPlace[], ages: ReadonlyMap<TurnPlace, number>): TurnPlace[] {
  return [...circle].sort((one, other) => (ages.get(one) ?? 0) - (ages.get(other) ?? 0)).slice(0, 1);
}

/**
 * For each of these turns that has other versions: the ids of all of them, itself included, in the order of `places`.
 * @param places oldest first
 */
export function versionsOf(places: readonly TurnPlace[], ids: readonly string[]): Record<string, string[]> {
  const parents = new Map(places.map((place) => [place.id, place.parent]));
  const entries = ids.flatMap((id): [string, string[]][] => {
    const parent = parents.get(id);
    const versions = places.filter((place) => place.parent === parent).map((place) => place.id);
    return versions.length > 1 ? [[id, versions]] : [];
  });
  return Object.fromEntries(entries);
}
