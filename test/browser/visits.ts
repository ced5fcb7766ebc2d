import { afterAll, beforeAll } from "vitest";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { type Browser, chromiumPath, launch } from "./browsers.js";
import { aStore, type SampleSize, served, servedFiles } from "./directories.js";

const chromium = chromiumPath();
/** Whether pages can be opened at all; where not, tests of a browser skip. */
export const HAS_BROWSER = chromium !== null;
if (!HAS_BROWSER) process.stderr.write("skipped: no Chromium is installed, no page is opened\n");

/** A directory that is served, and a browser to look at it. */
export interface Visit {
  readonly browser: Browser;
  readonly server: RunningServer;
  readonly store: string;
  /** Takes what is to be cleaned up after the last test. */
  readonly finished: (cleanUp: () => Promise<void>) => void;
  /** Has the same directory served as plain files, too. @returns their address */
  files(): Promise<string>;
}

/**
 * Has a directory served while the tests of a file run.
 * @param sample what is in it; null for the real one
 * @param begin is given the visit before the first test
 */
export function visiting(
  sample: SampleSize | null,
  begin: (visit: Visit) => Promise<void> | void,
): void {
  const cleanUps: (() => Promise<void>)[] = [];
  const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  beforeAll(async () => {
    if (chromium === null) return;
    const { folder, store } = await aStore(finished, sample);
    const server = await served(store, finished);
    const browser = await launch(chromium);
    finished(() => browser.close());
    const files = () => servedFiles(folder, store, finished);
    await begin({ browser, server, store, finished, files });
  }, 300_000);
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
}
