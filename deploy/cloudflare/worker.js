import { access } from "crawldex/extras/access/edge";
import { batch } from "crawldex/extras/batch/edge";
import { changes } from "crawldex/extras/changes/edge";
import { compare } from "crawldex/extras/compare/edge";
import { dumps } from "crawldex/extras/dumps/edge";
import { methodology } from "crawldex/extras/methodology/edge";
import { peers } from "crawldex/extras/peers/edge";
import { searchFiles } from "crawldex/extras/search-files/edge";
import { signing } from "crawldex/extras/signing/edge";
import { trends } from "crawldex/extras/trends/edge";
import { assetsStore, createFetchHandler, r2Store } from "crawldex/fetch";
import { pages } from "crawldex/fetch/pages";

/** The checks of signatures: none without public keys. */
function checksOf(env) {
  const publicKeys = env.PUBLIC_KEYS.split(/\s+/).filter((key) => key !== "");
  return publicKeys.length === 0 ? [] : [signing({ publicKeys })];
}

/** Each isolate loads the snapshot once and answers all its requests from it. */
let handler;

export default {
  async fetch(request, env, context) {
    handler ??= createFetchHandler({
      store: env.BUCKET === undefined ? assetsStore(env.ASSETS) : r2Store(env.BUCKET),
      pages: pages(),
      extras: [
        searchFiles(),
        changes(),
        trends(),
        batch(),
        access(),
        dumps(),
        compare(),
        methodology(),
        peers(),
        ...checksOf(env),
      ],
      refreshSeconds: Number(env.REFRESH_SECONDS),
      onError: (error) => console.error(error.message),
    });
    // Other requests wait for the load, too: it continues if the client of this one leaves.
    context.waitUntil(handler);
    return (await handler)(request, context);
  },
};
