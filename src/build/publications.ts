/** The ids that the builder's notes list. */
interface Publications {
  readonly publications: string[];
  readonly pending?: string[] | undefined;
}

/**
 * Moves the current snapshot from the pending ids to the publications. The notes are written before
 * `current.json`, so only the pointer tells whether a pending snapshot was published.
 */
export function settled<T extends Publications>(notes: T, current: string | null): T {
  const { publications, pending = [] } = notes;
  if (current === null || !pending.includes(current)) return notes;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== current);
  return { ...notes, publications: [...others(publications), current], pending: others(pending) };
}

/** The ids for the notes that are written before `id` becomes current. */
export function announced(
  { publications, pending = [] }: Publications,
  id: string,
  current: string | null,
): Required<Publications> {
  // If `id` is current already, its entry stays, so that building twice writes the same notes.
  const published = publications.filter((other) => other !== id || id !== current);
  return { publications: published, pending: [...pending.filter((other) => other !== id), id] };
}
