import { ERROR_TEXTS } from "../../contract/error.js";
import { type Failed, RETRY_AFTER } from "./error-answers.js";

/** The body of a request, which is read only where an address takes one. */
export interface RequestBody {
  /** A header of the request by its name in lower case. */
  header(name: string): string | undefined;
  /**
   * Reads the body once.
   * @param most bytes; of a longer body, not many more are read
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

/**
 * Reads the body of a request as JSON.
 * @param most bytes
 */
export async function jsonBody(
  body: RequestBody,
  most: number,
): Promise<{ readonly value: unknown } | Failed> {
  const coding = body.header("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") return UNSUPPORTED;
  if (!isJson(body.header("content-type") ?? "")) return UNSUPPORTED;
  let bytes: Uint8Array;
  try {
    if (Number(body.header("content-length") ?? 0) > most) throw new UnreadBodyError(413);
    bytes = await body.read(most);
  } catch (error) {
    if (!(error instanceof UnreadBodyError)) throw error;
    const { status } = error;
    const headers = status === 503 ? RETRY_AFTER : {};
    return { status, error: UNREAD[status], headers };
  }
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return NOT_JSON;
  }
}
