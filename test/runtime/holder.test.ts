import { expect, it, vi } from "vitest";
import { SnapshotHolder } from "../../src/runtime/holder.js";

vi.mock(import("../../src/runtime/snapshot.js"), async (original) => {
  const real = await original();
  const load = async () => ({
    ...{ id: "a".repeat(32), engine: { size: 3 }, exampleHost: null, rebuilt: null },
    extended: Promise.reject(new Error("a thread ended")),
    compared: Promise.resolve({ same: [], different: [] }),
    release: () => {},
  });
  const LoadedSnapshot = { load };
  return { ...real, LoadedSnapshot: LoadedSnapshot as unknown as typeof real.LoadedSnapshot };
});

it("a snapshot whose longer grams cannot be made answers, and the operator is told", async () => {
  const told: string[] = [];
  const holder = new SnapshotHolder("store", 0, (line, kind) => told.push(`${kind}: ${line}`));
  expect(await holder.prepare("a".repeat(32))).toMatchObject({ listings: 3 });
  holder.take();
  expect(holder.current?.engine.size).toBe(3);
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatch(/^trouble: a{32} answers, but texts .* slowly: a thread ended$/);
});
