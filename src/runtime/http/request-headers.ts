import type { IncomingMessage } from "node:http";
import { prefersMarkdown } from "../../pages/kit/accept.js";

/*
 * The request headers that we use, read in one pass over the raw headers. Node's own header table costs more than a
 * whole cached answer, and hides headers that were sent twice.
 */

/** The headers that the server uses. The values of a repeated header are joined as in RFC 9110 section 5.3. */
export interface RequestHeaders {
  /** The number of all headers, used or not. */
  readonly count: number;
  readonly hosts: number;
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Whether the head announces a body: by any transfer coding, or by a length other than 0. */
  readonly hasBody: boolean;
}

export function readRequestHeaders({ rawHeaders }: IncomingMessage): RequestHeaders {
  let hosts = 0;
  let accept: string | undefined;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let hasBody = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    // Compares lengths first, since nearly every header is none of these.
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === "host") hosts += 1;
        break;
      case 6:
        accept = added("accept", accept, name, rawHeaders[at + 1]!);
        break;
      case 13:
        ifNoneMatch = added("if-none-match", ifNoneMatch, name, rawHeaders[at + 1]!);
        break;
      case 14:
        if (name.toLowerCase() === "content-length") hasBody ||= rawHeaders[at + 1]!.trim() !== "0";
        break;
      case 15:
        acceptEncoding = added("accept-encoding", acceptEncoding, name, rawHeaders[at + 1]!);
        break;
      case 17:
        if (name.toLowerCase() === "transfer-encoding") hasBody = true;
        break;
    }
  }
  return { count: rawHeaders.length / 2, hosts, accept, acceptEncoding, ifNoneMatch, hasBody };
}

/** Appends a header's value to the earlier values if its name is the wanted one. */
function added(
  wanted: string,
  before: string | undefined,
  name: string,
  value: string,
): string | undefined {
  if (name.toLowerCase() !== wanted) return before;
  return before === undefined ? value : `${before}, ${value}`;
}

/** Whether the client prefers a page as Markdown. All other addresses have one content type. */
export function isMarkdownAsked(target: string, { accept }: RequestHeaders): boolean {
  return accept !== undefined && target.startsWith("/sites/") && prefersMarkdown(accept);
}
