import { inflateRawSync } from "node:zlib";
import { deflatedIn, type InflatePage } from "./segments/parquet.js";

/** Inflates a page of a table with Node's zlib. */
export const inflatePage: InflatePage = (bytes, length) => {
  try {
    return inflateRawSync(deflatedIn(bytes), { maxOutputLength: Math.max(1, length) });
  } catch {
    return null;
  }
};
