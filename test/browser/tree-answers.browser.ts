import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/server/serve.js";
import { compare, countsOf, shortly, type Target } from "../fetch/comparison.js";
import { type Built, buildSample } from "../fetch/directory.js";
import { serverTarget } from "../fetch/targets.js";
import { temporaryFolder } from "../fixtures.js";
import { NO_PICTURES } from "../pictures.js";
import { type Browser, chromiumPath, launch, withPage } from "./browsers.js";
import { aTree, type TreeKind } from "./trees.js";
import { HAS_BROWSER } from "./visits.js";
import { COMPUTED_READS, drawnQuestions, workerTarget } from "./worker-target.js";

const LISTINGS = 900;
const DRAWN = 300;
const KINDS: readonly (TreeKind & { readonly hasRanges: boolean })[] = [
  { isPacked: false, base: "/", hasRanges: false },
  { isPacked: false, base: "/parts/", hasRanges: true },
  { isPacked: true, base: "/directory/", hasRanges: true },
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
  const server = await serve(built.store, { port: 0, ...NO_PICTURES, cacheMb: 0, log: () => {} });
  finished(() => server.close());
  ({ url } = server);
  // A worker's answer has no length: nothing was sent.
  reference = withoutPages(serverTarget("crawldex serve", url));
  browser = await launch(chromium);
  // A name that is not localhost, over http: neither the cache nor digests of the browser.
  finished(() => browser.close());
}, 300_000);
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** A target whose reports do not link to their pages, which the worker does not have. */
function withoutPages(target: Target): Target {
  const ask: Target["ask"] = async (requests) =>
    (await target.ask(requests)).map((given) => {
      const { link } = given.headers;
      if (link === undefined) return given;
      return {
        ...given,
        headers: { ...given.headers, link: link.replace(/, <[^>]*report\.md.*/, "") },
      };
    });
  return { ...target, ask };
}

describe.skipIf(!HAS_BROWSER)("the search worker answers as crawldex serve does", () => {
  it.each(KINDS)("in a tree (packed: $isPacked, ranges: $hasRanges) at $base", async (kind) => {
    const { root, tree } = await aTree(built.store, kind, finished);
    tree.hasRanges = kind.hasRanges;
    await withPage(browser, root, async (page) => {
      const target = workerTarget(`the worker of a tree at ${kind.base}`, page);
      const drawn = kind.isPacked ? /^\/api\// : COMPUTED_READS;
      const questions = drawnQuestions(DRAWN, drawn, built.records);
      const { statuses, differences } = await compare(reference, target, questions);
      process.stderr.write(`${target.name}: ${countsOf(statuses)}\n`);
      expect(shortly(differences)).toEqual([]);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 304, 400]));
      expect(statuses.get(200)).toBeGreaterThan(100);
    });
  });
});
