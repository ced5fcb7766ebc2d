import { inflateRawSync } from "node:zlib";
import type { InflatePage } from "./segments/parquet.js";

/** Bytes of the head and of the end of what gzip makes. */
const [GZIP_HEAD, GZIP_END] = [10, 8];

/** Inflates a page of a table with Node's zlib. */
export const inflatePage: InflatePage = (bytes, length) => {
  try {
    const content = bytes.subarray(GZIP_HEAD, bytes.length - GZIP_END);
    return inflateRawSync(content, { maxOutputLength: Math.max(1, length) });
  } catch {
    return null;
  }
};
