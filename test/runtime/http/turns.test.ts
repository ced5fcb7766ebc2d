import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Turns } from "../../../src/runtime/http/outbox.js";

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
