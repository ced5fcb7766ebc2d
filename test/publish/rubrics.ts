import type { PublishedFiles } from "../fixtures.js";
import { answersIn } from "../store/answers.js";

/** The directory with another rubric: one band for all scores. No site is scanned anew. */
export function withRubric(files: PublishedFiles, version: string, band: string): PublishedFiles {
  const bands = [{ band, label: band, min: 0, max: 100 }];
  const standards = { ...files.standards, rubric: { ...files.standards.rubric, version, bands } };
  return { ...files, standards };
}

/** The bands of the listings of a snapshot, each once. */
export async function bandsIn(store: string, id: string): Promise<(string | null | undefined)[]> {
  const bands = Object.values(await answersIn(store, id)).map(
    ({ search }) => search?.summary.latestBand,
  );
  return [...new Set(bands)].sort();
}
