import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { chance, pick } from "../crash/repetitions.js";
import { askAll, type Place } from "../runtime/wire.js";
import { amount, IS_LONG, SEED, say } from "./amounts.js";
import { inspectedServer } from "./inspected.js";
import { GONE, numberedTurns } from "./turns.js";

const LISTINGS = IS_LONG ? 2_000 : 100;
/** After so many reloads memory is what it is going to be. */
const SETTLED = Math.min(20, amount("reloads") / 2);

const get = async (place: Place, target: string) =>
  (await askAll(place, [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`], 1))[0]!;

/** Sends requests at once and cuts the connection when so many bytes have come. */
function cutAfter({ host, port }: Place, requests: string, bytes: number): Promise<void> {
  return new Promise((resolve) => {
    let received = 0;
    const socket = connect(port, host, () => {
      socket.write(requests);
      if (bytes === 0) socket.resetAndDestroy();
    });
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received >= bytes) socket.resetAndDestroy();
    });
    socket.on("error", () => {});
    // Not all of them send as much.
    socket.setTimeout(100, () => socket.resetAndDestroy());
    socket.on("close", () => resolve());
  });
}

const TARGETS = [
  "/api/openapi.json",
  "/api/standards",
  "/api/sites?limit=100",
  "/api/sites/site-7.example/report",
  `/api/sites/${GONE(1)}/report`,
];

it(`R5: reloads and aborted requests leave nothing behind, SEED=${SEED}`, async () => {
  const { store, ids, publish } = await numberedTurns(LISTINGS, 2);
  const server = await inspectedServer(store);
  const random = chance("R5");
  const cut = (requests: number) => {
    const one = () => {
      const coding = pick(random, ["", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip\r\n"]);
      return `GET ${pick(random, TARGETS)} HTTP/1.1\r\nHost: a\r\n${coding}\r\n`;
    };
    const some = Array.from({ length: requests }, one).join("");
    return cutAfter(server, some, Math.floor(random() ** 2 * 60_000));
  };
  for (const target of TARGETS) await get(server, target);
  await cut(1);
  await sleep(1_000);
  const files = server.openFiles();
  let cuts = 0;
  const settled = { heap: 0, buffers: 0, resident: 0 };
  const all = amount("reloads");
  const start = performance.now();
  for (let n = 1; n <= all; n += 1) {
    const id = ids[n % 2]!;
    await publish(id);
    server.kill("SIGHUP");
    const due = Math.floor((amount("cutRequests") * n) / all) - cuts;
    await Promise.all(
      Array.from({ length: Math.ceil(due / 2) }, (_, i) => cut(2 * i + 1 < due ? 2 : 1)),
    );
    cuts += due;
    await expect
      .poll(async () => (await get(server, "/readyz")).body.toString(), {
        timeout: 30_000,
        interval: 10,
      })
      .toContain(id);
    if (n === SETTLED) {
      await sleep(500);
      Object.assign(settled, await server.inspect({ isAfterCollection: true }));
    }
  }
  await sleep(1_500);
  await expect.poll(server.openFiles, { timeout: 30_000 }).toBeLessThanOrEqual(files + 5);
  const end = await server.inspect({ isAfterCollection: true });
  const mega = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  say(
    `R5: ${all} reloads and ${cuts} cut requests in ${((performance.now() - start) / 1_000).toFixed(0)} s; files ${files} before, ` +
      `${server.openFiles()} after; heap ${mega(settled.heap)} MB after reload ${SETTLED}, ${mega(end.heap)} MB after all; ` +
      `buffers ${mega(settled.buffers)} and ${mega(end.buffers)} MB; resident ${mega(settled.resident)} and ${mega(end.resident)} MB, ` +
      `at most ${mega(end.residentMax)} MB`,
  );
  expect(end.heap).toBeLessThanOrEqual(settled.heap * 1.15);
  expect(end.buffers).toBeLessThanOrEqual(settled.buffers * 1.15 + 2 ** 20);
  expect((await get(server, "/api/sites")).status).toBe(200);
  expect(server.said()).not.toMatch(/refused|502|Warning/);
});
