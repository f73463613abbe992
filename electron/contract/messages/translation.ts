import type { Places, Texts } from "./fill.ts";

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void ? All : never;
type With<Place> = Place extends string ? `${string}{{${Place}}}${string}` : never;
/** A text in which each of these places stands. */
type Naming<Place> = [Place] extends [never] ? string : Intersection<With<Place>>;

/** What a table in another language has to hold: the same names, and in each text the same places. */
export type Translation<Table extends Texts> = { readonly [Name in keyof Table]: Naming<Places<Table[Name]>> };
