import type { IncomingMessage } from "node:http";
import { type RequestBody, UnreadBodyError } from "../answer/request-body.js";
import { SERVER_LIMITS } from "../limits.js";

/** Bodies that are being read. Clients that send slowly must not fill the memory. */
let reading = 0;

/** The body of a request to the server. */
export function nodeBody(req: IncomingMessage): RequestBody {
  return {
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    read: async (most) => {
      if (reading >= SERVER_LIMITS.bodiesMax) throw new UnreadBodyError(503);
      reading += 1;
      try {
        return await received(req, most);
      } finally {
        reading -= 1;
      }
    },
  };
}

function received(req: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (settle: () => void) => {
      clearTimeout(late);
      req.off("data", add).off("end", done).off("close", cut).off("error", cut);
      settle();
    };
    const add = (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > most) end(() => reject(new UnreadBodyError(413)));
    };
    const done = () => end(() => resolve(Buffer.concat(chunks)));
    const cut = () => end(() => reject(new UnreadBodyError(408)));
    const late = setTimeout(cut, SERVER_LIMITS.requestMs);
    req.on("data", add).on("end", done).on("close", cut).on("error", cut);
  });
}
