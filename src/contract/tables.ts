/* Tables with one entry for each name. `Object.keys` and `Object.fromEntries` lose the names' types; these keep them. */

/** Returns the names of a table's entries, in order. The table must have no other keys. */
export function namesOf<N extends string>(table: Readonly<Record<N, unknown>>): N[] {
  return Object.keys(table) as N[];
}

/** Makes a table with one entry for each name, in order. */
export function tableOf<N extends string, T>(
  names: readonly N[],
  make: (name: N) => T,
): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>;
}

/** The item at an index. @throws RangeError if the list has none there, which is a mistake of the program */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`there is no item ${index} of ${list.length}`);
  return item;
}
