import { connect } from "node:net";
import { expect, it } from "vitest";
import { chance, pick } from "../crash/repetitions.js";
import { askAll, type Place } from "../server/wire.js";
import { amount, SEED, say } from "./amounts.js";
import { inspectedServer } from "./inspected.js";
import { sampleStore } from "./turns.js";

const CLIENTS = 8;

const GOOD = [
  "GET /api/sites?q=co&limit=3 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, gzip;q=0.5\r\n\r\n",
  'GET /api/tags HTTP/1.1\r\nHost: a\r\nIf-None-Match: "x", W/"y"\r\nRange: bytes=0-1\r\n\r\n',
  "HEAD /api/sites/facets?minScore=10 HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
  "POST /api/tags HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  "OPTIONS * HTTP/1.0\r\nExpect: 100-continue\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
  "CONNECT a:80 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
];
const PIECES = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  ":",
  " ",
  "\t",
  ",",
  ";",
  "%",
  "%00",
  "%zz",
  "..",
  "//",
  "?",
  "&",
  "\xff",
];
const LINES = [
  "Host: b\r\n",
  "Content-Length: 5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "X: y\r\n",
  "Expect: z\r\n",
];

/** A request with some of its bytes turned, left out, put in or doubled. */
function mutant(random: () => number): string {
  let text = pick(random, GOOD);
  do {
    const at = Math.floor(random() * text.length);
    const kind = Math.floor(random() * 6);
    const code = text.charCodeAt(at) ^ (1 << Math.floor(random() * 8));
    if (kind === 0) text = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 9));
    else if (kind === 2) text = text.slice(0, at) + pick(random, PIECES) + text.slice(at);
    else if (kind === 3) text = text.replace("\r\n", `\r\n${pick(random, LINES)}`);
    else if (kind === 4) text += pick(random, GOOD);
    else text = text.slice(0, at) + text.slice(at, at + 40).repeat(1 + Math.floor(random() * 60));
  } while (random() < 0.6);
  return text;
}

/** Sends bytes and ends; gives what came until the connection has closed. */
function thrown({ host, port }: Place, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, host, () => socket.end(bytes, "latin1"));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    // Where the request is not whole the server waits for more.
    socket.setTimeout(200, () => socket.destroy());
    socket.on("close", () => resolve(received));
  });
}

it(`no bytes bring the server down, SEED=${SEED}`, async () => {
  const server = await inspectedServer((await sampleStore(amount("sampled"))).store);
  const random = chance("R7");
  const good = async () => (await askAll(server, [GOOD[0]!], 1))[0]!;
  await Promise.all(Array.from({ length: 200 }, () => thrown(server, mutant(random))));
  const whole = await good();
  const before = await server.inspect({ isAfterCollection: true });
  const statuses = new Map<string, number>();
  const strange: string[] = [];
  const all = amount("mutants");
  let sent = 0;
  const client = async () => {
    while (sent < all) {
      sent += 1;
      const isTurn = sent % 1_000 === 0;
      const bytes = mutant(random);
      const received = await thrown(server, bytes);
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? (received === "" ? "none" : "?");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (["?", "500", "502", "503"].includes(status)) strange.push(JSON.stringify(bytes));
      if (isTurn) expect((await good()).body.equals(whole.body)).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const after = await server.inspect({ isAfterCollection: true });
  const mega = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  say(
    `${all} mutants: ${counts.join(", ")}; resident ${mega(before.resident)} MB before, ` +
      `${mega(after.resident)} MB after; ` +
      `heap ${mega(before.heap)} and ${mega(after.heap)} MB`,
  );
  expect(strange.slice(0, 3)).toEqual([]);
  expect((await good()).status).toBe(200);
  expect(after.resident).toBeLessThanOrEqual(before.resident * 1.3);
  expect(server.said()).not.toMatch(/Warning|Error|502/);
});
