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

/** The colours of bands, from the lowest to the highest; `none` is the colour of a score that the current rubric did not give. */
export type Level = 0 | 1 | 2 | 3 | "none";

const LEVELS = [0, 1, 2, 3] as const;

/** The colour of a band, from its rank among a rubric's bands: the lowest has the first colour, the highest the last. */
export function bandLevel(band: string, { bands }: Pick<Standards["rubric"], "bands">): Level {
  const ranked = bands.toSorted((one, other) => one.min - other.min);
  const rank = ranked.findIndex((one) => one.band === band);
  if (rank < 0) return "none";
  const share = ranked.length === 1 ? 1 : rank / (ranked.length - 1);
  return LEVELS[Math.round(share * (LEVELS.length - 1))] ?? "none";
}

/** The colour of a score, which is its band's; `none` unless the current rubric gave the band. */
export function levelOf(
  { band, scoreVersion }: Banded,
  { rubric }: { readonly rubric: Pick<Standards["rubric"], "version" | "bands"> },
): Level {
  return band === null || scoreVersion !== rubric.version ? "none" : bandLevel(band, rubric);
}
