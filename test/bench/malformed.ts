import { parseArgs } from "node:util";
import { SHAPES, type Shape } from "../runtime/malformed-shapes.js";
import { Wire, type WireReply } from "../runtime/wire.js";
import { figure, median } from "./engine/statistics.js";
import { storeOf } from "./engine/stores.js";
import { Server } from "./serve/servers.js";

/**
 * `npm run bench:malformed [-- --listings 10000 --rounds 3 --requests 3000]`: what malformed and hostile requests cost the
 * server, as multiples of a cached search: the processor's time a request, both in the same round, the median of the
 * rounds' ratios. Exits with 1 where one costs more than 20 times as much, or where an error's body is larger than 8 kB.
 */
const COST_MAX = 20;
const BODY_MAX = 8_192;
const CONNECTIONS = 4;
const CACHED: Shape = { name: "a cached search", target: "/api/sites?q=co&minScore=20&limit=10" };

const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    requests: { type: "string", default: "3000" },
    only: { type: "string", default: "" },
  },
});
const requests = Number(options.requests);
const server = await Server.ours(storeOf(Number(options.listings)), ["--cache-mb", "64"]);
const { hostname: host, port } = new URL(server.url);
const wires = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => Wire.open({ host, port: Number(port) })),
);

let sent = 0;

/** Sends a request many times. @returns microseconds of the processor for each, and the last answer */
async function cost(shape: Shape, count: number): Promise<{ us: number; reply: WireReply }> {
  let left = count;
  let reply: WireReply | null = null;
  const before = server.cpuSeconds();
  await Promise.all(
    wires.map(async (wire) => {
      while (left > 0) {
        left -= 1;
        sent += 1;
        reply = await wire.get(shape.target.replace("{n}", `${sent}`), shape.headers);
      }
    }),
  );
  return { us: ((server.cpuSeconds() - before) * 1e6) / count, reply: reply! };
}

const shapes = SHAPES.filter(({ name }) => name.includes(options.only));
const ratios = new Map<Shape, number[]>(shapes.map((shape) => [shape, []]));
const costs = new Map<Shape, number[]>(shapes.map((shape) => [shape, []]));
const replies = new Map<Shape, WireReply>();
await cost(CACHED, 4 * requests);
for (let round = 0; round < Number(options.rounds); round += 1) {
  const cached = [(await cost(CACHED, 4 * requests)).us];
  for (const [at, shape] of shapes.entries()) {
    // What is dear is clear from a few.
    const few = await cost(shape, 50);
    const { us, reply } = few.us > 5_000 ? few : await cost(shape, requests);
    if (at % 10 === 9) cached.push((await cost(CACHED, 4 * requests)).us);
    ratios.get(shape)!.push(us / median(cached));
    costs.get(shape)!.push(us);
    replies.set(shape, reply);
  }
  process.stderr.write(`round ${round + 1}: a cached search ${cached.map(figure).join(", ")} µs\n`);
}
await server.stop();
for (const wire of wires) wire.end();

const lines = [
  "| request | status | body, bytes | CPU, µs | of a cached search |",
  "| --- | ---: | ---: | ---: | ---: |",
];
let isBad = false;
for (const shape of [...shapes].sort((a, b) => median(ratios.get(b)!) - median(ratios.get(a)!))) {
  const { status, body } = replies.get(shape)!;
  const ratio = median(ratios.get(shape)!);
  isBad ||= ratio > COST_MAX || (status >= 400 && body.length > BODY_MAX);
  lines.push(
    `| ${shape.name} | ${status} | ${body.length} | ${figure(median(costs.get(shape)!))} | ${figure(ratio)} |`,
  );
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = isBad ? 1 : 0;
