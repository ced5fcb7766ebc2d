import { assetsStore, createFetchHandler, r2Store } from "crawldex/fetch";

/** Each isolate loads the snapshot once and answers all its requests from it. */
let handler;

export default {
  async fetch(request, env, context) {
    handler ??= createFetchHandler({
      store: env.BUCKET === undefined ? assetsStore(env.ASSETS) : r2Store(env.BUCKET),
      refreshSeconds: Number(env.REFRESH_SECONDS),
      publicKeys: env.PUBLIC_KEYS.split(/\s+/).filter((key) => key !== ""),
      onError: (error) => console.error(error.message),
    });
    // Other requests wait for the load, too: it continues if the client of this one leaves.
    context.waitUntil(handler);
    return (await handler)(request, context);
  },
};
