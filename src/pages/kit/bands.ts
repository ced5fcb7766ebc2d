import type { Standards } from "../../contract/standards.js";
import { titleOf, visible } from "./words.js";

/** A scan's band and the scoring version that defines it. */
export interface Banded {
  readonly band: string | null;
  readonly scoreVersion: string | null;
}

/** The band's label if the score uses the current rubric, otherwise its id as words; null without a band. */
export function bandLabel(
  { band, scoreVersion }: Banded,
  { rubric }: { readonly rubric: Pick<Standards["rubric"], "version" | "bands"> },
): string | null {
  if (band === null) return null;
  const known =
    scoreVersion === rubric.version ? rubric.bands.find((one) => one.band === band) : undefined;
  return visible(known?.label ?? null) ?? titleOf(band);
}

/** The quarter of the scale that a score is in, 0 to 3. It selects the colour. */
export function levelOf(score: number): number {
  return Math.min(3, Math.floor(score / 25));
}
