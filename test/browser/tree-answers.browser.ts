import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCRIPTS } from "#scripts/names";
import { serve } from "../../src/replica/serve.js";
import { compare, countsOf, type Sent, shortly, type Target } from "../fetch/comparison.js";
import { type Built, buildSample } from "../fetch/directory.js";
import { serverTarget } from "../fetch/targets.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { randomRequest } from "../oracle/requests.js";
import { type Browser, chromiumPath, launch, withPage } from "./browsers.js";
import { serveTree, type TreeKind, writeTree } from "./trees.js";
import { HAS_BROWSER } from "./visits.js";

const LISTINGS = 900;
const DRAWN = 300;
const KINDS: readonly TreeKind[] = [
  { isPacked: false, base: "/" },
  { isPacked: true, base: "/directory/" },
];

let built: Built;
let url: string;
let reference: Target;
let browser: Browser;
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);

beforeAll(async () => {
  const chromium = chromiumPath();
  if (chromium === null) return;
  built = await buildSample(await temporaryFolder(finished), LISTINGS);
  const server = await serve(built.store, { port: 0, cacheMb: 0, log: () => {} });
  finished(() => server.close());
  ({ url } = server);
  // A worker's answer has no length: nothing was sent.
  reference = serverTarget("crawldex serve", url);
  browser = await launch(chromium);
  // A name that is not localhost, over http: neither the cache nor digests of the browser.
  finished(() => browser.close());
}, 300_000);
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** Asks the worker as the page's scripts do. */
const ASK = `(async (name, requests) => {
  const worker = new Worker("assets/" + name);
  const given = new Map();
  await new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (!("id" in data)) return;
      given.set(data.id, data);
      if (given.size === requests.length) resolve();
    };
    for (const [id, { target, headers }] of requests.entries()) {
      worker.postMessage({ id, address: target.slice(1), headers });
    }
  });
  worker.terminate();
  return requests.map((_, id) => {
    const { status, headers, body } = given.get(id);
    let text = "";
    for (const byte of new Uint8Array(body)) text += String.fromCharCode(byte);
    return { status, headers: Object.fromEntries(headers), body: btoa(text) };
  });
})`;

/** A random read of the API that a page's script may send. */
function drawnQuestions(isPacked: boolean) {
  const random = seeded(17);
  const computed = /^\/api\/sites(?:\?|$|\/(?:facets|suggestions))/;
  const questions: (Sent & { readonly isRepeated: boolean })[] = [];
  while (questions.length < DRAWN) {
    const { pathname, search } = new URL(randomRequest(random, built.records), url);
    const target = pathname + search;
    if (!(isPacked ? /^\/api\// : computed).test(target)) continue;
    questions.push({ target, method: "GET", headers: {}, isRepeated: true });
  }
  return questions;
}

describe.skipIf(!HAS_BROWSER)("the search worker answers as crawldex serve does", () => {
  it.each(KINDS)("in a tree (packed: $isPacked) at $base", async (kind) => {
    const folder = join(await temporaryFolder(finished), "tree");
    await writeTree(folder, built.store, url, kind);
    const { port } = await serveTree(folder, kind.base, finished);
    await withPage(browser, `http://127.0.0.1:${port}${kind.base}`, async (page) => {
      const target: Target = {
        name: `the worker of a tree at ${kind.base}`,
        ask: async (requests) => {
          const call = `${ASK}(${JSON.stringify(SCRIPTS.search.name)}, ${JSON.stringify(requests)})`;
          const given =
            await page.evaluate<{ status: number; headers: object; body: string }[]>(call);
          return given.map(({ status, headers, body }) => ({
            status,
            headers: { ...headers },
            body: Buffer.from(body, "base64"),
          }));
        },
      };
      const { statuses, differences } = await compare(
        reference,
        target,
        drawnQuestions(kind.isPacked),
      );
      process.stderr.write(`${target.name}: ${countsOf(statuses)}\n`);
      expect(shortly(differences)).toEqual([]);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 304, 400]));
      expect(statuses.get(200)).toBeGreaterThan(100);
    });
  });
});
