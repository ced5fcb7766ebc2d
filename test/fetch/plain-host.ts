import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Finds a file's bytes by its path; null if there is none. */
export type Files = (path: string) => Promise<Buffer | null>;

export const filesIn =
  (folder: string): Files =>
  (path) =>
    readFile(join(folder, path)).catch(() => null);

/** A server of plain files: no ranges, no conditions, no list. */
export async function plainHost(
  files: Files,
  missing: (response: ServerResponse) => void = (response) => response.writeHead(404).end(),
): Promise<{ readonly url: string; readonly requested: string[] }> {
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? "").replace(/^\/files\//, ""));
    requested.push(path);
    const bytes = await files(path);
    if (bytes === null) missing(response);
    else response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`, requested };
}
