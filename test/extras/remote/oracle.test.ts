import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "../../../src/server/serve.js";
import { compare, shortly, type Target, withoutBrotli } from "../../fetch/comparison.js";
import { type Built, buildSample } from "../../fetch/directory.js";
import { serveFolder } from "../../fetch/file-server.js";
import { questionsAbout } from "../../fetch/questions.js";
import { serverTarget } from "../../fetch/targets.js";
import { temporaryFolder } from "../../fixtures.js";
import { seeded } from "../../oracle/random.js";
import { NO_PICTURES } from "../../pictures.js";
import { repeated, someOf } from "../../slow.js";

const LISTINGS = repeated(120, 400);
const ABOUT = { hosts: 50, drawn: 2_000 };
const QUESTIONS = 150;
const SERVED = { port: 0, ...NO_PICTURES, log: () => {} };

let built: Built;
let reference: Target;
/** Reads the same store over HTTP. */
let target: Target;
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp);

beforeAll(async () => {
  built = await buildSample(await temporaryFolder(finished), LISTINGS);
  const server = await serve(built.store, { ...SERVED, cacheMb: 0 });
  finished(server.close);
  reference = serverTarget("crawldex serve", server.url);
  const files = await serveFolder(built.store);
  finished(files.close);
  const cacheDir = await temporaryFolder(finished);
  const remote = await serve(files.url, { ...SERVED, cacheMb: 64, cacheDir });
  finished(remote.close);
  const { name, ask } = serverTarget("a server of a remote store", remote.url);
  target = { name, ask: (requests) => ask(requests.map(withoutBrotli)) };
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

it("a server of a remote store answers each request as a server of the folder does", async () => {
  const questions = someOf(questionsAbout(built.records, seeded(18), ABOUT), QUESTIONS);
  const { statuses, differences } = await compare(reference, target, questions);
  expect(shortly(differences)).toEqual([]);
  expect([...statuses.keys()].sort()).toEqual([200, 204, 304, 308, 400, 403, 404, 405]);
});
