import { describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { type Reply, type Sent, send, sharedService } from "../../server/http.js";
import { someOf } from "../../slow.js";
import { hostileMessages } from "./hostile-messages.js";

const hosts = Array.from({ length: 30 }, (_, index) => `h${index}.com`);
const service = sharedService(
  aPublishedDirectory({
    listings: hosts.map((host) => aListing({ host })),
    scans: hosts.map((host) => aScan({ host })),
  }),
);

/** The most bytes of an answer, unless a harmless message with the same method has a longer one. */
const ANSWER_MAX = 20_000;
/** How many cached searches may take as much time of the processor as one hostile message. */
const SEARCHES_MAX = 20;
/** In milliseconds. Below it, the clock of the processor is too coarse. */
const SEARCH_MIN = 0.5;

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A message as a client of an era sends it. */
function post(message: object, era: string): Sent {
  const { method, params = {} } = message as { method?: unknown; params?: object };
  const isModern = era === MODERN;
  const { _meta = {}, name, uri } = params as Record<string, unknown>;
  const isMap = typeof params === "object" && !Array.isArray(params);
  const sent = isModern && isMap ? { ...params, _meta: { ...ENVELOPE, ...Object(_meta) } } : params;
  const label = [name, uri].find((one) => typeof one === "string" && one.length < 1_000);
  return {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": era,
      ...(isModern && { "mcp-method": String(method) }),
      ...(isModern && label !== undefined && { "mcp-name": String(label) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message, params: sent }),
  };
}

/** The time of the processor that a function takes, in milliseconds: the least of several runs. */
async function cpuOf(run: () => Promise<unknown>, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < runs; count += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const search = () => send(service.server, "/api/sites?q=h1");
const ask = (sent: Sent): Promise<Reply> => send(service.server, "/mcp", sent);

async function searchMs(): Promise<number> {
  for (let count = 0; count < 50; count += 1) await search();
  return Math.max(SEARCH_MIN, await cpuOf(search, 20));
}

describe.each(["2025-11-25", MODERN])("in the revision %s", (era) => {
  // Just within the bounds of a body, and beyond them.
  it.each([1_900, 2_500])(
    "a list or map of %i at any place of the SDK's schemas costs little, and is answered in short",
    async (amount) => {
      const all = hostileMessages(amount);
      expect(all.length).toBeGreaterThan(300);
      const messages = amount > 2_000 ? someOf(all, 100) : all;
      const plain = new Map<string, number>();
      for (const method of new Set(messages.map((one) => one.method))) {
        plain.set(method, (await ask(post({ method }, era))).bytes.length);
      }
      const most = SEARCHES_MAX * (await searchMs());
      const slow: string[] = [];
      for (const { method, path, value } of messages) {
        const sent = post({ ...Object(value), method }, era);
        const { bytes, status, text } = await ask(sent);
        const where = `${method} at ${path}: ${text.slice(0, 300)}`;
        const bytesMax = Math.max(ANSWER_MAX, plain.get(method) ?? 0);
        expect(bytes.length, where).toBeLessThanOrEqual(bytesMax);
        expect(status, where).toBeLessThan(500);
        expect(text, where).not.toMatch(/invalid_type|call stack|expected|x{300}|node_modules/);
        // The least of many runs, because other work spoils the caches of a processor.
        if ((await cpuOf(() => ask(sent), 2)) > most && (await cpuOf(() => ask(sent), 10)) > most) {
          slow.push(where);
        }
      }
      expect(slow).toEqual([]);
    },
    600_000,
  );
});

it("thirty hostile messages at once cost little, and /healthz answers meanwhile", async () => {
  const icons = Array(30_000).fill(0);
  const clientInfo = { name: "a", version: "1", icons };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const sent = post({ method: "initialize", params }, "2025-11-25");
  const most = SEARCHES_MAX * (await searchMs());
  const attack = async () => {
    const posts = Array.from({ length: 30 }, () => ask(sent));
    for (let count = 0; count < 10; count += 1) {
      expect((await send(service.server, "/healthz")).status).toBe(200);
    }
    for (const { status } of await Promise.all(posts)) expect(status).toBe(400);
  };
  expect(await cpuOf(attack, 3)).toBeLessThan(40 * most);
});
