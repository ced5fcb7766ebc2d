import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { build } from "../../src/publish/build.js";
import type { ServeOptions } from "../../src/server/options.js";
import { serve } from "../../src/server/serve.js";
import type { RunningServer } from "../../src/server/server.js";
import { temporaryFolder } from "../fixtures.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/larger.js";
import { type Browser, chromiumPath, launch } from "./browsers.js";
import { aTree } from "./trees.js";

const chromium = chromiumPath();
/** Whether pages can be opened at all; where not, tests of a browser skip. */
export const HAS_BROWSER = chromium !== null;
if (!HAS_BROWSER) process.stderr.write("skipped: no Chromium is installed, no page is opened\n");

export type Finished = (cleanUp: () => Promise<void>) => void;

/** A directory that is served, and a browser to look at it. */
export interface Visit {
  readonly browser: Browser;
  readonly server: RunningServer;
  readonly store: string;
  /** Takes what is to be cleaned up after the last test. */
  readonly finished: Finished;
  /** Has the same directory served as plain files, too. @returns their address */
  files(): Promise<string>;
}

export async function served(
  store: string,
  finished: Finished,
  options: ServeOptions = {},
): Promise<RunningServer> {
  const server = await serve(store, { port: 0, host: "127.0.0.1", log: () => {}, ...options });
  finished(() => server.close());
  return server;
}

/**
 * Has a directory served while the tests of a file run.
 * @param sample what is in it; null for the real one
 * @param begin is given the visit before the first test
 */
export function visiting(
  sample: { readonly listings: number; readonly seed: number } | null,
  begin: (visit: Visit) => Promise<void> | void,
): void {
  const cleanUps: (() => Promise<void>)[] = [];
  const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  beforeAll(async () => {
    if (chromium === null) return;
    const folder = await temporaryFolder(finished);
    const store = join(folder, "store");
    const published = join(folder, "published");
    if (sample !== null) await writeSample(published, sample);
    await build(sample === null ? REAL.folder : published, { store, jobs: 1, keep: 1 });
    const server = await served(store, finished);
    const browser = await launch(chromium);
    finished(() => browser.close());
    const files = async () =>
      (await aTree(store, { isPacked: false, base: "/" }, finished)).root.slice(0, -1);
    await begin({ browser, server, store, finished, files });
  }, 300_000);
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
}
