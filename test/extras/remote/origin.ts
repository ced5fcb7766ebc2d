import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { PATIENCE } from "../../../src/extras/remote/failures.js";
import { build } from "../../../src/publish/build.js";
import { storedFiles } from "../../../src/store/format.js";
import { StoredSnapshot } from "../../../src/store/reader.js";
import { type PublishedFiles, temporaryFolder, writePublished } from "../../fixtures.js";
import { manyListings } from "../../store/trees.js";
import { sealOf } from "./sealing.js";

/** A plain web server over a folder that has the files of a bucket. */
export class TestOrigin {
  readonly #builder: string;
  /** The folder that is served. */
  readonly folder: string;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  /**
   * Called for each request. If it returns a promise, the reply waits for it; if it returns false, there is no reply.
   */
  onRequest: (path: string) => unknown = () => {};
  /** The texts of `current.json`, by the ids of the snapshots. */
  readonly #pointers = new Map<string, string>();
  #builds = 0;
  #server: Server | null = null;
  #port = 0;

  private constructor(folder: string) {
    this.#builder = folder;
    this.folder = join(folder, "remote");
  }

  static async start(): Promise<TestOrigin> {
    // The product waits longer between the tries of a request.
    Object.assign(PATIENCE, { tries: 3, firstWaitMs: 5, longestWaitMs: 20 });
    const origin = new TestOrigin(await temporaryFolder());
    await mkdir(origin.folder);
    await origin.up();
    onTestFinished(() => origin.down());
    return origin;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async up(): Promise<void> {
    const server = createServer((req, res) => void this.#answer(req.url ?? "", res));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Refuses connections, and cuts those that are open. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Builds a directory, and copies the snapshot as `crawldex push` does: the commit is last. */
  async push(files: PublishedFiles, sealedBy?: string): Promise<string> {
    this.#builds += 1;
    const published = await writePublished(join(this.#builder, `published-${this.#builds}`), files);
    const store = join(this.#builder, "store");
    const { id, generation } = await build(published, {
      store,
      jobs: 1,
      keep: 9,
      maxRemoved: "100%",
    });
    const { manifest } = await StoredSnapshot.openManifest(store, id);
    for (const { file } of storedFiles(id, manifest)) {
      await cp(join(store, file), join(this.folder, file), { recursive: true });
    }
    const bytes = await readFile(join(store, id, "manifest.json"));
    await this.write(`${id}/manifest.json`, bytes);
    if (sealedBy !== undefined) {
      await this.write(`${id}/manifest.json.minisig`, sealOf(sealedBy)(bytes, id, generation));
    }
    this.#pointers.set(id, await readFile(join(store, "current.json"), "utf8"));
    await this.commit(id);
    return id;
  }

  /** Makes a snapshot that was pushed the current one. */
  async commit(id: string): Promise<void> {
    await this.write("current.json", this.#pointers.get(id) ?? "");
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async #answer(path: string, res: ServerResponse): Promise<void> {
    this.asked.push(path.slice(1));
    if ((await this.onRequest(path.slice(1))) === false) return;
    const bytes = await readFile(join(this.folder, path)).catch(() => null);
    res.writeHead(bytes === null ? 404 : 200).end(bytes);
  }
}

/** A directory in which every listing has this name. */
export function allNamed(name: string, count = 12): PublishedFiles {
  const files = manyListings(count);
  return { ...files, listings: files.listings.map((listing) => ({ ...listing, name })) };
}
