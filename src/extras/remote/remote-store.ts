import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inParallel } from "../../contract/tables.js";
import { disk } from "../../files/disk.js";
import { messageOf } from "../../files/errors.js";
import type { Reply } from "../../lib/http.js";
import { StoreAwayError } from "../../store/bad-snapshot.js";
import type { Segment } from "../../store/format.js";
import { OWN_NAMES } from "../../store/names.js";
import { type ByteSource, FILE_BYTES_MAX } from "../../store/source.js";
import { inTime, PassingFailure } from "./failures.js";
import { downloadFile, isStored, type Origin, originAt, type VerifiedFiles } from "./origin.js";

/** Milliseconds for a read. A client may wait for two of them: a connection without traffic ends after 10 s. */
const READ_MS = 4_000;
/** Milliseconds for a manifest, which no client waits for. It may have 16 MiB. */
const MANIFEST_MS = 60_000;
/** Tables that are downloaded at the same time. */
const AT_ONCE = 4;

/** The folder for the tables of a remote store, unless another one is chosen. It is the same at each start. */
export function usualCacheFolder(address: string): string {
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 16);
  return join(tmpdir(), `crawldex-${digest}`);
}

export interface RemoteStoreOptions {
  /** The folder for tables. Several servers may share it. */
  readonly folder: string;
  readonly allowRedirects: boolean;
  readonly refreshMs: number;
}

/**
 * The store at the address of a bucket or of a web server, as for `pull`. Its reads fail with StoreAwayError while the
 * origin cannot be reached, is overloaded, or takes longer than four seconds.
 * @throws RemoteError if a bucket's credentials are missing
 */
export function remoteStore(address: string, options: RemoteStoreOptions) {
  const { folder, allowRedirects, refreshMs } = options;
  const origin = originAt(address, allowRedirects);
  const verified: VerifiedFiles = new Map();
  return {
    read: originSource(origin),
    refreshMs,
    /** Brings the tables of segments into the folder. @throws RemoteError */
    bringTables: async (segments: readonly Segment[]) => {
      const tables = join(folder, "segments");
      await disk.makeFolder(tables);
      await inParallel(segments, AT_ONCE, async ({ table }) => {
        if (await isStored(folder, table, verified)) return;
        await inTime(origin.name, table.bytes, undefined, (signal) =>
          downloadFile(origin, folder, table, signal),
        );
      });
      await removeOthers(tables, segments);
    },
  };
}

function originSource(origin: Origin): ByteSource {
  return async (path, range, most = FILE_BYTES_MAX, isAgain = false) => {
    const ms = path.endsWith("/manifest.json") ? MANIFEST_MS : READ_MS;
    const signal = AbortSignal.timeout(ms);
    const use = (reply: Reply) => reply.file(range, most);
    const isFresh = isAgain || !path.includes("segments/");
    try {
      const bytes = await origin.get(path, use, { range, fresh: isFresh, signal });
      if (bytes !== null) return bytes;
    } catch (error) {
      if (!(error instanceof PassingFailure) && !signal.aborted) throw error;
      const why = signal.aborted ? `no whole answer in ${ms / 1_000} s` : messageOf(error);
      throw new StoreAwayError(`${path} cannot be read: ${why}`);
    }
    throw Object.assign(new Error(`${origin.name} has no ${path}`), { code: "ENOENT" });
  };
}

/** Deletes the tables that no segment has. Another server may still load one: that server then downloads it again. */
async function removeOthers(folder: string, segments: readonly Segment[]): Promise<void> {
  const wanted = new Set(segments.map(({ table }) => table.file.split("/").at(-1)));
  for (const name of await readdir(folder)) {
    if (OWN_NAMES.table.test(name) && !wanted.has(name)) await disk.remove(join(folder, name));
  }
}
