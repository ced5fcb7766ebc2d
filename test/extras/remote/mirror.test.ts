import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Mirror, waitMs } from "../../../src/extras/remote/mirror.js";
import { temporaryFolder } from "../../fixtures.js";
import { allNamed, TestOrigin } from "./origin.js";

/** A mirror that pulls only when it is told to, and a count of what it has told. */
async function aMirror(origin: TestOrigin) {
  const told = { pulls: 0, lines: [] as string[] };
  const mirror = new Mirror({
    url: origin.url,
    store: join(await temporaryFolder(), "store"),
    refreshMs: 86_400_000,
    verify: undefined,
    allowRedirects: false,
    log: (line) => told.lines.push(line),
    onPulled: () => {
      told.pulls += 1;
    },
  });
  onTestFinished(() => mirror.close());
  const ended = (kind: "succeeded" | "failed", count: number) =>
    expect.poll(() => mirror.state()[kind], { timeout: 20_000 }).toBe(count);
  return { mirror, told, ended };
}

it("tells at once that it has pulled a new snapshot, and nothing if nothing is new", async () => {
  const origin = await TestOrigin.start();
  await origin.push(allNamed("One"));
  const { mirror, told, ended } = await aMirror(origin);
  const pulls = async (count: number) => {
    await ended("succeeded", count);
    return told.pulls;
  };
  expect(await pulls(1)).toBe(1);
  mirror.pullNow();
  expect(await pulls(2)).toBe(1);
  await origin.push(allNamed("Two"));
  mirror.pullNow();
  expect(await pulls(3)).toBe(2);
  // Files that were checked once are not downloaded or read again.
  const asked = origin.asked.filter((path) => /^(?:index|reports)\//.test(path));
  expect(new Set(asked).size).toBe(asked.length);
});

it("logs a failure once, however long it lasts, another reason once more, and that it is over", async () => {
  const origin = await TestOrigin.start();
  await origin.push(allNamed("One"));
  await origin.down();
  const { mirror, told, ended } = await aMirror(origin);
  for (const count of [1, 2, 3]) {
    await ended("failed", count);
    mirror.pullNow();
  }
  await ended("failed", 4);
  expect(told.lines).toEqual([expect.stringContaining("the server refuses connections")]);
  await origin.write("current.json", "{}");
  await origin.up();
  mirror.pullNow();
  await ended("failed", 5);
  await origin.push(allNamed("Two"));
  mirror.pullNow();
  await ended("succeeded", 1);
  expect(told.lines.slice(1)).toEqual([
    expect.stringContaining("current.json has no format that this version reads"),
    `pulls from ${origin.url} succeed again, after 5 that failed`,
  ]);
});

it("waits a little less than the refresh time, and longer with each failure, up to a minute", () => {
  expect([0, 0.5, 1].map((share) => waitMs(10_000, 0, share))).toEqual([10_000, 9_000, 8_000]);
  const failing = [1, 2, 3, 4, 5, 1_000].map((failures) => waitMs(10_000, failures, 0));
  expect(failing).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  expect(waitMs(3_600_000, 7, 0)).toBe(3_600_000);
});
