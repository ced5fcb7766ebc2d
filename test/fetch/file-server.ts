import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

/** What an origin does to the file that it is about to send. */
export interface Sending {
  readonly path: string;
  /** As the request has it. */
  readonly range: string | undefined;
  /** The whole file. */
  bytes: Buffer;
  /** Whether the origin honours `Range`. */
  honoursRange: boolean;
  /** Whether the connection is cut after half of the body. */
  isCut: boolean;
}

export interface FileServer {
  readonly url: string;
  /** Each file that was asked for, with its range. */
  readonly requests: { readonly path: string; readonly range: string | undefined }[];
  /** Body bytes that were sent. */
  readonly sent: { bytes: number };
  close(): Promise<void>;
}

/**
 * Serves a folder's files over HTTP, with ranges.
 * @param spoil may change each file before it is sent, or throw to answer 500
 */
export async function serveFolder(
  folder: string | (() => string),
  spoil: (sending: Sending) => void = () => {},
): Promise<FileServer> {
  const requests: FileServer["requests"] = [];
  const sent = { bytes: 0 };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://any.example").pathname.slice(1);
    const { range } = request.headers;
    requests.push({ path, range });
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    const place = join(typeof folder === "string" ? folder : folder(), path);
    const whole = await readFile(place).catch(() => null);
    if (whole === null) return response.writeHead(404, headers).end();
    const sending: Sending = { path, range, bytes: whole, honoursRange: true, isCut: false };
    try {
      spoil(sending);
    } catch {
      return response.writeHead(500, headers).end();
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    const isPart = sending.honoursRange && first !== undefined && last !== undefined;
    const { bytes } = sending;
    const body = isPart ? bytes.subarray(Number(first), Number(last) + 1) : bytes;
    sent.bytes += body.length;
    response.writeHead(isPart ? 206 : 200, { ...headers, "Content-Length": body.length });
    if (!sending.isCut) return response.end(body);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    sent,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
