import { answer } from "../../src/answer/answer.js";
import type { SnapshotView } from "../../src/answer/content.js";
import { installedExtras, readsOf } from "../../src/extra.js";
import { serverPages } from "../../src/server/server-pages.js";

const ALL_PAGES = serverPages();

/**
 * What the runtime answers to a GET, without a socket and uncompressed.
 * @param isForPerson whether a browser asks
 * @param extensions Default: the reads of all extras
 * @throws what it finds damaged
 */
export async function asked(
  snapshot: SnapshotView,
  target: string,
  isForPerson = false,
  extensions = readsOf(installedExtras()),
): Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}> {
  const compress = (bytes: Uint8Array) => Promise.resolve(bytes);
  const onDamage = (error: Error) => {
    throw error;
  };
  const { status, headers, body } = await answer(
    { method: "GET", target, isForPerson },
    { snapshot, pages: ALL_PAGES, extensions, compress, onDamage },
  );
  return { status, headers, bytes: Buffer.from(body ?? []) };
}
