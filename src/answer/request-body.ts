import { ERROR_TEXTS } from "../contract/error.js";
import type { Failed } from "./answer.js";
import { RETRY_AFTER, type ReadPost } from "./content.js";
import { SERVER_LIMITS } from "./limits.js";

/** The body of a request, which is read only where an address takes one. */
export interface RequestBody {
  /** A header of the request by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * Reads the body once.
   * @param most the most bytes; a longer body is not read much further
   * @throws UnreadBodyError
   */
  read(most: number): Promise<Uint8Array>;
}

/** Why a body was not read, with the status of the answer. */
export class UnreadBodyError extends Error {
  readonly status: 408 | 413 | 503;

  constructor(status: UnreadBodyError["status"]) {
    super(`the body of a request was not read: ${status}`);
    this.status = status;
  }
}

const UNREAD: Readonly<Record<UnreadBodyError["status"], string>> = {
  408: "The request took too long.",
  413: ERROR_TEXTS.bodyTooLarge,
  503: "Too many requests with a body are under way; try again shortly.",
};

const UNSUPPORTED: Failed = { status: 415, error: ERROR_TEXTS.badBody };
const NOT_JSON: Failed = { status: 400, error: ERROR_TEXTS.badBody };

/** Whether a `Content-Type` is JSON, in UTF-8 if it names a charset. */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((one) => one.startsWith("charset="));
  return type === "application/json" && charsets.every((one) => /^charset="?utf-8"?$/.test(one));
}

/** Reads the body of a request as JSON. */
export async function jsonBody(
  body: RequestBody,
  { bytesMax, tooLarge = 413 }: ReadPost,
): Promise<{ readonly value: unknown } | Failed> {
  const coding = body.header("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") return UNSUPPORTED;
  if (!isJson(body.header("content-type") ?? "")) return UNSUPPORTED;
  let bytes: Uint8Array;
  try {
    if (Number(body.header("content-length") ?? 0) > bytesMax) throw new UnreadBodyError(413);
    bytes = await body.read(bytesMax);
  } catch (error) {
    if (!(error instanceof UnreadBodyError)) throw error;
    const { status } = error;
    const headers = status === 503 ? RETRY_AFTER : {};
    return { status: status === 413 ? tooLarge : status, error: UNREAD[status], headers };
  }
  const excess = excessOf(bytes);
  if (excess !== null) {
    return { status: 400, error: ERROR_TEXTS.invalid, issues: [{ path: "body", message: excess }] };
  }
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return NOT_JSON;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[`, `]`, `{` and `}`. */
const LIST = 0x5b;
const LIST_END = 0x5d;
const MAP = 0x7b;
const MAP_END = 0x7d;
const SPACE = 0x20;

/**
 * Measures JSON before anything parses it: what reads it later may recurse, or do work for each value.
 * @param json UTF-8, which need not be valid JSON
 * @returns what it has too much of; null if it is within the bounds
 */
export function excessOf(json: Uint8Array): string | null {
  const { bodyDepthMax, bodyValuesMax } = SERVER_LIMITS;
  let depth = 0;
  let values = 0;
  /** Whether the last character opened a list or an object: the next one shows whether that has a value. */
  let isOpened = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!;
    if (byte <= SPACE) continue;
    const isEnd = byte === LIST_END || byte === MAP_END;
    if (byte === COMMA || (isOpened && !isEnd)) values += 1;
    isOpened = byte === LIST || byte === MAP;
    if (isOpened) depth += 1;
    else if (isEnd) depth -= 1;
    else if (byte === QUOTE) at = endOfText(json, at);
    if (values > bodyValuesMax) {
      return `has more than ${bodyValuesMax} members and elements in all`;
    }
    if (depth > bodyDepthMax) return `has lists and objects in more than ${bodyDepthMax} levels`;
  }
  return null;
}

/** The index of the quotation mark that ends the text that begins at `start`. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
