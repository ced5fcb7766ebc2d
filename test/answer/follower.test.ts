import { createHash } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import { SnapshotFollower } from "../../src/answer/follower.js";
import { Repeating } from "../../src/server/repeating.js";
import { pointerText } from "../../src/store/pointer.js";

const sha256 = async (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Loaded {
  readonly text: string;
  readonly history: { readonly generation: number; readonly origin: string };
}

/** A store in memory, with a manifest of any text for each snapshot, and a follower of it. */
function aFollowed({ refreshMs = 500, isFolder = false } = {}) {
  const files = new Map<string, string>();
  const told: string[] = [];
  const bad = new Set<string>();
  const histories = new Map<string, Loaded["history"]>();
  let loads = 0;
  /** @param stated the number that `current.json` states */
  const publish = (
    manifest: string,
    generation = 1,
    { origin = "00000000", stated = generation } = {},
  ) => {
    const id = createHash("sha256").update(manifest).digest("hex").slice(0, 32);
    histories.set(id, { generation, origin });
    files.set(`${id}/manifest.json`, manifest);
    files.set("current.json", pointerText({ id, generation: stated, origin }));
    return id;
  };
  const follower = new SnapshotFollower<Loaded>({
    store: async (path) => {
      const text = files.get(path);
      if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return new TextEncoder().encode(text);
    },
    refreshMs,
    isFolder,
    sha256,
    manifestBytesMax: 100,
    verify: undefined,
    load: async ({ id, manifest }, former) => {
      loads += 1;
      if (bad.has(id)) throw new Error("it is bad");
      const text = `${new TextDecoder().decode(manifest)} after ${former?.text}`;
      return { text, history: histories.get(id)! };
    },
    discard: ({ text }) => told.push(`${text} is discarded`),
    onLoaded: ({ text }) => told.push(text),
    onError: ({ message }, isNew) => isNew && told.push(message),
  });
  const current = () => follower.current?.text;
  return { files, follower, current, told, bad, publish, loads: () => loads };
}

let now = 0;
beforeEach(() => {
  now = 1_000_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return () => vi.restoreAllMocks();
});

it("a follower waits for a first snapshot, and swaps in each new one", async () => {
  const { follower, current, told, publish, files } = aFollowed();
  await follower.look();
  expect([follower.current, follower.trouble]).toEqual([null, undefined]);
  publish("One");
  await follower.look();
  await follower.look();
  publish("Two", 2);
  await follower.look();
  expect(told).toEqual(["One after undefined", "Two after One after undefined"]);
  // The whole store is gone.
  files.clear();
  await follower.look();
  expect([current(), follower.trouble]).toEqual(["Two after One after undefined", undefined]);
});

it("an older publication is refused, but not in a folder, and not of another history", async () => {
  const { follower, current, publish, told } = aFollowed();
  publish("Five", 5);
  await follower.look();
  publish("Four", 4);
  await follower.look();
  await follower.look();
  expect([current(), told.at(-1)]).toEqual([
    "Five after undefined",
    expect.stringMatching(/names generation 4, older than generation 5, which is served/),
  ]);
  publish("One", 1, { origin: "11111111" });
  await follower.look();
  expect([current(), follower.trouble]).toEqual(["One after Five after undefined", undefined]);
  const inFolder = aFollowed({ isFolder: true });
  for (const generation of [5, 4]) {
    inFolder.publish(`${generation}`, generation);
    await inFolder.follower.look();
    expect(inFolder.follower.current?.history.generation).toBe(generation);
  }
});

it("a pointer that states another number than the manifest is refused, and the number forgotten", async () => {
  const { follower, current, publish, told } = aFollowed();
  publish("One", 1, { stated: 1_000 });
  await follower.look();
  expect([current(), told]).toEqual([
    undefined,
    ["One after undefined is discarded", expect.stringMatching(/current.json states another gen/)],
  ]);
  publish("Two", 2);
  await follower.look();
  expect(current()).toBe("Two after undefined");
});

it("a manifest that does not match its id is refused before it is loaded", async () => {
  const { follower, told, publish, files, loads } = aFollowed();
  const id = publish("One");
  files.set(`${id}/manifest.json`, "one");
  await follower.look();
  expect([loads(), told]).toEqual([0, [`${id}/manifest.json does not match its id`]]);
});

it("a refusal is reported once, and the snapshot tried again after growing delays, any other one at once", async () => {
  const { follower, current, told, bad, publish, loads } = aFollowed();
  const id = publish("One");
  bad.add(id);
  const tried: number[] = [];
  for (const start = now; now < start + 40_000; now += 500) {
    const before = loads();
    await follower.look();
    if (loads() > before) tried.push((now - start) / 1_000);
  }
  expect(tried).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 25.5, 35.5]);
  expect([told, follower.trouble]).toEqual([[`${id}: it is bad`], `${id}: it is bad`]);
  publish("Two");
  await follower.look();
  expect([current(), follower.trouble]).toEqual(["Two after undefined", undefined]);
});

it("a refused snapshot is tried at once on request, and its success is reported", async () => {
  const { follower, told, bad, publish } = aFollowed();
  const id = publish("One");
  bad.add(id);
  await follower.look();
  bad.clear();
  await follower.look();
  expect(follower.current).toBeNull();
  follower.retryNow();
  await follower.look();
  expect(told).toEqual([`${id}: it is bad`, "One after undefined"]);
});

it("a request begins a look only if the last one is old or was lost", async () => {
  const { follower, current, publish, loads } = aFollowed({ refreshMs: 30_000 });
  publish("One");
  const first = follower.refresh();
  now += 59_999;
  expect(follower.refresh()).toBeNull();
  await first;
  publish("Two");
  now = 1_029_999;
  expect(follower.refresh()).toBeNull();
  now = 1_030_000;
  await follower.refresh();
  expect([loads(), current()]).toEqual([2, "Two after One after undefined"]);
});

it(
  "a task is repeated until it is closed, at once if that is asked for, and never twice at the " +
    "same time",
  async () => {
    let runs = 0;
    let running = 0;
    let most = 0;
    let aborted = false;
    const repeating = new Repeating(
      async (stop) => {
        runs += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        stop.addEventListener("abort", () => {
          aborted = true;
        });
      },
      () => 86_400_000,
    );
    for (const expected of [1, 2, 3]) {
      await expect.poll(() => runs).toBe(expected);
      repeating.runNow();
      repeating.runNow();
    }
    await expect.poll(() => runs).toBe(4);
    await repeating.close();
    repeating.runNow();
    await new Promise((resolve) => setImmediate(resolve));
    expect([runs, most, aborted]).toEqual([4, 1, true]);
  },
);
