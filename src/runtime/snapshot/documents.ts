import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import sirv, { type RequestHandler } from "sirv";

/**
 * A snapshot's public documents. sirv sends them from their files; this class guards it: by itself, sirv
 * trusts the sizes that it saw at its start, sends the head before it opens the file, crashes the process
 * if the file is gone, and never closes the file of a client that hangs up.
 */
export class DocumentFiles {
  readonly #folder: string;
  /** Path to what tells a file from another at its place. */
  readonly #identities: Map<string, string>;
  readonly #handler: RequestHandler;

  private constructor(folder: string, identities: Map<string, string>) {
    this.#folder = folder;
    this.#identities = identities;
    this.#handler = sirv(folder, { dev: false, etag: false });
  }

  /** Takes the files as they are now; call it before their content is checked. */
  static async open(publicFolder: string, paths: readonly string[]): Promise<DocumentFiles> {
    const folder = await realpath(publicFolder);
    const identities = new Map<string, string>();
    for (const path of paths) identities.set(path, await identityOf(join(folder, path)));
    return new DocumentFiles(folder, identities);
  }

  /** Whether the file is still the one that was checked. */
  async isUnchanged(path: string): Promise<boolean> {
    const identity = await identityOf(join(this.#folder, path)).catch(() => null);
    return identity !== null && identity === this.#identities.get(path);
  }

  /** Takes a file as it is now for the checked one: it has the same bytes, though it may be another. */
  async accept(path: string): Promise<void> {
    this.#identities.set(path, await identityOf(join(this.#folder, path)));
  }

  /**
   * Sends a checked document with the headers that the response already has.
   * @throws Error if the file cannot be opened; nothing was sent then
   */
  async send(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const { socket } = req;
    if (socket.destroyed) return;
    delete req.headers.range;
    const { url } = req;
    req.url = `/${path}`;
    // Node sends the head with the first bytes of the file, and none of sirv's own headers: its
    // Last-Modified would differ from replica to replica.
    const { writeHead } = res;
    res.writeHead = (status: number) => {
      res.statusCode = status;
      return res;
    };
    const opened = new Promise<void>((resolve, reject) => {
      res.once("pipe", (source: Readable) => {
        const hangUp = () => source.destroy();
        socket.once("close", hangUp);
        source.once("close", () => {
          socket.off("close", hangUp);
          resolve();
        });
        source.once("open", () => resolve());
        source.on("error", (error) => {
          if (res.headersSent) res.destroy();
          reject(error);
        });
      });
      this.#handler(req, res, () => reject(new Error(`sirv does not know ${path}`)));
    });
    res.writeHead = writeHead;
    // The log names the target that the client has sent.
    req.url = url;
    await opened;
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}
