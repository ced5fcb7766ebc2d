import {
  afterAll,
  beforeAll,
  describe,
  expect,
  it,
  onTestFinished,
  type TestContext,
} from "vitest";
import { httpStore } from "../../src/fetch/index.js";
import { serve } from "../../src/server/serve.js";
import { chromiumPath, launch } from "../browser/browsers.js";
import { compare, countsOf, shortly, type Target } from "../fetch/comparison.js";
import { type Built, buildSample } from "../fetch/directory.js";
import { serveFolder } from "../fetch/file-server.js";
import { type Question, questionsAbout } from "../fetch/questions.js";
import { handlerTarget, serverTarget } from "../fetch/targets.js";
import { wholeHandler } from "../fetch/whole.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { NO_PICTURES } from "../pictures.js";
import { fill } from "./servers/miniflare.js";
import { needWorkerd } from "./shared.js";
import { openInBrowser } from "./targets/chromium.js";
import { startRecipe } from "./targets/worker.js";

const LISTINGS = 1_500;
/** What is asked for: with `STORES_RUN=ci`, a quarter of it. */
const SHARE = process.env.STORES_RUN === "ci" ? 1 / 4 : 1;
const HOSTS = Math.round(50 * SHARE);
const DRAWN = 2_000 * SHARE;

let built: Built;
let reference: Target;
let questions: Question[];
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp);

beforeAll(async () => {
  built = await buildSample(await temporaryFolder(finished), LISTINGS);
  const server = await serve(built.store, { port: 0, ...NO_PICTURES, cacheMb: 0 });
  finished(server.close);
  reference = serverTarget("crawldex serve", server.url);
  questions = questionsAbout(built.records, seeded(16), { drawn: DRAWN, hosts: HOSTS });
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

async function expectEqual(target: Target) {
  const { statuses, differences } = await compare(reference, target, questions);
  process.stderr.write(`${target.name} and the server: ${countsOf(statuses)}\n`);
  expect(shortly(differences)).toEqual([]);
  expect([...statuses.keys()].sort()).toEqual([200, 204, 304, 308, 400, 403, 404, 405]);
}

describe("a fetch handler gives the status, headers and bytes of crawldex serve", () => {
  it("in Node, from a web server", async () => {
    const files = await serveFolder(built.store);
    onTestFinished(files.close);
    const handler = await wholeHandler({ store: httpStore(files.url) });
    await expectEqual(handlerTarget("Node over HTTP", handler));
  });

  it("in workerd, from an R2 bucket", async (context) => {
    needWorkerd(context);
    const worker = await startRecipe({});
    onTestFinished(worker.stop);
    await fill(await worker.bucket("BUCKET"), built.store);
    await expectEqual(serverTarget("workerd over R2", worker.direct));
  });

  it("in workerd, from static assets", async (context) => {
    needWorkerd(context);
    const worker = await startRecipe({ assets: built.store });
    onTestFinished(worker.stop);
    await expectEqual(serverTarget("workerd over static assets", worker.direct));
  });

  it("in Chromium, from a web server with plain files", async (context) => {
    const browser = await launch(needChromium(context));
    onTestFinished(() => browser.close());
    const files = await serveFolder(built.store);
    onTestFinished(files.close);
    await expectEqual(await openInBrowser(browser, files.url));
  });
});

function needChromium(context: TestContext): string {
  const path = chromiumPath();
  if (path !== null) return path;
  process.stderr.write(`SKIPPED, Chromium is missing: ${context.task.name}\n`);
  return context.skip("Chromium is missing");
}
