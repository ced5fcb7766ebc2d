import type { Standards } from "../../contract/standards.js";
import { titleOf, visible } from "../kit/words.js";

/** A scan's band, and the version of the scoring that it is one of. */
export interface Banded {
  readonly band: string | null;
  readonly scoreVersion: string | null;
}

/** The band's label where the score is of the current rubric, else its id as words; null without a band. */
export function bandLabel(
  { band, scoreVersion }: Banded,
  { rubric }: { readonly rubric: Pick<Standards["rubric"], "version" | "bands"> },
): string | null {
  if (band === null) return null;
  const known =
    scoreVersion === rubric.version ? rubric.bands.find((one) => one.band === band) : undefined;
  return visible(known?.label ?? null) ?? titleOf(band);
}

/** The quarter of the scale that a score lies in, 0 to 3: what colours go by. */
export function levelOf(score: number): number {
  return Math.min(3, Math.floor(score / 25));
}
