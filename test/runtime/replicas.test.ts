import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build } from "../../src/build/build.js";
import { serve } from "../../src/replica/serve.js";
import { temporaryFolder } from "../fixtures.js";
import { disagreement } from "../oracle/disagreement.js";
import { answerOf } from "../oracle/oracle.js";
import { pick, seeded } from "../oracle/random.js";
import { loadRecords } from "../oracle/records.js";
import { randomRequest } from "../oracle/requests.js";
import { writeSample } from "../sample/larger.js";
import { repeated } from "../slow.js";
import { askAll, type WireReply } from "./wire.js";

const SEED = Number(process.env.SEED ?? 20_261_121);
const REQUESTS = repeated(60, 1_000);
const CODINGS = ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"];

const undated = ({ status, head, body }: WireReply) =>
  `${status}\n${head.replace(/^date: .*$/im, "")}\n${body.toString("latin1")}`;

it(`R18: servers with copies of a store answer ${REQUESTS} requests alike, also repeated and from the cache, SEED=${SEED}`, async () => {
  const folder = await temporaryFolder();
  const published = join(folder, "published");
  const store = join(folder, "store");
  await writeSample(published, { listings: 60, seed: 3 });
  await build(published, { store, jobs: 1, keep: 1 });
  await cp(store, join(folder, "copy"), { recursive: true });
  const records = loadRecords(published);
  const random = seeded(SEED);
  const targets = Array.from({ length: REQUESTS }, () => randomRequest(random, records));
  const requests = targets.map((target) => {
    const method = pick(random, ["GET", "GET", "GET", "HEAD"]);
    return `${method} ${target} HTTP/1.1\r\nHost: a\r\n${pick(random, CODINGS)}\r\n`;
  });
  const log = () => {};
  const answers: string[][] = [];
  let replies: WireReply[] = [];
  for (const [copy, cacheMb] of [
    ["store", 0],
    ["copy", 64],
  ] as const) {
    const server = await serve(join(folder, copy), { port: 0, log, cacheMb });
    onTestFinished(() => server.close());
    for (let time = 0; time < 3; time += 1) {
      if (cacheMb > 0 || time === 0) {
        replies = await askAll(server, requests);
        answers.push(replies.map(undated));
      }
    }
  }
  const wrong = targets.map((target, i) => {
    const { status, head, body } = replies[i]!;
    if (requests[i]?.startsWith("HEAD") || /^content-encoding/im.test(head)) return null;
    return disagreement(records, target, answerOf(records, target), { status, body });
  });
  expect(wrong.filter(Boolean)).toEqual([]);
  const [first = [], ...others] = answers;
  expect(others).toHaveLength(3);
  for (const [i, request] of requests.entries()) {
    for (const other of others) expect([request, other[i]]).toEqual([request, first[i]]);
  }
});
