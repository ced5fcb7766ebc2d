import { expect, it } from "vitest";
import { Workspace } from "../../../src/engine/sets/workspace.js";

it("a request's arrays are its own: arrays that it takes later do not overlap them", () => {
  const space = new Workspace(10);
  // More than the first block has, and more than one that is twice as long.
  const lengths = [1, 0, 100_000, 7, 100_000, 500_000, 3];
  const taken = lengths.map((length, value) => space.take(length).fill(value));
  expect(taken.map(({ length }) => length)).toEqual(lengths);
  expect(taken.map((array, value) => array.every((one) => one === value))).not.toContain(false);
});

it("the next request reuses a request's memory, and finds it zeroed or overwritten", () => {
  const space = new Workspace(10);
  const first = space.take(64).fill(5);
  space.clear();
  const zeros = space.zeros(32);
  const copy = space.copy(Uint32Array.of(1, 2, 3));
  expect(zeros.buffer).toBe(first.buffer);
  expect([...zeros, ...copy]).toEqual([...Array(32).fill(0), 1, 2, 3]);
  expect(copy.byteOffset).toBe(zeros.byteOffset + zeros.byteLength);
});

it("after a large request, the next one gets as much memory in one block", () => {
  const space = new Workspace(10);
  const take = () => [200_000, 200_000].map((length) => space.take(length).buffer);
  take();
  space.clear();
  const [one, other] = take();
  expect(one).toBe(other);
});
