import type { ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Outbox, Turns } from "../../../src/runtime/http/outbox.js";

/** A response that writes down what it is told, with its name. */
function aResponse(name: string, told: unknown[]): ServerResponse {
  const response = {
    writeHead: (status: number, headers: unknown) => told.push([name, status, headers]),
    end: (body: unknown) => told.push([name, body]),
  };
  return response as unknown as ServerResponse;
}

describe("answers of one turn of the event loop", () => {
  it("are sent at its end, in the order in which they were made", async () => {
    const told: unknown[] = [];
    const outbox = new Outbox();
    const body = new Uint8Array(3);
    outbox.send(aResponse("a", told), 200, { ETag: '"x"' }, body);
    outbox.send(aResponse("b", told), 304, ["ETag", '"y"'], null);
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual([
      ["a", 200, { ETag: '"x"' }],
      ["a", body],
      ["b", 304, ["ETag", '"y"']],
      ["b", null],
    ]);
  });

  it("are sent earlier once there are 64 of them, and each is sent once", async () => {
    const told: unknown[] = [];
    const outbox = new Outbox();
    for (let sent = 1; sent <= 130; sent += 1) {
      outbox.send(aResponse(`${sent}`, told), 200, {}, null);
      expect(told).toHaveLength(2 * 64 * Math.floor(sent / 64));
    }
    await turn();
    expect(told).toHaveLength(2 * 130);
    expect(new Set(told.map((one) => (one as [string])[0])).size).toBe(130);
  });

  it("wait for no other turn than their own", async () => {
    const told: unknown[] = [];
    const outbox = new Outbox();
    for (let round = 1; round <= 3; round += 1) {
      outbox.send(aResponse("a", told), 200, {}, null);
      await turn();
      expect(told).toHaveLength(2 * round);
    }
  });
});

it("one turn of the event loop answers four pipelined requests, in their order", async () => {
  const turns = new Turns();
  const answered: number[] = [];
  for (let at = 0; at < 10; at += 1) void turns.next().then(() => answered.push(at));
  await Promise.resolve();
  expect(answered).toEqual([]);
  for (const count of [4, 8, 10, 10]) {
    await turn();
    expect(answered).toEqual([...Array(count).keys()]);
  }
  void turns.next().then(() => answered.push(10));
  await turn();
  expect(answered).toHaveLength(11);
});
