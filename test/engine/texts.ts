import type { FoldedText } from "../../src/engine/text/text.js";
import { FIELD_END } from "../../src/store/columns/listings.js";
import type { FoldedFields } from "./rankings.js";

/** The text of listings, numbered as they come, without the columns that an index gathers it from. */
export function joinText(listings: readonly FoldedFields[]): FoldedText {
  const fields = listings.flatMap(({ host, name, tagline }) => [host, name, tagline]);
  const units = new Uint16Array(fields.reduce((sum, { length }) => sum + length + 1, 0));
  const starts = [0];
  let end = 0;
  for (const field of fields) {
    for (let at = 0; at < field.length; at += 1) units[end + at] = field.charCodeAt(at);
    units[end + field.length] = FIELD_END;
    end += field.length + 1;
    starts.push(end);
  }
  const each = (place: number, from: readonly number[]) =>
    Uint32Array.from(from.filter((_, at) => at % 3 === place));
  return {
    units,
    hosts: each(0, starts),
    names: each(1, starts),
    taglines: each(2, starts),
  };
}
