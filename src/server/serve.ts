import { join } from "node:path";
import { type CheckedServeOptions, installedExtras } from "../extra.js";
import { FOLDER, requireArgument, STORE } from "../lib/options.js";
import type { VerifyManifest } from "../store/signature.js";
import { verifierFor } from "../store/signers.js";
import type { EngineMaker } from "./load-snapshot.js";
import { isAddress, type ServeOptions, serveSettings } from "./options.js";
import { type RunningServer, type StoreElsewhere, serveStore } from "./server.js";

/**
 * Serves a store's current snapshot, and each new one as it is published, as `crawldex serve` does. Answers follow the
 * read API; they are 503 until a snapshot is loaded.
 * @param store the store's folder, which may be built later; or an address that an extra opens
 * @throws TypeError for a wrong argument; Error if the port is not available
 */
export async function serve(
  store: string = STORE,
  options: ServeOptions = {},
): Promise<RunningServer> {
  requireArgument("serve", "store", store, FOLDER);
  const { checked, answering } = serveSettings(options);
  const verify = await verifierFor(options);
  const makeEngine = await engineElsewhere(checked);
  if (makeEngine !== undefined && answering.threads > 1)
    throw new TypeError(
      'serve: "threads" share an index in memory, which an engine elsewhere replaces',
    );
  let server: RunningServer | null = null;
  const elsewhere = await storeElsewhere(store, checked, () => server?.reload());
  if (elsewhere === undefined) {
    const indexFolder = indexFolderOf(store, checked.cacheDir, verify);
    return serveStore({ store, ...answering, makeEngine, verify, indexFolder });
  }
  const { lookNow, close, ...opened } = elsewhere;
  if (opened.remote !== undefined && answering.threads > 1)
    throw new TypeError(
      'serve: "threads" need the whole store in a folder: use the option "mirror", too',
    );
  const indexFolder = indexFolderOf(opened.store, checked.cacheDir, verify);
  try {
    const running = await serveStore({ ...opened, ...answering, makeEngine, verify, indexFolder });
    server = running;
    return {
      ...running,
      reload: () => {
        lookNow?.();
        running.reload();
      },
      close: async () => {
        await Promise.all([close?.(), running.close()]);
      },
    };
  } catch (error) {
    await close?.();
    throw error;
  }
}

/**
 * The folder of index files. An index is not signed: if signatures are checked, it is only kept where the operator says
 * that nobody else may write.
 */
function indexFolderOf(
  store: string,
  cacheDir: string | undefined,
  verify: VerifyManifest | undefined,
): string | null {
  if (verify !== undefined && cacheDir === undefined) return null;
  return join(cacheDir ?? store, ".index");
}

/** What makes engines in place of ours; undefined if the options ask for none. @throws TypeError */
async function engineElsewhere(options: CheckedServeOptions): Promise<EngineMaker | undefined> {
  for (const { engine } of installedExtras()) {
    const maker = await engine?.(options);
    if (maker !== undefined) return maker;
  }
  return undefined;
}

/** The store at an address; undefined for a folder. @throws TypeError */
async function storeElsewhere(
  store: string,
  options: CheckedServeOptions,
  onPublished: () => void,
): Promise<StoreElsewhere | undefined> {
  for (const { openStore } of installedExtras()) {
    const opened = await openStore?.(store, options, onPublished);
    if (opened !== undefined) return opened;
  }
  if (isAddress(store)) {
    throw new TypeError('serve: "store" is an address, and no extra is installed that opens it');
  }
  return undefined;
}
