import { STORE } from "../options/defaults.js";
import { FOLDER, requireArgument } from "../options/options.js";
import { type RunningServer, serveStore } from "../runtime/http/server.js";
import { type ServeOptions, serveSettings } from "./options.js";

/**
 * Serves a store's current snapshot, and each new one as it is published, as `crawldex serve` does. Answers follow the
 * read API; they are 503 until a snapshot is loaded. With `follow`, it pulls new snapshots from a remote store.
 * @param store the store's folder. It may be built later
 * @throws TypeError for a wrong argument; Error if the port is not available
 */
export async function serve(
  store: string = STORE,
  options: ServeOptions = {},
): Promise<RunningServer> {
  requireArgument("serve", "store", store, FOLDER);
  const { answering, follow, allowRedirects, refreshMs } = serveSettings(options);
  if (follow === undefined) return serveStore({ store, ...answering });
  // Loaded only if needed: it takes time to load.
  const { Follower } = await import("./follower.js");
  const { log, publicKeys } = answering;
  let server: RunningServer | null = null;
  const onPulled = () => server?.reload();
  const follower = new Follower({
    ...{ url: follow, store, refreshMs, publicKeys, allowRedirects, log, onPulled },
  });
  const pulls = () => follower.state();
  try {
    const running = await serveStore({ store, ...answering, pulls });
    server = running;
    return {
      ...running,
      reload: () => {
        follower.pullNow();
        running.reload();
      },
      close: async () => {
        await Promise.all([follower.close(), running.close()]);
      },
    };
  } catch (error) {
    await follower.close();
    throw error;
  }
}
