import type { CheckedServeOptions } from "../../extra.js";
import { durationMs, requireArgument, STORE } from "../../lib/options.js";
import { isAddress } from "../../server/options.js";
import type { StoreElsewhere } from "../../server/server.js";
import { verifierFor } from "../../store/signers.js";
import { PULL_ADDRESS } from "./address.js";
import { Mirror, whyUnready } from "./mirror.js";
import { REFRESH_SECONDS } from "./options.js";
import { remoteStore, usualCacheFolder } from "./remote-store.js";

/** Opens the store at an address, as `Extra.openStore` says; with `mirror`, a copy of the whole store. */
export async function openStore(
  store: string,
  options: CheckedServeOptions,
  onPublished: () => void,
): Promise<StoreElsewhere | undefined> {
  const { mirror = false, cacheDir, allowRedirects = false, maxAge, log } = options;
  if (!isAddress(store)) {
    if (mirror) throw new TypeError("serve: the option mirror needs the address of a remote store");
    return undefined;
  }
  requireArgument("serve", "store", store, PULL_ADDRESS);
  const refreshMs = (options.refreshSeconds ?? REFRESH_SECONDS) * 1_000;
  if (!mirror) {
    const folder = cacheDir ?? usualCacheFolder(store);
    return { store: folder, remote: remoteStore(store, { folder, allowRedirects, refreshMs }) };
  }
  const folder = cacheDir ?? STORE;
  const verify = await verifierFor(options);
  const copying = { url: store, store: folder, refreshMs, verify, allowRedirects, log };
  const copy = new Mirror({ ...copying, onPulled: onPublished });
  const maxAgeMs = maxAge === undefined ? Infinity : durationMs(maxAge);
  return {
    store: folder,
    pulls: () => copy.state(),
    unready: () => whyUnready(folder, copy.state(), maxAgeMs),
    lookNow: () => copy.pullNow(),
    close: () => copy.close(),
  };
}
