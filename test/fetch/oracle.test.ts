import { afterAll, beforeAll, expect, it } from "vitest";
import { httpStore } from "../../src/fetch/index.js";
import { serve } from "../../src/server/serve.js";
import { temporaryFolder } from "../fixtures.js";
import { seeded } from "../oracle/random.js";
import { NO_PICTURES } from "../pictures.js";
import { repeated, someOf } from "../slow.js";
import { compare, countsOf, shortly, type Target } from "./comparison.js";
import { type Built, buildSample } from "./directory.js";
import { serveFolder } from "./file-server.js";
import { questionsAbout } from "./questions.js";
import { handlerTarget, serverTarget } from "./targets.js";
import { wholeHandler } from "./whole.js";

const LISTINGS = repeated(120, 400);
const ABOUT = { hosts: 50, drawn: 2_000 };
const QUESTIONS = 150;

let built: Built;
let reference: Target;
/** Reads the same store over HTTP. */
let target: Target;
const cleanUps: (() => Promise<void>)[] = [];
const finished = (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp);

beforeAll(async () => {
  built = await buildSample(await temporaryFolder(finished), LISTINGS);
  const server = await serve(built.store, { port: 0, ...NO_PICTURES, log: () => {}, cacheMb: 0 });
  finished(server.close);
  reference = serverTarget("crawldex serve", server.url);
  const files = await serveFolder(built.store);
  finished(files.close);
  const handler = await wholeHandler({ store: httpStore(files.url) });
  target = handlerTarget("the fetch handler", handler);
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

it("a fetch handler gives the status, headers and bytes of a server of the folder for every request", async () => {
  const questions = someOf(questionsAbout(built.records, seeded(18), ABOUT), QUESTIONS);
  const { statuses, differences } = await compare(reference, target, questions);
  expect(shortly(differences)).toEqual([]);
  process.stderr.write(`a fetch handler compared: ${countsOf(statuses)}\n`);
  expect([...statuses.keys()].sort()).toEqual([200, 204, 304, 308, 400, 403, 404, 405]);
});
