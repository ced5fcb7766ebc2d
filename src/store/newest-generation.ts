/**
 * How many generations beyond a known one a reader looks for. An honest store never gets more between two looks, and an
 * origin that answers for every number would keep a reader busy for ever.
 */
export const CLIMB_MAX = 65_536;

/** A generation of a store, and the snapshot that it names. */
interface Generation {
  readonly generation: number;
  readonly id: string;
}

/**
 * Finds the newest generation after one that exists. Each step is twice as long as the last one, and then the gap is
 * halved: 33 requests at most.
 * @param idAt reads the id that a generation names; null if the generation does not exist
 * @returns null if there is no end within `CLIMB_MAX` generations
 */
export async function newestAfter<T extends Generation>(
  from: T,
  idAt: (generation: number) => Promise<string | null>,
): Promise<T | null> {
  let newest = from;
  let missing = Number.POSITIVE_INFINITY;
  for (let step = 1; missing - newest.generation > 1; step *= 2) {
    const isEndKnown = missing < Number.POSITIVE_INFINITY;
    const generation = isEndKnown
      ? Math.floor((newest.generation + missing) / 2)
      : from.generation + step;
    const id = await idAt(generation);
    if (id === null) missing = generation;
    else if (step === CLIMB_MAX && !isEndKnown) return null;
    else newest = { ...newest, generation, id };
  }
  return newest;
}
