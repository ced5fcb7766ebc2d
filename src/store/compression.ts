import { gunzipSync } from "node:zlib";
import { BadColumnsError } from "./columns/file.js";

/** Inflates a file. @param most the most bytes that it may become @throws BadColumnsError */
export function gunzip(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    throw new BadColumnsError("it is not compressed data, or inflates to too much", {
      cause: error,
    });
  }
}
