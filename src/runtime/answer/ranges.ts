import { COMMON_HEADERS } from "../../contract/headers.js";
import type { Answer, RequestFacts } from "./answer.js";
import { errorAnswer } from "./error-answers.js";

/* Parts of answers (RFC 9110 section 14). Programs read a Parquet file by its parts, and so only the columns that they need. */

const UNIT = "bytes";

/** The headers of an answer that can be read by parts. Scripts at other origins may read those that tell of parts. */
export const RANGED_HEADERS = {
  "Accept-Ranges": UNIT,
  "Access-Control-Expose-Headers": `${COMMON_HEADERS["Access-Control-Expose-Headers"]}, Accept-Ranges, Content-Range`,
} as const;

/** One range: from a first byte, to a last one or the end; or the last bytes. Several ranges get the whole file. */
const RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * The part of an answer that a GET asks for: a 206, or a 416 if there is no such part. The whole answer if it is no 200 that
 * has parts, if the range is none or several, or if `If-Range` names another representation.
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
  // A range that ends before it begins is none.
  if (Number.isNaN(start) || (last !== undefined && Number(last) < start)) return made;
  const place = (part: string) => ({ "Content-Range": `${UNIT} ${part}/${size}` });
  if (start >= end) {
    const error = `The file has ${size} bytes.`;
    return { ...errorAnswer(416, error, [], place("*")), ...(route && { route }) };
  }
  const part = body.subarray(start, end);
  const length = { "Content-Length": String(part.length) };
  return {
    ...made,
    status: 206,
    headers: { ...headers, ...place(`${start}-${end - 1}`), ...length },
    body: part,
  };
}
