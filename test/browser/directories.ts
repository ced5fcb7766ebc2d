import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sirv from "sirv";
import { build } from "../../src/build/build.js";
import { serve } from "../../src/replica/serve.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { exportSite } from "../../src/site/export.js";
import { temporaryFolder } from "../fixtures.js";
import { REAL } from "../real.js";
import { writeSample } from "../sample/larger.js";

type Finished = (cleanUp: () => Promise<void>) => void;

export interface SampleSize {
  readonly listings: number;
  readonly seed: number;
}

/** A store with a directory in it. @param sample null for the real one */
export async function aStore(
  finished: Finished,
  sample: SampleSize | null,
): Promise<{ readonly folder: string; readonly store: string }> {
  const folder = await temporaryFolder(finished);
  const store = join(folder, "store");
  const published = join(folder, "published");
  if (sample !== null) await writeSample(published, sample);
  await build(sample === null ? REAL.folder : published, { store, jobs: 1, keep: 1 });
  return { folder, store };
}

export async function served(
  store: string,
  finished: Finished,
  cards = true,
): Promise<RunningServer> {
  const server = await serve(store, { port: 0, host: "127.0.0.1", log: () => {}, cards });
  finished(() => server.close());
  return server;
}

/** A store's exported tree as any web server of plain files gives it. @returns its address */
export async function servedFiles(
  folder: string,
  store: string,
  finished: Finished,
): Promise<string> {
  const site = join(folder, "site");
  await exportSite(site, { store });
  const files = sirv(site, { extensions: ["html", "json"] });
  const server = createServer((request, response) => {
    files(request, response, () => {
      response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not found</h1>");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  finished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
