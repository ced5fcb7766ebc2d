import { COMMON_HEADERS } from "../../contract/headers.js";
import type { Answer, RequestFacts } from "./answer.js";
import { errorAnswer } from "./error-answers.js";

/* Parts of answers (RFC 9110 section 14). Programs that read a Parquet file in parts download only the columns they need. */

const UNIT = "bytes";

/** The headers of an answer that can be read in parts. They let scripts of other origins read the headers of a part. */
export const RANGED_HEADERS = {
  "Accept-Ranges": UNIT,
  "Access-Control-Expose-Headers": `${COMMON_HEADERS["Access-Control-Expose-Headers"]}, Accept-Ranges, Content-Range`,
} as const;

/** One range: from a first byte to a last one or to the end; or a number of bytes at the end. */
const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * The part of an answer that a GET requests: a 206, or a 416 if the file has no such bytes. Returns the whole answer
 * if it is not a 200 that can be read in parts, if `Range` is invalid or names several ranges, or if `If-Range` names
 * another representation.
 */
export function partOf(
  made: Answer,
  { method, range, ifRange }: Pick<RequestFacts, "method" | "range" | "ifRange">,
): Answer {
  const { status, headers, body, route } = made;
  if (range === undefined || method !== "GET" || status !== 200 || body === null) return made;
  if (headers["Accept-Ranges"] !== UNIT) return made;
  if (ifRange !== undefined && ifRange !== headers.ETag) return made;
  const [, first, last, suffix] = RANGE.exec(range.trim()) ?? [];
  const size = body.length;
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first);
  const end = Math.min(size, last === undefined ? size : Number(last) + 1);
  // A range that ends before it begins is invalid.
  if (Number.isNaN(start) || (last !== undefined && Number(last) < start)) return made;
  const contentRange = (part: string) => ({ "Content-Range": `${UNIT} ${part}/${size}` });
  if (start >= end) {
    const error = `The file has ${size} bytes.`;
    return { ...errorAnswer(416, error, [], contentRange("*")), ...(route && { route }) };
  }
  const part = body.subarray(start, end);
  const length = { "Content-Length": String(part.length) };
  return {
    ...made,
    status: 206,
    headers: { ...headers, ...contentRange(`${start}-${end - 1}`), ...length },
    body: part,
  };
}
