import type { Ranking } from "../../src/engine/ranking.js";
import { type FoldedText, gatherText } from "../../src/engine/text.js";
import { FIELD_END, type ListingColumns } from "../../src/store/columns/listings.js";

/** A listing's folded fields; an absent one is "". */
export interface FoldedFields {
  readonly host: string;
  readonly name: string;
  readonly tagline: string;
}

/** The texts of listings, numbered as they come, dealt out to as many segments in turn. */
export function rankingOf(listings: readonly FoldedFields[], segments = 3): Ranking {
  const dealt = Array.from({ length: segments }, (_, segment) =>
    listings.filter((_, number) => number % segments === segment),
  );
  return {
    size: listings.length,
    segments: dealt.map(textColumns),
    segmentOf: Uint32Array.from(listings, (_, number) => number % segments),
    rowOf: Uint32Array.from(listings, (_, number) => Math.floor(number / segments)),
    // The other way round, so that a place does not pass for a number.
    orders: { host: { numbers: Uint32Array.from(listings.keys()).reverse() } },
  } as unknown as Ranking;
}

/** The text of listings, numbered as they come. */
export const joinText = (listings: readonly FoldedFields[]): FoldedText =>
  gatherText(rankingOf(listings, 1));

/** Only what of columns the text makes. */
function textColumns(listings: readonly FoldedFields[]): Partial<ListingColumns> {
  const texts = listings.flatMap(({ host, name, tagline }) => [host, name, tagline]);
  const joined = texts.map((text) => text + String.fromCharCode(FIELD_END)).join("");
  const units = Uint16Array.from({ length: joined.length }, (_, at) => joined.charCodeAt(at));
  let end = 0;
  const fields = Uint32Array.from([0, ...texts.map(({ length }) => (end += length + 1))]);
  return { size: listings.length, units, fields };
}
