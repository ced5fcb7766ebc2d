/** The ids that the builder's notes list. */
interface Publications {
  readonly publications: string[];
  readonly pending?: string[] | undefined;
}

/**
 * Counts the current snapshot among the publications if it was pending: the notes are written before
 * `current.json`, so only the pointer tells whether their snapshot was published.
 */
export function settled<T extends Publications>(notes: T, current: string | null): T {
  const { publications, pending = [] } = notes;
  if (current === null || !pending.includes(current)) return notes;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== current);
  return { ...notes, publications: [...others(publications), current], pending: others(pending) };
}

/** The ids for the notes that are written before `id` is made current. */
export function announced(
  { publications, pending = [] }: Publications,
  id: string,
  current: string | null,
): Required<Publications> {
  // What is current already stays as it was noted: the same build twice writes the same notes.
  const published = publications.filter((other) => other !== id || id !== current);
  return { publications: published, pending: [...pending.filter((other) => other !== id), id] };
}
