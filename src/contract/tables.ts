/* Tables with one entry for each name. `Object.keys` and `Object.fromEntries` lose the types of names; these do not. */

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

/** The item at an index. @throws RangeError if the list has none there, which is a bug */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`there is no item ${index} of ${list.length}`);
  return item;
}

/**
 * Runs an action for each item, several at a time. After a failure no further item starts; once the running ones
 * have ended, the first failure is thrown.
 * @returns the results, in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  action: (item: T) => Promise<R>,
): Promise<R[]> {
  const queue = items.entries();
  const results: R[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await action(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Adds an item to the list that a map has for a key. */
export function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A member of a record whose names come from outside. Members that every object inherits do not count. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
