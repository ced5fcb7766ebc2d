import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import sirv, { type RequestHandler } from "sirv";

/**
 * A snapshot's public documents. sirv sends them from their files, and this class guards it. Without the guard, sirv
 * trusts the file sizes from its start, sends the head before it opens the file, crashes the process if the file is
 * missing, and never closes the file of a client that hangs up.
 */
export class DocumentFiles {
  readonly #folder: string;
  /** By path, a text that tells the checked file from any other file at that path. */
  readonly #identities: Map<string, string>;
  readonly #handler: RequestHandler;

  private constructor(folder: string, identities: Map<string, string>) {
    this.#folder = folder;
    this.#identities = identities;
    this.#handler = sirv(folder, { dev: false, etag: false });
  }

  /** Records the identity of each file as it is now. Call it before checking the content of the files. */
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

  /**
   * Records the current file as the checked one. Call it once the file's bytes are known to be the same, even though
   * the file may be a different one.
   */
  async accept(path: string): Promise<void> {
    this.#identities.set(path, await identityOf(join(this.#folder, path)));
  }

  /**
   * Sends a checked document with the headers that the response already has.
   * @throws Error if the file cannot be opened; nothing has been sent in that case
   */
  async send(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const { socket } = req;
    if (socket.destroyed) return;
    delete req.headers.range;
    const { url } = req;
    req.url = `/${path}`;
    // Makes node send the head with the first bytes of the file, and drops sirv's own headers: its Last-Modified would
    // differ from replica to replica.
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
    // Restores the client's own target for the request log.
    req.url = url;
    await opened;
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}
