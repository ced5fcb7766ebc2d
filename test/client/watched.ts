import type { WatchOptions } from "../../src/client/index.js";
import type { Enrichment } from "../../src/contract/report.js";
import type { Script } from "./scripted.js";

export type State = Enrichment["copy"];
export const state = (name: State["state"], nextRetryAt: string | null = null): State => ({
  state: name,
  nextRetryAt,
});
export const READY = state("ready");

let revision = 0;
export function enrichment(copy: State, starterFiles: State | null = null): Enrichment {
  revision += 1;
  return { scanId: "scan_1", revision: `r${revision}`, copy, starterFiles };
}

/** A script's chance where waits are to be as short as they may be. */
export const calm = { random: () => 0 };

/** Follows a watch: what it has given, and how it ended. */
export function follow({ client }: Script, options: WatchOptions = {}) {
  const seen: (Enrichment | null)[] = [];
  const watched = { seen, done: false, error: undefined as unknown };
  const run = async () => {
    for await (const each of client.watchEnrichment("a.com", options)) seen.push(each);
  };
  run().then(
    () => {
      watched.done = true;
    },
    (error: unknown) => {
      watched.error = error;
    },
  );
  return watched;
}
