import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../src/replica/serve.js";
import { exportSite } from "../../src/site/export.js";
import { type Browser, withPage } from "../browser/browsers.js";
import { COMPUTED_READS, drawnQuestions, workerTarget } from "../browser/worker-target.js";
import { compare, countsOf, shortly } from "../fetch/comparison.js";
import { buildSample } from "../fetch/directory.js";
import { serverTarget } from "../fetch/targets.js";
import { temporaryFolder } from "../fixtures.js";
import { startBrowser } from "./directory.js";
import { needed, PLAIN_HOSTS, placed, startHost } from "./hosts.js";

const LISTINGS = 1_500;
const DRAWN = 300;

let browser: Browser | null = null;
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const cleanUp of cleanUps) await cleanUp();
});

it(`on Python, ${DRAWN} random searches, facets and suggestions are those of crawldex serve`, async (context) => {
  if (browser === null) return context.skip("there is no browser");
  const folder = await temporaryFolder(finished);
  const { store, records } = await buildSample(folder, LISTINGS);
  const runtime = await serve(store, { port: 0, cards: false, cacheMb: 0, log: () => {} });
  finished(() => runtime.close());
  const tree = join(folder, "tree");
  await exportSite(tree, { store });
  const python = PLAIN_HOSTS.find(({ name }) => name === "Python");
  const started = python && (await startHost(python, await placed(tree, "/")));
  const { host, port, stop } = needed(context, started);
  finished(stop);
  await withPage(browser, `http://${host}:${port}/`, async (page) => {
    const reference = serverTarget("crawldex serve", runtime.url);
    const target = workerTarget("the search worker on Python", page);
    const questions = drawnQuestions(DRAWN, COMPUTED_READS, records);
    const { statuses, differences } = await compare(reference, target, questions);
    process.stderr.write(`${target.name}: ${countsOf(statuses)}\n`);
    expect(shortly(differences)).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(100);
  });
}, 120_000);
