import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import sirv, { type RequestHandler } from "sirv";

/**
 * A snapshot's public documents, sent from their files by sirv, kept safe from what it does not do:
 * it trusts sizes that it saw at its start, dies of a file that is gone, and leaks the file of a client
 * that hangs up.
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

  /** Sends a checked document with the headers that are on the answer already. */
  send(req: IncomingMessage, res: ServerResponse, path: string): void {
    const { socket } = req;
    if (socket.destroyed) return;
    delete req.headers.range;
    const { url } = req;
    req.url = `/${path}`;
    // None of sirv's own headers: its Last-Modified would differ from replica to replica.
    const writeHead = res.writeHead.bind(res);
    res.writeHead = (status: number) => writeHead(status);
    res.on("pipe", (source: Readable) => {
      const hangUp = () => source.destroy();
      socket.once("close", hangUp);
      source.on("close", () => socket.off("close", hangUp));
      source.on("error", () => res.destroy());
    });
    this.#handler(req, res, () => {
      res.destroy();
    });
    // The log names the target that the client has sent.
    req.url = url;
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}
