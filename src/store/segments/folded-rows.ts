import { foldText } from "../../contract/order.js";
import { FIELD_END, type ListingColumns } from "../columns/listings.js";
import { textAt } from "../columns/texts.js";
import type { TextColumns } from "./rows.js";

const END = String.fromCharCode(FIELD_END);

/** Folded host, name and tagline of each row, each ended by FIELD_END. */
export function foldedOf(
  { host, name, tagline }: TextColumns,
  live: Uint32Array,
): Pick<ListingColumns, "units" | "fields"> {
  const texts: string[] = [];
  for (const row of live) {
    for (const { values, starts, named } of [host, name, tagline]) {
      const isNull = starts[row] === starts[row + 1];
      texts.push((isNull ? "" : foldText(textAt(values, named[starts[row]!]!))) + END);
    }
  }
  const fields = new Uint32Array(texts.length + 1);
  for (const [field, { length }] of texts.entries()) fields[field + 1] = fields[field]! + length;
  const units = new Uint16Array(fields[texts.length]!);
  const joined = texts.join("");
  for (let at = 0; at < units.length; at += 1) units[at] = joined.charCodeAt(at);
  return { units, fields };
}
